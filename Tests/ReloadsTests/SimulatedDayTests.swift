import Documents
import Reloads
import Testing

@Suite("A simulated day")
struct SimulatedDayTests {
    private func days(_ name: String, budget: ReloadBudget? = nil) throws -> [KindDay] {
        var rules = KindRules.all(of: try #require(Profile.builtIn(name)))
        if let budget { for place in rules.indices { rules[place].budget = budget } }
        return SimulatedDay(start: midnight).run(rules)
    }

    private func clock(_ time: Int64?) -> String? {
        time.map { String(UTCTime.text($0).dropFirst(11).prefix(5)) }
    }

    @Test(
        "of an app as its profile describes it freezes, or does not",
        arguments: [
            ("budget", [48], [40], [nil]), ("habits", [24], [24], [nil]),
            ("todo", [288], [40], ["03:20"]),
            ("balances", [96], [40], ["10:00"]),
            (
                "finance", [48, 1, 24, 24, 12, 96, 24, 24, 24, 12, 12, 0],
                [40, 1, 24, 24, 12, 40, 24, 24, 24, 12, 12, 0],
                ["20:00", nil, nil, nil, nil, "10:15", nil, nil, nil, nil, nil, nil]
            ),
        ] as [(String, [Int], [Int], [String?])]
    )
    func apps(_ name: String, asks: [Int], granted: [Int], frozen: [String?]) throws {
        let days = try days(name)
        #expect(days.map(\.ledger.counts.asks) == asks)
        #expect(days.map(\.ledger.counts.granted) == granted)
        #expect(days.map { clock($0.frozenFrom) } == frozen)
        for day in days { #expect(day.grants.reduce(0, +) == day.ledger.counts.granted) }
    }

    @Test("of a budget that is large enough freezes nothing", arguments: Profile.builtInNames)
    func enough(_ name: String) throws {
        for budget in [.unlimited, .limited(288)] as [ReloadBudget] {
            for day in try days(name, budget: budget) {
                #expect(day.frozenFrom == nil && day.waitsFrom == nil)
                #expect(day.ledger.counts.granted == day.ledger.counts.asks)
            }
        }
    }

    @Test("of a budget of 0 is frozen from its beginning")
    func none() throws {
        #expect(try days("budget", budget: .limited(0)).map { clock($0.frozenFrom) } == ["00:00"])
    }

    @Test("says which refresh would fit", arguments: [(40, 36), (55, 27), (70, 21), (72, 20), (1, 1440)])
    func fitting(_ budget: Int, minutes: Int) {
        var rules = KindRules(kind: "K")
        rules.every = 15 * minute
        rules.budget = .limited(budget)
        #expect(SimulatedDay(start: midnight).fittingMinutes(rules) == minutes)
    }

    @Test("with changes leaves less to refresh, or nothing")
    func fittingBesideChanges() {
        var rules = KindRules(kind: "K")
        rules.every = 15 * minute
        rules.budget = .limited(10)
        func day(_ count: Int64) -> SimulatedDay {
            let times = (0..<count).map { midnight + 6 * hour + $0 * minute }
            return SimulatedDay(
                start: midnight,
                times.map { .init(at: $0, .change(kind: "K", document: "d", to: nil)) }
            )
        }
        #expect(day(4).fittingMinutes(rules).map { (150...300).contains($0) } == true)
        #expect(day(11).fittingMinutes(rules) == nil)
        rules.every = nil
        #expect(day(0).fittingMinutes(rules) == nil)
    }

    @Test("has the changes of its events, in order of their times")
    func events() throws {
        var rules = KindRules(kind: "K")
        rules.budget = .limited(1)
        let day = SimulatedDay(
            start: midnight,
            [
                .init(at: midnight + 3 * hour, .app(.foreground, for: hour)),
                .init(at: midnight + 2 * hour, .change(kind: "K", document: "d", to: nil)),
                .init(at: midnight + hour, .change(kind: "K", document: "d", to: nil)),
                .init(at: midnight + hour, .change(kind: "other", document: "d", to: nil)),
            ]
        )
        let kind = try #require(day.run([rules]).first)
        #expect(kind.grants[2] == 1 && kind.grants[6] == 1 && kind.grants.reduce(0, +) == 2)
        #expect(kind.waitsFrom == midnight + 2 * hour && kind.frozenFrom == midnight + 2 * hour)
    }

    @Test("ends a Live Activity when it starts anew, and when its element is gone")
    func activities() throws {
        let yaml = """
            profile: p
            documents:
              d.json: {activities: {A: {list: /rows, start: {percent: /a, of: /b, from: [90, 100]}}}}
            """
        let rule = try #require(try Profile(yaml: yaml, file: "p.yaml").documents[0].activities.first)
        func rows(_ inputs: LiveActivityInput..., at time: Int64) -> SimulatedDay.Event {
            .init(at: midnight + time, .elements(inputs, of: rule, document: "d.json"))
        }
        func row(_ id: String, level: Int) -> LiveActivityInput {
            LiveActivityInput(id: id, content: [UInt8(level)], level: level)
        }
        let day = SimulatedDay(
            start: midnight,
            [
                rows(row("a", level: 1), at: hour), rows(row("a", level: 2), at: 2 * hour),
                rows(row("b", level: 1), at: 3 * hour),
            ]
        )
        let runs = day.simulated([], keepsGrants: false).activities
        #expect(runs.map(\.id) == ["a", "a", "b"])
        #expect(runs.map { ($0.startedAt - midnight) / hour } == [1, 2, 3])
        #expect(runs.map { ($0.endsAt - midnight) / hour } == [2, 3, 11])
    }

    @Test("has the hours that the clocks show", arguments: [("2026-03-29", 46), ("2026-10-25", 50)])
    func clockChange(_ date: String, halfHours: Int) throws {
        let zone = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let noon = try #require(UTCTime.milliseconds(rfc3339: "\(date)T12:00:00Z"))
        var rules = KindRules(kind: "K")
        rules.every = 30 * minute
        rules.budget = .unlimited
        let start = Int64(zone.midnight(before: Int(noon / 1000))) * 1000
        let kind = try #require(SimulatedDay(start: start, in: zone).run([rules]).first)
        #expect(kind.ledger.counts.asks == halfHours)
        // From two to three they show the same twice, or nothing.
        let each = halfHours == 50 ? 2 : 0
        #expect(kind.grants.enumerated().allSatisfy { $1 == ($0 == 4 || $0 == 5 ? each : 1) })
    }

    @Test("that is as the one before repeats itself: a slot that was used is free again")
    func twoDays() throws {
        let rules = KindRules.all(of: try #require(Profile.builtIn("balances")))
        var policy = ReloadPolicy(rules)
        _ = policy.place("one", of: "PennyWidget", at: midnight)
        let grants = policy.run(until: midnight + 2 * day - 1)
        let (first, second) = (
            grants.filter { $0.at < midnight + day }, grants.filter { $0.at >= midnight + day }
        )
        #expect(first.count == 39 && second.count == 40)
        #expect(second.dropFirst().map { $0.at - day } == first.map(\.at))
    }
}
