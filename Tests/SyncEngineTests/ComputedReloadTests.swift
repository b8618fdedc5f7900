import Documents
import FileSystemSimulation
import Model
import Reloads
import StateStore
import SyncEngine
import Testing

/// Reloads of kinds that compute what they show.
@Suite struct ComputedReloadTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()

    private func living(_ kind: String, _ more: String = "") throws -> LivingProcess<FaultyJournal> {
        let yaml = """
            profile: p
            timeZone: {name: UTC, rule: UTC0}
            documents:
              d.json:
                \(more)
                kinds: {K: \(kind)}
            """
        let profile = try Profile(yaml: yaml, file: "p.yaml")
        let living = try LivingProcess(disk, journal, profile: profile)
        living.live()
        return living
    }

    private func save(_ text: String, _ living: LivingProcess<FaultyJournal>) {
        disk.world.save(inApp("d.json"), Array(text.utf8))
        living.proceed(hearingOf: inApp("d.json"))
    }

    private func ledger(_ living: LivingProcess<FaultyJournal>) throws -> KindLedger {
        try #require(living.engine.reloadLedger(at: living.now).first)
    }

    @Test(arguments: ["", "budget: 40, "])
    func `a change of what no expression reads is none`(_ budget: String) throws {
        let living = try living("{\(budget)values: {a: a}}")
        for text in [#"{"a":1}"#, #"{"a":1.0,"b":1}"#, #"{"a":2,"b":1}"#] { save(text, living) }
        #expect(living.notices.map(\.generation) == [1, 3])
    }

    private let rows = "{families: {small: 1, large: all}, rows: rows}"

    @Test func `what no placed family shows costs no slot, and is told`() throws {
        let living = try living(rows)
        save(#"{"rows":[1]}"#, living)
        _ = try living.engine.placeWidget("K", "small", at: living.now)
        let used = try ledger(living).used
        for text in [#"{"rows":[1,2]}"#, #"{"rows":[1,3]}"#] { save(text, living) }
        #expect(living.notices.count == 3)
        #expect(try ledger(living).used == used && ledger(living).invisible == 2)
        living.proceed(for: .seconds(1))
        save(#"{"rows":[4,3]}"#, living)
        #expect(living.notices.count == 4)
        #expect(try ledger(living).used == used + 1)
    }

    @Test func `a widget that is removed makes no later change visible`() throws {
        let living = try living(rows)
        save(#"{"rows":[1,2]}"#, living)
        _ = try living.engine.placeWidget("K", "small", at: living.now)
        let large = try living.engine.placeWidget("K", "large", at: living.now)
        _ = try living.engine.removeWidget(large.id, at: living.now)
        save(#"{"rows":[1,2],"b":1}"#, living)
        #expect(try ledger(living).used == 0 && living.notices.count == 1)
    }

    @Test func `how many rows are left out is shown where a text says it`() throws {
        let more = #"{families: {small: 1}, rows: rows, texts: {more: "{more} more"}}"#
        let living = try living(more)
        save(#"{"rows":[1]}"#, living)
        _ = try living.engine.placeWidget("K", "small", at: living.now)
        save(#"{"rows":[1,2]}"#, living)
        #expect(try ledger(living).used == 1 && living.notices.count == 2)
    }

    @Test func `what only time has changed is no change`() throws {
        let kind = "{budget: 40, values: {days: 'days_since(at)'}}"
        let living = try living(kind)
        save(#"{"at":"1970-01-01"}"#, living)
        living.proceed(for: .seconds(2 * 86_400))
        #expect(living.notices.count == 1)
        save(#"{"at":"1970-01-01","b":1}"#, living)
        #expect(living.notices.count == 1)
        #expect(try ledger(living).invisible == 1)
        save(#"{"at":"1970-01-02"}"#, living)
        #expect(living.notices.count == 2)
    }

    @Test func `a state that time changes is told once, also after a restart`() throws {
        let states = "states: [{state: fresh, when: 'minutes_since(at) >= `10`', text: Late}]"
        let kind = "{shows: [/x]}"
        let first = try living(kind, states)
        save(#"{"at":\#(first.now.unixMilliseconds / 1000)}"#, first)
        first.proceed(for: .seconds(300))
        #expect(first.notices.count == 1)
        first.proceed(for: .seconds(400))
        #expect(first.notices.map(\.cause) == [.app, .time])
        first.proceed(for: .seconds(4000))
        #expect(first.notices.count == 2)
        let second = try living(kind, states)
        second.proceed(for: .seconds(100))
        #expect(second.notices == [])
        save(#"{"at":\#(second.now.unixMilliseconds / 1000)}"#, second)
        #expect(second.notices.count == 1)
    }

    @Test func `a state that time has changed while no agent ran is told`() throws {
        let states = "states: [{state: fresh, when: 'minutes_since(at) >= `10`', text: Late}]"
        let first = try living("{shows: [/x]}", states)
        save(#"{"at":\#(first.now.unixMilliseconds / 1000 - 590)}"#, first)
        #expect(first.notices.count == 1)
        disk.now += 60_000_000_000
        let second = try living("{shows: [/x]}", states)
        second.proceed(for: .seconds(1))
        #expect(second.notices.map(\.cause) == [.time])
    }

    @Test func `an expression without a value is an error of the kind`() throws {
        let living = try living("{budget: 5, values: {sum: 'sum(rows)'}}")
        save(#"{"rows":[1,2]}"#, living)
        #expect(try ledger(living).state == .fresh)
        save(#"{"rows":["a"]}"#, living)
        #expect(try ledger(living).state == .error && living.notices.count == 2)
        save(#"{"rows":[3]}"#, living)
        #expect(try ledger(living).state == .fresh && living.notices.count == 3)
    }
}
