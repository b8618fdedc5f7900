import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Commits that may have been made, without an engine, a disk or a journal.
@Suite struct IntentsTests {
    private let document = inGroup("a.json").path
    private let digest = Digest(of: Array("new".utf8))

    private var intent: CommitIntent { intent(.created) }

    private func intent(_ change: CommitIntent.Change) -> CommitIntent {
        let side = SideRecord(digest: digest, signature: nil, version: nil)
        return CommitIntent(
            document: document,
            side: .group,
            change,
            record: DocumentRecord(generation: 1, version: nil, sides: BothSides { _ in side }),
            content: nil,
            boot: "boot"
        )
    }

    private func temporary(_ content: Digest?) -> TemporaryName {
        TemporaryName(of: document, content: content, expected: nil, number: 1)
    }

    /// The documents whose intents the journal records as resolved.
    private func settled(_ entries: [JournalEntry]) -> [RelativePath] {
        entries.compactMap { if case .settledIntent(let path) = $0 { path } else { nil } }
    }

    @Test func `an intent is resolved once its document is recorded`() {
        var intents = Intents()
        let entries = intents.settle(document, intent, isRecorded: true, mayBeMade: true)
        #expect(settled(entries) == [document] && !intents.hasOpen)
    }

    @Test func `a creation that could not be recorded is examined`() {
        var intents = Intents()
        let entries = intents.settle(document, intent, isRecorded: false, mayBeMade: true)
        #expect(settled(entries).isEmpty && intents.open == [intent])
    }

    @Test func `a creation that did not happen need not be examined`() {
        var intents = Intents()
        let entries = intents.settle(document, intent, isRecorded: false, mayBeMade: false)
        #expect(settled(entries) == [document] && !intents.hasOpen)
    }

    @Test func `an intent of an earlier run is resolved by any record of its document`() {
        var intents = Intents([intent])
        let failed = intents.settle(document, nil, isRecorded: false, mayBeMade: false)
        #expect(settled(failed).isEmpty && intents.hasOpen)
        let recorded = intents.settle(document, nil, isRecorded: true, mayBeMade: true)
        #expect(settled(recorded) == [document] && !intents.hasOpen)
    }

    @Test func `a temporary file with the content to be created shows that it was not created`() {
        var intents = Intents([intent])
        let place = inGroup("out")
        let other = intents.recordTemporary(temporary(nil), at: place, of: document)
        let elsewhere = intents.recordTemporary(temporary(digest), at: inApp("out"), of: document)
        #expect(settled(other + elsewhere).isEmpty && !intents.isUnmade(place))
        let entries = intents.recordTemporary(temporary(digest), at: place, of: document)
        #expect(settled(entries) == [document] && intents.isUnmade(place) && !intents.hasOpen)
        intents.forgetUnmade(place)
        #expect(!intents.hasUnmade)
    }

    @Test func `temporary files that had to stay are taken once, in order`() {
        var intents = Intents()
        for place in [inGroup("b"), inGroup("a"), inApp("c")] { intents.rememberUnmade(place) }
        let taken = [intents.takeUnmade(), intents.takeUnmade()]
        #expect(taken == [[inApp("c"), inGroup("a"), inGroup("b")], []])
    }

    @Test func `after a power cut only what a replacement left can be determined`() {
        let changes: [CommitIntent.Change] = [.created, .renamed(from: inGroup("b.json").path), .replaced]
        for intent in changes.map(intent) {
            #expect(Intents([intent], boot: "boot").canBeFound(intent))
            #expect(Intents([intent], boot: "another").canBeFound(intent) == (intent.change == .replaced))
        }
    }

    @Test func `a temporary file says nothing about a replacement, whose displaced content it may have`() {
        var intents = Intents([intent(.replaced)])
        #expect(settled(intents.recordTemporary(temporary(digest), at: inGroup("out"), of: document)).isEmpty)
        #expect(intents.isReplaced(document) && !intents.hasUnmade)
    }

    @Test
    func
        `a created document with another content was changed by its program, unless the power was cut`()
        throws
    {
        func found(_ text: String, boot: String) throws -> Observation? {
            let bytes = Array(text.utf8)
            let disk = SimulatedDisk()
            disk.world.save(inGroup("a.json"), bytes)
            let snapshot = DocumentSnapshot(
                json: try JSON(parsing: Array("1".utf8), limits: JSONLimits(maxBytes: 100, maxDepth: 9)),
                bytes: bytes,
                digest: Digest(of: bytes),
                signature: try disk.status(of: inGroup("a.json")).signature,
                version: nil
            )
            return Intents([intent], boot: boot).found(.content(snapshot), of: intent)
        }
        guard case .content? = try found("new", boot: ""), case .absent? = try found("other", boot: "boot")
        else {
            Issue.record("taken for another")
            return
        }
        #expect(try found("other", boot: "") == nil)
    }

    @Test func `an attempted generation is known until the document is recorded`() {
        var intents = Intents()
        intents.rememberAttempted(7, of: document)
        #expect(intents.attemptedGeneration(of: document) == 7)
        intents.forgetAttempted(document)
        #expect(intents.attemptedGeneration(of: document) == 0)
    }
}
