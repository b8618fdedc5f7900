// Times the reload policy, in memory and on one core: changes, a day full of them, and a year of an app.
// Compiled by `Scripts/bench` with the modules of `Scripts/support/policy.sh`.
import Documents
import Foundation
import Model
import Reloads

@main
struct PolicyBenchmark {
    static func main() {
        change("waits", kinds)
        change("granted", unlimited)
        simulate()
        year()
    }

    private static let count = 1_000_000
    /// Local midnight of a Sunday.
    private static let midnight: Int64 = 1_768_694_400_000
    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000
    /// Close to those of the built-in profile `finance`, the app with the most kinds of widgets.
    private static let kinds: [KindRules] = [30, 60, 60, 120, 15, 60, 60, 60, 120, 120].enumerated().map {
        var rules = KindRules(kind: "Kind\($0)")
        rules.every = Int64($1) * minute
        rules.zone = zone
        if $0 % 5 == 2 { rules.daily = [28_800] }
        return rules
    }
    private static let document = ["d.json"].compactMap { RelativePath($0) }[0]
    private static let zone = TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc

    /// Of the same kinds, but each change is granted at once, and uses a slot.
    private static let unlimited = kinds.map {
        var rules = $0
        (rules.budget, rules.coalesce) = (.limited(count), 0)
        return rules
    }

    /// A million visible changes within a day, one kind after the other, as a bridge tells the policy of them:
    /// with what is due in between. Each kind has a placed widget; with a usual budget it soon waits for a slot.
    private static func change(_ name: String, _ kinds: [KindRules]) {
        let contents = (0..<251).map { Projection(content: Digest(bytes: [UInt8](repeating: $0, count: 32))) }
        report("\(name)_nanoseconds", 1e9 / Double(count)) {
            var policy = ReloadPolicy(kinds)
            for rules in kinds { keep(policy.place("w", of: rules.kind, at: midnight)) }
            for number in 0..<count {
                let now = midnight + day * Int64(number) / Int64(count)
                if let due = policy.deadline, due <= now { keep(policy.tick(at: now)) }
                let kind = kinds[number % kinds.count].kind
                keep(policy.change(kind, document: document, to: contents[number % contents.count], at: now))
            }
            let least = kinds[0].budget == nil ? 40 : count / kinds.count
            precondition(policy.ledgers(at: midnight + day).allSatisfy { $0.counts.granted >= least })
        }
    }

    /// As many changes on a simulated day.
    private static func simulate() {
        let events = (0..<count).map { number in
            let kind = kinds[number % kinds.count].kind
            return SimulatedDay.Event(
                at: midnight + day * Int64(number) / Int64(count),
                .change(kind: kind, document: document, to: nil)
            )
        }
        report("simulated_milliseconds", 1000) {
            let days = SimulatedDay(start: midnight, events).run(kinds)
            precondition(days.allSatisfy { $0.ledger.counts.asks >= count / kinds.count })
        }
    }

    /// Every day of a year, with a hundred changes each.
    private static func year() {
        report("year_milliseconds", 1000) {
            var noon = midnight + day / 2
            for _ in 0..<365 {
                let start = Int64(zone.midnight(before: Int(noon / 1000))) * 1000
                let events = (0..<100).map { number in
                    SimulatedDay.Event(
                        at: start + Int64(number) * 14 * minute,
                        .change(kind: kinds[number % kinds.count].kind, document: document, to: nil)
                    )
                }
                keep(SimulatedDay(start: start, in: zone, events).run(kinds))
                noon += day
            }
        }
    }

    // MARK: What is used for it

    /// Prints the median of five runs, so many times the seconds that a processor was busy with one.
    private static func report(_ name: String, _ factor: Double, _ run: () -> Void) {
        let times = (0..<5).map { _ in
            let before = clock()
            run()
            return Double(clock() - before) / Double(CLOCKS_PER_SEC)
        }
        print("\(name) \(Int(times.sorted()[2] * factor))")
    }

    /// So that no optimizer can see that the value is not needed.
    @inline(never)
    @_optimize(none)
    private static func keep(_ value: some Any) {}
}
