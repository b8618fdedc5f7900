import RaceLab
import TestWorld
import Testing

@Suite("The bound of a search", .threadPerTest)
struct BoundTests {
    private static func report(
        _ scenario: Scenario,
        bound: Int,
        isReduced: Bool = true
    ) -> ExplorationReport {
        ReducingTests.report(scenario, bound: bound, isReduced: isReduced)
    }

    private static func scenario(_ engine: String, _ documents: String, _ actors: [String]) throws -> Scenario
    {
        let list = actors.joined(separator: ", ")
        return try Scenario(
            yaml: "{engine: \(engine), documents: [\(documents)], actors: {\(list)}}",
            file: "bound"
        )
    }

    private static func orders(of words: [String]) -> [[String]] {
        if words.isEmpty { return [[]] }
        return words.indices.flatMap { place in
            var rest = words
            let word = rest.remove(at: place)
            return orders(of: rest).map { [word] + $0 }
        }
    }

    @Test("does not count who goes on when an actor has ended, in whatever order they are listed")
    func orderOfListing() throws {
        let actors = [
            "app: {does: [{write-from-memory: b.json}]}", "x: {kind: app, does: [{write: t.json}]}",
            "widget: {does: [{subscribe: t.json}, {read-on-notice: t.json}, {write: b.json}]}", "agent: {}",
        ]
        for order in Self.orders(of: actors) {
            let report = Self.report(try Self.scenario("deaf", "t.json, b.json", order), bound: 0)
            #expect(report.isExhaustive && report.isCutByBound)
            #expect(report.counts[.lostUpdate] != nil, "\(order)")
        }
    }

    // MARK: Against brute force

    /// At most three actors, of which the programs take at most four steps, and an agent or fate the rest.
    private static func drawn(_ seed: UInt64) -> (engine: String, actors: [String]) {
        var random = SeededRandom(seed: seed, .workload)
        let engines = ["deaf", "copier", "unlink-then-rename", "stat-recheck", "widgetbridge"]
        let verbs = [
            "read", "write", "write-from-memory", "delete", "read-modify-write", "unlink-and-write", "edit",
            "{write: b.json}", "{read: b.json}", "{wait: 1ms}, read",
        ]
        func list() -> String {
            if random.isOne(in: 6) { return random.pick(["truncate-and-write", "write-in-place"]) }
            if random.isOne(in: 5) { return "subscribe, read-on-notice, \(random.pick(verbs))" }
            return (0..<1 + random.below(2)).map { _ in random.pick(verbs) }.joined(separator: ", ")
        }
        let third = random.isOne(in: 8) ? "fate: {does: [crash: agent]}" : "widget: {does: [\(list())]}"
        return (random.pick(engines), ["app: {does: [write, \(list())]}", third, "agent: {}"])
    }

    /// Every order of the steps within the bound, by following a schedule and leaving it at each step for
    /// each actor.
    private static func everyOrder(
        of scenario: Scenario,
        after lanes: [Int],
        _ left: Int,
        _ take: (Run) -> Void
    ) {
        var schedule = Schedule()
        for lane in lanes { schedule.append(lane) }
        let run = Run.replay(scenario, schedule)
        take(run)
        for (place, step) in run.steps.enumerated().dropFirst(lanes.count) {
            for lane in scenario.actors.indices where lane != step.lane && step.offered & 1 << lane != 0 {
                let left = step.preempting & 1 << lane != 0 ? left - 1 : left
                if left < 0 { continue }
                everyOrder(of: scenario, after: run.steps[..<place].map(\.lane) + [lane], left, take)
            }
        }
    }

    @Test("is kept to: drawn scenarios show what brute force shows, reduced or not", arguments: 1...8)
    func bruteForce(seed: Int) throws {
        let (engine, actors) = Self.drawn(UInt64(seed))
        let scenario = try Self.scenario(engine, "a.json, b.json", actors)
        for bound in 0...1 {
            var kinds: Set<AnomalyKind> = []
            var count = 0
            Self.everyOrder(of: scenario, after: [], bound) { run in
                count += 1
                kinds.formUnion(run.judgement.kinds)
            }
            let full = Self.report(scenario, bound: bound, isReduced: false)
            #expect(full.schedules == count, "\(engine) \(actors)")
            #expect(Set(full.counts.keys).subtracting([.deadlock]) == kinds.subtracting([.deadlock]))
        }
    }

    @Test("is kept to by the reduction, which loses no kind and no class of schedules", arguments: 1...16)
    func reduction(seed: Int) throws {
        let (engine, actors) = Self.drawn(UInt64(seed))
        let scenario = try Self.scenario(engine, "a.json, b.json", actors)
        for bound in 0...(seed <= 5 ? 2 : 1) {
            let full = Self.report(scenario, bound: bound, isReduced: false)
            let less = Self.report(scenario, bound: bound)
            #expect(Set(less.counts.keys) == Set(full.counts.keys), "\(bound) \(engine) \(actors)")
            #expect(less.coverage.views == full.coverage.views, "\(bound) \(engine) \(actors)")
            #expect(full.isCutByBound || !less.isCutByBound)
            guard bound == 1 else { continue }
            for order in Self.orders(of: actors).dropFirst() {
                let other = Self.report(try Self.scenario(engine, "a.json, b.json", order), bound: bound)
                #expect(Set(other.counts.keys) == Set(less.counts.keys), "\(engine) \(order)")
            }
        }
    }
}
