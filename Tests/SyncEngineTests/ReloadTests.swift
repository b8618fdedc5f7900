import Documents
import FileSystemSimulation
import Model
import Reloads
import StateStore
import SyncEngine
import Testing

/// Between a committed change and its notices stands the policy.
@Suite struct ReloadTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()
    private static let day = Duration.seconds(86_400)

    private func profile(_ kinds: String, _ more: String = "") throws -> Profile {
        let yaml = """
            profile: p
            documents:
              d.json:
                \(more)
                kinds: {\(kinds)}
            """
        return try Profile(yaml: yaml, file: "p.yaml")
    }

    private func living(_ profile: Profile) throws -> LivingProcess<FaultyJournal> {
        let living = try LivingProcess(disk, journal, profile: profile)
        living.live()
        return living
    }

    private func save(_ text: String, _ living: LivingProcess<FaultyJournal>) {
        disk.world.save(inApp("d.json"), Array(text.utf8))
        living.proceed(hearingOf: inApp("d.json"))
    }

    @Test func `a kind with a budget waits for a slot, and others get each visible change`() throws {
        let living = try living(profile("K: {budget: 2, shows: [/x]}, Free: {}"))
        for number in 1...5 { save(#"{"x":\#(number)}"#, living) }
        #expect(living.notices.count { $0.kind == "Free" } == 5)
        let granted = living.notices.filter { $0.kind == "K" }
        #expect(granted.map(\.generation) == [1, 2] && granted.allSatisfy { !$0.isDelayed })
        living.proceed(for: Self.day)
        let late = try #require(living.notices.last)
        #expect(late.kind == "K" && late.isDelayed && late.generation == 5 && late.cause == .app)
        #expect(late.hash == Digest(of: Array(#"{"x":5}"#.utf8)))
        #expect(living.notices.map(\.sequence) == (1...8).map { Int64($0) })
        // What widgets do is no history of the document.
        #expect(try living.engine.journal.events(of: late.document).count == 5)
    }

    @Test func `a waiting reload survives a restart, and is granted once`() throws {
        let profile = try profile("K: {budget: 1}")
        let first = try living(profile)
        for number in 1...3 { save(#"{"x":\#(number)}"#, first) }
        #expect(first.notices.map(\.generation) == [1])
        let second = try living(profile)
        #expect(second.notices == [])
        second.proceed(for: Self.day)
        #expect(second.notices.map(\.generation) == [3] && second.notices.map(\.isDelayed) == [true])
        #expect(second.notices.map(\.cause) == [.app])
        let third = try living(profile)
        third.proceed(for: Self.day)
        #expect(third.notices == [])
        let all = try third.engine.journal.notices(after: 0)
        #expect(all?.map(\.generation) == [1, 3] && all?.map(\.isDelayed) == [false, true])
    }

    @Test(arguments: [false, true])
    func `a grant is told once the journal has it, and costs one slot`(dies: Bool) throws {
        let profile = try profile("K: {budget: 1}")
        let first = try living(profile)
        journal.failsToWrite = { _ in true }
        save(#"{"x":1}"#, first)
        #expect(first.notices == [])
        journal.failsToWrite = { _ in false }
        let next = dies ? try living(profile) : first
        next.proceed()
        #expect(next.notices.count == 1)
        save(#"{"x":2}"#, next)
        #expect(next.notices.count == 1)
        #expect(next.engine.reloadLedger(at: next.now).map(\.used) == [1])
    }

    @Test func `changes within the time of coalescing are one reload`() throws {
        let living = try living(profile("K: {coalesce: 5 s}, Free: {}"))
        for number in 1...4 {
            disk.world.save(inApp("d.json"), Array("[\(number)]".utf8))
            living.proceed(hearingOf: inApp("d.json"), for: .milliseconds(500))
        }
        #expect(living.notices.filter { $0.kind == "K" }.map(\.generation) == [1])
        living.proceed(for: .seconds(5))
        #expect(living.notices.filter { $0.kind == "K" }.map(\.generation) == [1, 4])
        #expect(living.notices.allSatisfy { !$0.isDelayed })
        #expect(living.notices.count { $0.kind == "Free" } == 4)
    }

    @Test func `a document becomes stale at its moment, without a write`() throws {
        let living = try living(profile("K: {shows: [/x]}", "stale: {after: 1 h}"))
        save(#"{"x":1}"#, living)
        let saved = living.now.unixMilliseconds
        living.proceed(for: .seconds(4000))
        #expect(living.notices.map(\.cause) == [.app, .time])
        #expect(living.notices.map(\.generation) == [1, 1])
        #expect(abs(try #require(living.notices.last).at - saved - 3_600_000) < 5000)
        living.proceed(for: Self.day)
        #expect(living.notices.count == 2)
    }

    @Test func `a document that was there before its kind had a policy is shown already`() throws {
        let plain = try living(profile("K: {shows: [/x]}"))
        save(#"{"x":1}"#, plain)
        let living = try living(profile("K: {shows: [/x], budget: 1}", "stale: {after: 1 h}"))
        save(#"{"x":1,"y":1}"#, living)
        #expect(living.notices == [])
        living.proceed(for: .seconds(4000))
        // One reload, as the later save made it less old, and then it is stale.
        #expect(living.notices.map(\.cause) == [.time, .time])
        #expect(living.engine.reloadLedger(at: living.now).map(\.used) == [1])
    }

    @Test func `an error that a kind shows instead is a visible change`() throws {
        let errors = "errors: {broken: {text: Broken, when: {required: [broken]}}}"
        for kind in ["{shows: [/x]}", "{shows: [/x], coalesce: 0 ms}"] {
            disk.world.delete(inApp("d.json"))
            let living = try living(profile("K: \(kind)", errors))
            for text in [#"{"x":1}"#, #"{"x":1,"broken":1}"#, #"{"x":1,"broken":2}"#, #"{"x":1}"#] {
                save(text, living)
            }
            #expect(living.notices.filter { $0.hash != nil }.count == 3, "\(kind)")
        }
    }

    private func state(_ living: LivingProcess<FaultyJournal>) -> [ShownState] {
        living.engine.reloadLedger(at: living.now).map(\.state)
    }

    @Test func `an edited profile says what is stale from then on`() throws {
        func edited(_ rule: String) throws -> Profile { try profile("K: {shows: [/x]}", rule) }
        let first = try living(edited("stale: {after: 1 h}"))
        save(#"{"x":1}"#, first)
        first.proceed(for: .seconds(7200))
        #expect(state(first) == [.stale] && first.notices.map(\.cause) == [.app, .time])
        let later = try living(edited("stale: {after: 10 h}"))
        #expect(state(later) == [.fresh] && later.notices.map(\.cause) == [.time])
        later.proceed(for: .seconds(8 * 3600 + 60))
        #expect(state(later) == [.stale] && later.notices.map(\.cause) == [.time, .time])
        let never = try living(edited(""))
        #expect(state(never) == [.fresh])
        let again = try living(edited("stale: {after: 1 h}"))
        #expect(state(again) == [.stale])
        let same = try living(edited("stale: {after: 1 h}"))
        #expect(state(same) == [.stale] && same.notices == [])
    }

    @Test func `a document is as old as its file says`() throws {
        let living = try living(profile("K: {shows: [/x]}", "stale: {after: 1 h}"))
        save(#"{"x":1}"#, living)
        func touch(_ age: Int64) {
            let time = living.now.unixNanoseconds - age * 1_000_000_000
            disk.world.setModified(inGroup("d.json"), to: time)
            living.proceed(hearingOf: inGroup("d.json"))
        }
        touch(7200)
        #expect(state(living) == [.stale] && living.notices.map(\.cause) == [.app, .time])
        touch(0)
        #expect(state(living) == [.fresh] && living.notices.count == 3)
        touch(3000)
        living.proceed(for: .seconds(700))
        #expect(state(living) == [.stale])
    }

    @Test func `without an agent, time and deleted files are in the report`() throws {
        let profile = try profile("K: {shows: [/x]}, Free: {}", "stale: {after: 1 h}")
        let first = try living(profile)
        save(#"{"x":1}"#, first)
        let looking = try LivingProcess(disk, journal, profile: profile)
        #expect(state(looking) == [.fresh, .fresh])
        looking.miss(.seconds(3601))
        #expect(state(looking) == [.stale, .stale])
        disk.world.save(inGroup("d.json"), Array("{".utf8))
        let report = looking.engine.reloadLedger(at: looking.now, readingGroup: true)
        #expect(report.map(\.state) == [.error, .error])
        disk.world.delete(inGroup("d.json"))
        #expect(state(looking) == [.noData, .noData])
        #expect(looking.engine.journal.isEmpty)
    }

    @Test func `a kind that the profile gives another document has no data until there is one`() throws {
        let first = try living(profile("K: {budget: 5}"))
        save(#"{"x":1}"#, first)
        let moved = "profile: p\ndocuments: {e.json: {kinds: {K: {budget: 5}}}}"
        let second = try living(Profile(yaml: moved, file: "p.yaml"))
        #expect(state(second) == [.noData] && second.notices.map(\.cause) == [.time])
        disk.world.save(inApp("e.json"), Array("[1]".utf8))
        second.proceed(hearingOf: inApp("e.json"))
        #expect(state(second) == [.fresh])
        let renamed = try living(profile("L: {budget: 5}"))
        #expect(renamed.engine.reloadLedger(at: renamed.now).map(\.kind) == ["L"])
    }

    @Test(arguments: [false, true])
    func `what a widget saves is told and reported while the app's is held`(isDeleted: Bool) throws {
        let errors = "errors: {broken: {text: Broken, when: {required: [broken]}}}"
        let living = try living(profile("K: {shows: [/x]}", errors))
        save(#"{"x":1}"#, living)
        save("{", living)
        #expect(living.engine.heldCount == 1 && living.notices.count == 1 && state(living) == [.fresh])
        disk.world.save(inGroup("d.json"), Array(#"{"x":2,"broken":1}"#.utf8))
        living.proceed(hearingOf: inGroup("d.json"))
        #expect(living.notices.map(\.cause) == [.app, .time] && state(living) == [.error])
        if isDeleted {
            disk.world.delete(inGroup("d.json"))
        } else {
            disk.world.save(inGroup("d.json"), Array(#"{"x":1}"#.utf8))
        }
        living.proceed(hearingOf: inGroup("d.json"))
        #expect(living.notices.map(\.cause) == [.app, .time, .time])
        #expect(state(living) == [isDeleted ? .noData : .fresh])
    }

    @Test func `an error that another one follows is told again, and the same one is not`() throws {
        let versions = "version: {field: v, missing: 1}\n    versions: {1: {}}"
        let living = try living(profile("K: {shows: [/x]}", versions))
        save(#"{"x":1}"#, living)
        for text in ["{", #"{"v":7}"#, #"{"v":8}"#, #"{"v":8,"x":2}"#] {
            disk.world.save(inGroup("d.json"), Array(text.utf8))
            living.proceed(hearingOf: inGroup("d.json"))
        }
        #expect(living.notices.map(\.cause) == [.app, .time, .time, .time])
    }

    @Test func `what a widget saves is told while the bridge is paused`() throws {
        let living = try living(profile("K: {shows: [/x]}"))
        save(#"{"x":1}"#, living)
        try living.engine.pause(at: living.now)
        disk.world.save(inGroup("d.json"), Array("{".utf8))
        living.proceed(hearingOf: inGroup("d.json"))
        #expect(living.notices.map(\.cause) == [.app, .time] && state(living) == [.error])
        disk.world.delete(inGroup("d.json"))
        living.proceed(hearingOf: inGroup("d.json"))
        #expect(living.notices.map(\.cause) == [.app, .time, .time] && state(living) == [.noData])
        disk.world.save(inGroup("d.json"), Array(#"{"x":2}"#.utf8))
        living.proceed(hearingOf: inGroup("d.json"))
        #expect(living.notices.count == 4 && state(living) == [.fresh] && living.engine.deadline == nil)
        try living.engine.resume()
        living.proceed()
        #expect(disk.text(inApp("d.json")) == #"{"x":2}"# && living.notices.last?.cause == .group)
    }

    @Test func `a clock that is put back does not delay a reload`() throws {
        let living = try living(profile("K: {coalesce: 5 s}"))
        save("[1]", living)
        living.proceed(for: .seconds(10))
        disk.world.save(inApp("d.json"), Array("[2]".utf8))
        living.proceed(hearingOf: inApp("d.json"), for: .milliseconds(500))
        disk.world.save(inApp("d.json"), Array("[3]".utf8))
        living.proceed(hearingOf: inApp("d.json"), for: .milliseconds(500))
        living.setClock(by: .seconds(-86_400))
        living.proceed(for: .seconds(5))
        #expect(living.notices.map(\.generation) == [1, 2, 3])
    }
}
