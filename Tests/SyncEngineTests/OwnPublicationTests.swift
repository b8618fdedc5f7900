import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// Publications of the bridge are recognized even if the journal does not have them.
@Suite struct OwnPublicationTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()
    private let app = inApp("a.json")
    private let group = inGroup("a.json")

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    /// A file with its attributes, as `cp -a` copies it; the result restores it.
    private func copy(of place: Location) throws -> () -> Void {
        let bytes = try #require(disk.world.read(place))
        let name = "user." + OwnAttribute.publication
        let mark = disk.world.attribute(name, of: place)
        return { [disk] in
            disk.world.save(place, bytes)
            if let mark { disk.world.setAttribute(name, of: place, to: mark) }
        }
    }

    private func conflicts() -> Int {
        disk.world.files(.state).count { $0.path.description.hasPrefix("conflicts/") }
    }

    private var both: [String?] { [disk.text(app), disk.text(group)] }

    /// The group's saves are synced one by one; from the second on the journal cannot be written.
    @discardableResult
    private func published(_ texts: [String]) throws -> LivingProcess<FaultyJournal> {
        save(texts[0], group)
        let process = try LivingProcess(disk, journal)
        #expect(process.live() == nil)
        journal.failsToWrite = { _ in true }
        for text in texts.dropFirst() {
            save(text, group)
            process.proceed(hearingOf: group)
            #expect(disk.text(app) == text)
        }
        return process
    }

    /// Another process, with a journal that can be written.
    private func proceed() throws -> LivingProcess<FaultyJournal> {
        journal.failsToWrite = { _ in false }
        let process = try LivingProcess(disk, journal)
        #expect(process.live() == nil)
        return process
    }

    // MARK: The journal could not be written

    @Test func `a single program's save does not conflict with an unrecorded publication`() throws {
        try published([#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#])
        save(#"{"n":4}"#, group)
        let process = try proceed()
        #expect(both == [#"{"n":4}"#, #"{"n":4}"#])
        #expect(conflicts() == 0 && process.engine.counters.merges == 0)
        #expect(process.notices.map(\.generation) == [4])
        #expect(try journal.documents().first?.1.generation == 4)
    }

    @Test func `a deletion beside an unrecorded publication is not undone by it`() throws {
        try published(["1", "2"])
        disk.world.delete(group)
        _ = try proceed()
        #expect(both == [nil, nil] && conflicts() == 0)
    }

    @Test func `a document that is missing beside several unrecorded publications is not deleted`() throws {
        try published(["1", "2", "3"])
        disk.world.delete(group)
        _ = try proceed()
        #expect(both == ["3", "3"])
    }

    @Test func `without file attributes it does, because nothing identifies the publication`() throws {
        disk.canMarkFiles = false
        try published([#"{"n":1}"#, #"{"n":2}"#])
        save(#"{"n":4}"#, group)
        let process = try proceed()
        #expect(both == [#"{"n":2}"#, #"{"n":2}"#])
        #expect(conflicts() == 1 && process.engine.counters.merges == 1)
    }

    @Test func `every subscriber gets every notice, and none twice`() throws {
        try published([#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#])
        let process = try proceed()
        #expect(both == [#"{"n":3}"#, #"{"n":3}"#])
        #expect(process.notices.map(\.generation) == [4] && process.notices.map(\.sequence) == [2])
        #expect(try proceed().notices.isEmpty)
    }

    @Test func `a change in place of a publication is the program's edit`() throws {
        try published([#"{"n":1,"m":1}"#, #"{"n":2,"m":1}"#])
        disk.world.overwrite(app, Array(#"{"n":2,"m":5}"#.utf8))
        save(#"{"n":4,"m":1}"#, group)
        _ = try proceed()
        #expect(conflicts() == 1)
        #expect(disk.text(app)?.contains(#""m":5"#) == true)
    }

    // MARK: Older copies

    @Test func `an older publication that a person restores is an edit`() throws {
        save(#"{"n":1}"#, group)
        let process = try LivingProcess(disk, journal)
        process.live()
        let restore = try copy(of: app)
        save(#"{"n":2}"#, group)
        process.proceed(hearingOf: group)
        restore()
        process.proceed(hearingOf: app)
        #expect(both == [#"{"n":1}"#, #"{"n":1}"#] && conflicts() == 0)
    }

    @Test func `of two publications the newer one wins`() throws {
        let process = try published([#"{"n":1}"#, #"{"n":2}"#])
        let restore = try copy(of: app)
        save(#"{"n":3}"#, app)
        process.proceed(hearingOf: app)
        restore()
        _ = try proceed()
        #expect(both == [#"{"n":3}"#, #"{"n":3}"#] && conflicts() == 0)
    }

    @Test func `a copy in the other container is not a publication`() throws {
        try published([#"{"n":1}"#, #"{"n":2}"#])
        let name = "user." + OwnAttribute.publication
        let mark = try #require(disk.world.attribute(name, of: app))
        save(#"{"n":2}"#, group)
        disk.world.setAttribute(name, of: group, to: mark)
        save(#"{"n":5}"#, app)
        _ = try proceed()
        #expect(both == [#"{"n":5}"#, #"{"n":5}"#] && conflicts() == 1)
    }

    // MARK: Half of a merge

    @Test(arguments: [false, true])
    func `half of a merge is not a base`(edited: Bool) throws {
        save(#"{"a":1,"b":1}"#, group)
        let process = try LivingProcess(disk, journal)
        process.live()
        save(#"{"a":2,"b":1}"#, app)
        save(#"{"a":1,"b":2}"#, group)
        var renames = 0
        disk.fail = { call, place in
            guard call == .rename, place?.root != .state else { return nil }
            renames += 1
            return renames == 2 ? .death() : nil
        }
        journal.failsToWrite = { [disk] _ in disk.isDead }
        process.proceed(hearingOf: app)
        disk.fail = { _, _ in nil }
        #expect(disk.isDead && both == [#"{"a":2,"b":2}"#, #"{"a":1,"b":2}"#])
        if edited { save(#"{"a":1,"b":3}"#, group) }
        _ = try proceed()
        let merged = edited ? #"{"a":2,"b":3}"# : #"{"a":2,"b":2}"#
        #expect(both == [merged, merged] && conflicts() == 0)
    }

    // MARK: The journal is lost or restored from a copy

    private func live(_ journal: MemoryJournal) throws -> LivingProcess<MemoryJournal> {
        let process = try LivingProcess(disk, journal)
        #expect(process.live() == nil)
        return process
    }

    @Test func `publications of a lost journal are not conflicting edits`() throws {
        save(#"{"n":1}"#, group)
        _ = try live(MemoryJournal(instance: "one"))
        save(#"{"n":2}"#, group)
        let process = try live(MemoryJournal(instance: "two"))
        #expect(both == [#"{"n":2}"#, #"{"n":2}"#] && conflicts() == 0)
        #expect(process.notices.map(\.generation) == [2])
    }

    @Test func `a lost journal deletes nothing`() throws {
        save(#"{"n":1}"#, group)
        _ = try live(MemoryJournal(instance: "one"))
        disk.world.delete(group)
        _ = try live(MemoryJournal(instance: "two"))
        #expect(both == [#"{"n":1}"#, #"{"n":1}"#])
    }

    @Test func `a journal that was restored from a copy continues under a new name, above its publications`()
        throws
    {
        let first = MemoryJournal(instance: "one")
        save(#"{"n":1}"#, group)
        let process = try live(first)
        let backup = first.copy()
        for number in 2...5 {
            save("{\"n\":\(number)}", group)
            process.proceed(hearingOf: group)
        }
        save(#"{"n":6}"#, group)
        let restored = try live(backup)
        #expect(both == [#"{"n":6}"#, #"{"n":6}"#] && conflicts() == 0)
        #expect(restored.notices.map(\.generation) == [6])
        let name = restored.engine.journal.instance
        #expect(name != "one" && backup.instance == name)
        #expect(try live(backup).engine.journal.instance == name)
    }

    @Test func `a journal that has lost nothing keeps its name`() throws {
        let journal = MemoryJournal(instance: "one")
        for number in 1...3 {
            save("{\"n\":\(number)}", group)
            let process = try live(journal)
            save("{\"n\":\(number),\"m\":1}", app)
            process.proceed(hearingOf: app)
        }
        #expect(try live(journal).engine.journal.instance == "one")
    }

    @Test func `a journal keeps its name after a run that could not sync its publications`() throws {
        save(#"{"n":1}"#, group)
        let process = try LivingProcess(
            disk,
            journal,
            settings: EngineSettings(durability: .dir)
        )
        process.live()
        var fails = true
        disk.fail = { call, place in
            call == .syncDirectory && place?.root != .state && fails ? .error(5) : nil
        }
        save(#"{"n":2}"#, group)
        process.proceed(hearingOf: group, for: .milliseconds(10))
        #expect(disk.text(app) == #"{"n":2}"#)
        fails = false
        for _ in 0..<3 { process.proceed() }
        #expect(process.engine.journal.instance == "faulty")
        #expect(try journal.documents().first?.1.generation == 3)
    }
}
