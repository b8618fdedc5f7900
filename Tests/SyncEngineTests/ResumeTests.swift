import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// A run that was killed after it published a content and before it recorded that.
@Suite struct ResumeTests {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "r")

    private func place(_ name: String, _ root: Root) throws -> Location {
        Location(root, try #require(RelativePath(name)))
    }

    /// Runs a process until it is killed, or has nothing to do.
    private func live(
        _ profile: Profile? = nil,
        from uptime: Int64 = 0,
        boot: String = "1",
        commit: CommitMode = .exchange
    ) throws {
        var now = Moment(uptime: .seconds(uptime), unixNanoseconds: (1_000 + uptime) * 1_000_000_000)
        disk.now = now.unixNanoseconds
        var engine = try Engine(
            replicas: BothSides(of: disk),
            state: StateDirectory(disk),
            journal: journal,
            profile: profile,
            settings: EngineSettings(durability: .dir, commit: commit),
            number: numberOfRun(disk),
            boot: boot
        )
        engine.markAllDirty(at: now)
        for _ in 0..<100 where !disk.isDead {
            guard let deadline = engine.deadline else { return }
            now.uptime = max(now.uptime, deadline)
            _ = engine.turn(at: now)
        }
    }

    /// It is killed when it is about to sync the directory: the content is published, and nothing is
    /// recorded.
    private func liveUntilPublished(
        _ profile: Profile? = nil,
        commit: CommitMode = .exchange
    ) throws {
        disk.fail = { [disk] call, place in
            guard call == .syncDirectory, place?.root != .state else { return nil }
            return disk.world.files(.app).contains { $0.path.name.hasPrefix(TemporaryName.prefix) }
                || disk.world.files(.group).contains { $0.path.name.hasPrefix(TemporaryName.prefix) }
                ? .death() : nil
        }
        try live(profile, from: 10, commit: commit)
        disk.fail = { _, _ in nil }
        #expect(disk.isDead)
        try disk.restart()
    }

    /// It is killed with the first document, when it is about to sync its directory, so that nothing is
    /// recorded.
    private func liveUntilCreated(_ profile: Profile? = nil, on side: Side) throws {
        disk.fail = { [disk] call, place in
            guard call == .syncDirectory, place?.root != .state else { return nil }
            return disk.world.files(Root(side)).isEmpty ? nil : .death()
        }
        try live(profile)
        disk.fail = { _, _ in nil }
        #expect(disk.isDead)
        try disk.restart()
    }

    /// That side's second save was published on the other side, and that is not recorded.
    private func brought(from side: Side) throws -> (mine: Location, theirs: Location) {
        let mine = Location(side, try #require(RelativePath("a.json")))
        let theirs = Location(side.other, mine.path)
        disk.world.save(mine, .text(#"{"n":1}"#))
        try live()
        disk.world.save(mine, .text(#"{"n":2}"#))
        try liveUntilPublished()
        #expect(text(theirs) == #"{"n":2}"#)
        return (mine, theirs)
    }

    private func hasConflicts() -> Bool {
        disk.world.files(.state).contains { $0.path.description.hasPrefix("conflicts/") }
    }

    @Test(arguments: Side.allCases)
    func `a document that a killed run created does not conflict with a later save`(_ side: Side) throws {
        let mine = Location(side, try #require(RelativePath("a.json")))
        let theirs = Location(side.other, mine.path)
        disk.world.save(mine, .text(#"{"n":1}"#))
        try liveUntilCreated(on: side.other)
        #expect(text(theirs) == #"{"n":1}"#)
        disk.world.save(mine, .text(#"{"n":2}"#))
        try live(from: 20)
        #expect(text(mine) == #"{"n":2}"# && text(theirs) == #"{"n":2}"#)
        #expect(!hasConflicts())
        #expect(try journal.intents().isEmpty)
        #expect(try journal.lastNotice() == 2)
    }

    @Test(arguments: Side.allCases)
    func `a save over such a document is an edit, and a deletion is a deletion`(_ side: Side) throws {
        let mine = Location(side, try #require(RelativePath("a.json")))
        let theirs = Location(side.other, mine.path)
        disk.world.save(mine, .text(#"{"n":1}"#))
        try liveUntilCreated(on: side.other)
        disk.world.save(theirs, .text(#"{"n":2}"#))
        try live(from: 20)
        #expect(text(mine) == #"{"n":2}"# && text(theirs) == #"{"n":2}"#)
        let (other, twin) = (
            Location(side, try #require(RelativePath("b.json"))), mine.path.sibling("b.json")
        )
        let created = Location(side.other, try #require(twin))
        disk.world.save(other, .text("1"))
        disk.fail = { [disk] call, _ in
            call == .syncDirectory && disk.world.read(created) != nil ? .death() : nil
        }
        try live(from: 30)
        disk.fail = { _, _ in nil }
        try disk.restart()
        #expect(disk.world.delete(created))
        try live(from: 40)
        #expect(text(other) == nil && text(created) == nil)
        #expect(!hasConflicts())
    }

    @Test(arguments: Side.allCases)
    func `a save over a content that a killed run published is newer`(_ side: Side) throws {
        let (mine, theirs) = try brought(from: side)
        disk.world.save(theirs, .text(#"{"n":3}"#))
        try live(from: 20)
        #expect(text(mine) == #"{"n":3}"# && text(theirs) == #"{"n":3}"#)
        #expect(!hasConflicts())
    }

    /// The state's disk is full: nothing is recorded, and a displaced file stays where it is.
    @Test(arguments: Side.allCases)
    func `it is not older than the last of several published contents`(_ side: Side) throws {
        let mine = Location(side, try #require(RelativePath("a.json")))
        let theirs = Location(side.other, mine.path)
        disk.world.save(mine, .text(#"{"n":1}"#))
        let journal = FaultyJournal()
        let process = try LivingProcess(disk, journal)
        process.live()
        journal.failsToWrite = { _ in true }
        for number in 2...4 {
            disk.world.save(mine, .text("{\"n\":\(number)}"))
            disk.fail = { [disk] call, place in
                guard call == .rename, let place, place.path.name.hasPrefix(TemporaryName.prefix)
                else { return nil }
                return disk.text(place) == "{\"n\":\(number)}" ? nil : .error(ENOSPC)
            }
            process.proceed(hearingOf: mine)
            #expect(text(theirs) == "{\"n\":\(number)}")
        }
        disk.fail = { _, _ in nil }
        journal.failsToWrite = { _ in false }
        disk.world.save(theirs, .text(#"{"n":5}"#))
        try LivingProcess(disk, journal).live()
        #expect(text(mine) == #"{"n":5}"# && text(theirs) == #"{"n":5}"#)
        #expect(!hasConflicts())
    }

    @Test func `a document that the killed run had not created yet is another program's`() throws {
        let (app, group) = (try place("a.json", .app), try place("a.json", .group))
        disk.world.save(app, .text(#"{"n":1}"#))
        disk.fail = { call, place in call == .rename && place?.root == .group ? .death() : nil }
        try live()
        disk.fail = { _, _ in nil }
        try disk.restart()
        #expect(text(group) == nil)
        disk.world.save(group, .text(#"{"n":2}"#))
        try live(from: 20)
        #expect(text(app) == #"{"n":1}"# && text(group) == #"{"n":1}"#)
        #expect(hasConflicts())
    }

    @Test func `after a power cut a missing document does not count as deleted`() throws {
        let (app, group) = (try place("a.json", .app), try place("a.json", .group))
        disk.world.save(app, .text(#"{"n":1}"#))
        try liveUntilCreated(on: .group)
        #expect(disk.world.delete(group))
        try live(from: 20, boot: "2")
        #expect(text(app) == #"{"n":1}"# && text(group) == #"{"n":1}"#)
    }

    @Test func `a document created in another version does not conflict either`() throws {
        let profile = try #require(Profile.builtIn("budget"))
        let (app, group) = (try place("budget.json", .app), try place("budget.json", .group))
        let old = """
            {"spent":1,"limit":800,"month":"Gennaio 2026","currency":"€","isDarkMode":false,\
            "lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"123e4567-e89b-12d3-a456-426614174000"}
            """
        disk.world.save(app, .text(old))
        try liveUntilCreated(profile, on: .group)
        let created = try #require(text(group))
        #expect(created != old)
        disk.world.save(app, .text(old.replacing("\"spent\":1", with: "\"spent\":3")))
        disk.world.save(group, .text(created.replacing("\"limit\":800", with: "\"limit\":900")))
        try live(profile, from: 20)
        for place in [app, group] {
            #expect(text(place)?.contains("\"spent\":3") == true)
            #expect(text(place)?.contains("\"limit\":900") == true)
        }
        #expect(!hasConflicts())
    }

    private func text(_ place: Location) -> String? {
        disk.world.read(place).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: Side.allCases)
    func `a published content does not win over a later save`(_ side: Side) throws {
        let (mine, theirs) = try brought(from: side)
        disk.world.save(mine, .text(#"{"n":3}"#))
        try live(from: 20)
        #expect(text(mine) == #"{"n":3}"#)
        #expect(text(theirs) == #"{"n":3}"#)
        #expect(!disk.world.files(.state).contains { $0.path.description.hasPrefix("conflicts/") })
    }

    @Test func `an edit of a published content is an edit`() throws {
        let (app, group) = (try place("a.json", .app), try place("a.json", .group))
        disk.world.save(app, .text(#"{"n":1,"m":1}"#))
        try live()
        disk.world.save(app, .text(#"{"n":2,"m":1}"#))
        try liveUntilPublished()
        disk.world.save(group, .text(#"{"n":2,"m":2}"#))
        disk.world.save(app, .text(#"{"n":3,"m":1}"#))
        try live(from: 20)
        #expect(text(app) == #"{"n":3,"m":2}"#)
        #expect(text(group) == #"{"n":3,"m":2}"#)
    }

    @Test(arguments: Side.allCases, [CommitMode.exchange, .rename])
    func `a deletion of a published content is a deletion`(_ side: Side, _ commit: CommitMode) throws {
        let mine = Location(side, try #require(RelativePath("a.json")))
        let theirs = Location(side.other, mine.path)
        disk.world.save(mine, .text(#"{"n":1}"#))
        try live(commit: commit)
        disk.world.save(mine, .text(#"{"n":2}"#))
        try liveUntilPublished(commit: commit)
        #expect(disk.world.delete(theirs))
        try live(from: 20, commit: commit)
        #expect(text(mine) == nil)
        #expect(text(theirs) == nil)
    }

    @Test(arguments: [CommitMode.exchange, .rename])
    func `a deletion of a content that was not published yet is no deletion of the other side's save`(
        _ commit: CommitMode
    ) throws {
        let (app, group) = (try place("a.json", .app), try place("a.json", .group))
        disk.world.save(app, .text(#"{"n":1}"#))
        try live(commit: commit)
        disk.world.save(app, .text(#"{"n":2}"#))
        disk.fail = { call, place in call == .rename && place?.root == .group ? .death() : nil }
        try live(from: 10, commit: commit)
        disk.fail = { _, _ in nil }
        try disk.restart()
        #expect(text(group) == #"{"n":1}"#)
        #expect(disk.world.delete(group))
        try live(from: 20, commit: commit)
        #expect(text(app) == #"{"n":2}"#)
        #expect(text(group) == #"{"n":2}"#)
    }

    /// The app is written first, and the group's program saves before the next run.
    @Test(arguments: [true, false], [CommitMode.exchange, .rename])
    func `a published merge does not win over later saves of either side`(
        _ isWhole: Bool,
        _ commit: CommitMode
    ) throws {
        let (app, group) = (try place("a.json", .app), try place("a.json", .group))
        disk.world.save(app, .text(#"{"n":1,"m":1}"#))
        try live(commit: commit)
        disk.world.save(app, .text(#"{"n":2,"m":1}"#))
        disk.world.save(group, .text(#"{"n":1,"m":2}"#))
        let merged = #"{"n":2,"m":2}"#
        disk.fail = { [disk] call, place in
            guard call == (isWhole ? .syncDirectory : .rename), place?.root != .state else { return nil }
            return disk.text(app) == merged && (!isWhole || disk.text(group) == merged) ? .death() : nil
        }
        try live(from: 10, commit: commit)
        disk.fail = { _, _ in nil }
        #expect(disk.isDead && text(app) == merged && (text(group) == merged) == isWhole)
        try disk.restart()
        disk.world.save(app, .text(#"{"n":3,"m":2}"#))
        disk.world.save(group, .text(isWhole ? #"{"n":2,"m":3}"# : #"{"n":1,"m":3}"#))
        try live(from: 20, commit: commit)
        #expect(text(app) == #"{"n":3,"m":3}"# && text(group) == #"{"n":3,"m":3}"#)
        #expect(!hasConflicts())
    }

    @Test func `the same holds for two versions`() throws {
        let profile = try #require(Profile.builtIn("budget"))
        let (app, group) = (try place("budget.json", .app), try place("budget.json", .group))
        let old = """
            {"spent":1,"limit":800,"month":"Gennaio 2026","currency":"€","isDarkMode":false,\
            "lastUpdated":"2026-01-18T14:30:00.000Z","groupId":"123e4567-e89b-12d3-a456-426614174000"}
            """
        disk.world.save(app, .text(old))
        try live(profile)
        disk.world.save(app, .text(old.replacing("\"spent\":1", with: "\"spent\":2")))
        try liveUntilPublished(profile)
        #expect(text(group)?.contains("\"spent\":2") == true)
        disk.world.save(app, .text(old.replacing("\"spent\":1", with: "\"spent\":3")))
        try live(profile, from: 20)
        #expect(text(app)?.contains("\"spent\":3") == true)
        #expect(text(group)?.contains("\"spent\":3") == true)
        #expect(!disk.world.files(.state).contains { $0.path.description.hasPrefix("conflicts/") })
    }
}

extension [UInt8] {
    fileprivate static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
