import Foundation
import GRDB
import Glibc
import Model
import StateStore
import Testing

/// One suite for both implementations of the journal.
@Suite("A journal")
struct JournalTests {
    enum Half: String, CaseIterable { case memory, sqlite }

    let path: RelativePath

    init() throws { path = try #require(RelativePath("habits/a.json")) }

    private func journal(_ half: Half) throws -> any Journal {
        switch half {
        case .memory: MemoryJournal(instance: "one")
        case .sqlite: try SQLiteJournal(path: ":memory:", newInstance: "one")
        }
    }

    private func record(_ generation: Int64) -> DocumentRecord {
        let signature = Signature(device: 1, inode: 2, size: 3, modified: -4, changed: 5)
        return DocumentRecord(
            generation: generation,
            version: 2,
            sides: BothSides(
                app: SideRecord(digest: Digest(of: [1]), signature: signature, version: 1),
                group: SideRecord(digest: Digest(of: [2]), signature: nil, version: nil)
            )
        )
    }

    @Test(arguments: Half.allCases)
    func `An announced commit is known until it is settled`(_ half: Half) throws {
        let journal = try journal(half)
        let changes: [CommitIntent.Change] = [.created, .renamed(from: path), .replaced]
        var record = record(3)
        record.sides.app.signature = nil
        let content = BaseContent(newest: [3], sides: BothSides(app: [1], group: nil))
        let intents = try changes.enumerated().map { place, change in
            CommitIntent(
                document: try #require(RelativePath("\(place).json")),
                side: place == 1 ? .app : .group,
                change,
                record: record,
                content: place == 1 ? nil : content,
                boot: "boot"
            )
        }
        try journal.record(intents.map(JournalEntry.intent))
        #expect(try journal.intents() == intents)
        try journal.record([.settledIntent(intents[1].document)])
        #expect(try journal.intents() == [intents[0], intents[2]])
    }

    @Test func aRecordIsAValue() {
        var other = record(3)
        let copy = other
        other.sides.app.signature = nil
        #expect(copy == record(3))
        #expect(other != copy)
        #expect(other.sides.group == copy.sides.group)
        other = copy
        other.generation = 4
        #expect(other == record(4))
        #expect(Set([copy, other, record(3), record(4)]).count == 2)
    }

    private func event(_ generation: Int64, firstNotice: Int64, kinds: [String]) -> JournalEvent {
        JournalEvent(
            document: path,
            generation: generation,
            cause: .app,
            what: .conflict(["/a|b"], winner: .app),
            hashes: BothSides(app: Digest(of: [1]), group: nil),
            at: 1_768_746_600_123,
            firstNotice: firstNotice,
            kinds: kinds
        )
    }

    @Test(arguments: Half.allCases)
    func keepsWhatWasAgreed(half: Half) throws {
        let journal = try journal(half)
        let content = BaseContent(newest: [7, 8], sides: BothSides(app: [9], group: nil))
        try journal.record([.agreed(path, record(3), content)])
        let documents = try journal.documents()
        #expect(documents.map(\.0) == [path])
        #expect(documents.map(\.1) == [record(3)])
        #expect(try journal.content(of: path) == content)
        #expect(try journal.lastGeneration(of: path) == 3)
    }

    @Test(arguments: Half.allCases)
    func remembersTheGenerationOfWhatIsGone(half: Half) throws {
        let journal = try journal(half)
        try journal.record([.agreed(path, record(3), BaseContent(newest: [7]))])
        try journal.record([.gone(path, generation: 4)])
        #expect(try journal.documents().isEmpty)
        #expect(try journal.content(of: path) == nil)
        #expect(try journal.lastGeneration(of: path) == 4)
        let other = try #require(RelativePath("habits/b.json"))
        #expect(try journal.lastGenerations(of: [other, path]) == [path: 4])
        #expect(try journal.lastGenerations(of: []).isEmpty)
    }

    @Test(arguments: Half.allCases)
    func changesOnlyTheOutsideOfATouchedDocument(half: Half) throws {
        let journal = try journal(half)
        try journal.record([.agreed(path, record(3), BaseContent(newest: [7]))])
        var touched = record(3)
        touched.sides.group.signature = Signature(device: 9, inode: 9, size: 9, modified: 9, changed: 9)
        try journal.record([.touched(path, touched)])
        #expect(try journal.documents().map(\.1) == [touched])
        #expect(try journal.content(of: path)?.newest == [7])
    }

    @Test(arguments: Half.allCases)
    func tellsWhatCameAfterANotice(half: Half) throws {
        let journal = try journal(half)
        let first = event(1, firstNotice: 1, kinds: ["A\r\n\\n", "B"])
        let silent = event(2, firstNotice: 3, kinds: [])
        let second = event(3, firstNotice: 3, kinds: ["A"])
        try journal.record([.event(first), .event(silent), .event(second)])
        #expect(try journal.events(afterNotice: 0) == [first, second])
        #expect(try journal.events(afterNotice: 1) == [first, second], "B of the first is still to come")
        #expect(try journal.events(afterNotice: 2) == [second])
        #expect(try journal.events(afterNotice: 3) == [])
        #expect(try journal.events(of: path) == [first, silent, second])
        #expect(try journal.lastNotice() == 3)
    }

    @Test(arguments: Half.allCases)
    func keepsTheDirectoriesItMade(half: Half) throws {
        let journal = try journal(half)
        try journal.record([.madeDirectory(.group, path), .madeDirectory(.app, path)])
        try journal.record([.removedDirectory(.app, path)])
        #expect(try journal.madeDirectories().map(\.0) == [.group])
    }

    private func conflict(_ bytes: [UInt8]) -> ConflictRecord {
        ConflictRecord(
            digest: Digest(of: bytes),
            document: path,
            side: .group,
            at: 5,
            reason: .conflict(["/a"], winner: .app),
            fields: [ConflictRecord.Field(pointer: "/a", base: "1.50", app: nil, group: "2")],
            base: BothSides(app: [1], group: nil),
            other: [2]
        )
    }

    @Test(arguments: Half.allCases)
    func keepsConflictsUntilTheyAreDecided(half: Half) throws {
        let journal = try journal(half)
        var nameless = conflict([4])
        (nameless.document, nameless.side, nameless.other, nameless.at) = (nil, nil, nil, 6)
        try journal.record([.conflict(conflict([3])), .conflict(nameless)])
        #expect(try journal.conflicts() == [conflict([3]), nameless])
        try journal.record([.decided(id: nameless.id)])
        #expect(try journal.conflicts() == [conflict([3])])
        try journal.record([.conflict(nameless)])
        #expect(try journal.conflicts().count == 2, "it is open again")
    }

    @Test(arguments: Half.allCases)
    func keepsTheIdThatAConflictWasGiven(half: Half) throws {
        let journal = try journal(half)
        var old = conflict([3])
        old.id = Trash.id(of: old.digest)
        try journal.record([.conflict(old), .conflict(conflict([3]))])
        #expect(Set(try journal.conflicts().map(\.id)) == [old.id, conflict([3]).id])
        try journal.record([.decided(id: old.id)])
        #expect(try journal.conflicts() == [conflict([3])])
    }

    @Test(arguments: Half.allCases)
    func tellsWhoseAnOverwrittenSaveWas(half: Half) throws {
        let journal = try journal(half)
        let contents = [Side.app, .group].enumerated().map { place, side in
            OverwrittenContent(
                digest: Digest(of: [UInt8(place)]),
                document: path,
                side: side,
                reason: .changed(.merged()),
                at: 1_768_746_600_123 + Int64(place)
            )
        }
        try journal.record(contents.map(JournalEntry.overwritten))
        #expect(try journal.overwritten() == contents)
    }

    @Test(arguments: Half.allCases)
    func tellsTheEventsOfAllDocuments(half: Half) throws {
        let journal = try journal(half)
        let first = event(1, firstNotice: 1, kinds: [])
        var second = event(1, firstNotice: 1, kinds: [])
        second.document = try #require(RelativePath("other.json"))
        try journal.record([.event(first), .event(second)])
        #expect(try journal.allEvents() == [first, second])
    }

    @Test func isTheSameInstanceWhenItIsOpenedAgain() throws {
        try withTemporaryFile { file in
            let first = try SQLiteJournal(path: file, newInstance: "one")
            try first.record([.agreed(path, record(3), BaseContent(newest: [7]))])
            let second = try SQLiteJournal(path: file, newInstance: "two")
            #expect(second.instance == "one")
            #expect(try second.documents().count == 1)
        }
    }

    @Test func isAnotherInstanceOnceItWasRestoredFromACopy() throws {
        try withTemporaryFile { file in
            let first = try SQLiteJournal(path: file, newInstance: "one")
            try first.record([.event(event(1, firstNotice: 1, kinds: ["A"]))])
            first.close()
            let copy = try Data(contentsOf: URL(filePath: file))
            let second = try SQLiteJournal(path: file, newInstance: "two")
            #expect(second.instance == "one")
            try second.record([.event(event(2, firstNotice: 2, kinds: ["A"]))])
            second.close()
            // In place, so that it remains the same file.
            let handle = try FileHandle(forWritingTo: URL(filePath: file))
            try handle.write(contentsOf: copy)
            try handle.truncate(atOffset: UInt64(copy.count))
            try handle.close()
            let third = try SQLiteJournal(path: file, newInstance: "three")
            #expect(third.instance == "three")
            #expect(try third.lastNotice() == 1)
            try third.record([.event(event(2, firstNotice: 2, kinds: ["A"]))])
            third.close()
            #expect(try SQLiteJournal(path: file, newInstance: "four").instance == "three")
        }
    }

    @Test func forgetsDeletionsOfLongAgoButNoGeneration() throws {
        let journal = try SQLiteJournal(path: ":memory:", newInstance: "one")
        let count = JournalLimits.deletions + 1_500
        let paths = try (0..<count).map { try #require(RelativePath("\($0).json")) }
        for path in paths {
            var event = event(8, firstNotice: 1, kinds: [])
            event.document = path
            try journal.record([.gone(path, generation: path == paths[3] ? 70 : 8), .event(event)])
        }
        #expect(try journal.lastGeneration(of: paths[count - 1]) == 8)
        #expect(try journal.lastGeneration(of: paths[3]) == 70)
        #expect(try journal.lastGeneration(of: paths[0]) == 70, "the highest stands for all")
        #expect(try journal.lastGeneration(of: try #require(RelativePath("new.json"))) == 70)
    }

    @Test func saysThatItIsBroken() throws {
        try withTemporaryFile { file in
            let descriptor = unsafe open(file, O_WRONLY | O_CREAT, 0o600)
            let noise = [UInt8](repeating: 0x55, count: 8_192)
            unsafe #expect(write(descriptor, noise, noise.count) == noise.count)
            close(descriptor)
            #expect { try SQLiteJournal(path: file, newInstance: "one") } throws: { error in
                (error as? JournalError)?.isBroken == true
            }
        }
    }

    func withTemporaryFile(_ body: (String) throws -> Void) throws {
        let directory = "/tmp/widgetbridge-journal-\(getpid())-\(UInt64.random(in: .min ... .max))"
        try #require(unsafe mkdir(directory, 0o700) == 0)
        defer {
            for name in ["journal", "journal-wal", "journal-shm", "newest-event"] {
                _ = unsafe unlink("\(directory)/\(name)")
            }
            _ = unsafe rmdir(directory)
        }
        try body("\(directory)/journal")
    }
}
