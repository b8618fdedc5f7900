import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Documents that may have been created, without an engine, a disk or a journal.
@Suite struct CreationsTests {
    private let document = inGroup("a.json").path
    private let digest = Digest(of: Array("new".utf8))

    private var intent: CreationIntent {
        CreationIntent(
            document: document,
            side: .group,
            digests: BothSides { _ in digest },
            versions: BothSides(app: nil, group: nil),
            version: nil,
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
        var creations = Creations()
        let entries = creations.settle(document, announced: intent, isRecorded: true, isStaged: false)
        #expect(settled(entries) == [document] && !creations.hasOpenIntents)
    }

    @Test func `a creation that could not be recorded is examined`() {
        var creations = Creations()
        let entries = creations.settle(document, announced: intent, isRecorded: false, isStaged: false)
        #expect(settled(entries).isEmpty && creations.openIntents == [intent])
    }

    @Test func `a creation that did not happen need not be examined`() {
        var creations = Creations()
        let entries = creations.settle(document, announced: intent, isRecorded: false, isStaged: true)
        #expect(settled(entries) == [document] && !creations.hasOpenIntents)
    }

    @Test func `an intent of an earlier run is resolved by any record of its document`() {
        var creations = Creations([intent])
        let failed = creations.settle(document, announced: nil, isRecorded: false, isStaged: false)
        #expect(settled(failed).isEmpty && creations.hasOpenIntents)
        let recorded = creations.settle(document, announced: nil, isRecorded: true, isStaged: false)
        #expect(settled(recorded) == [document] && !creations.hasOpenIntents)
    }

    @Test func `a temporary file with the content to be created shows that it was not created`() {
        var creations = Creations([intent])
        let place = inGroup("out")
        let other = creations.note(temporary(nil), at: place, of: document)
        let elsewhere = creations.note(temporary(digest), at: inApp("out"), of: document)
        #expect(settled(other + elsewhere).isEmpty && !creations.isUnmade(place))
        let entries = creations.note(temporary(digest), at: place, of: document)
        #expect(settled(entries) == [document] && creations.isUnmade(place) && !creations.hasOpenIntents)
        creations.forgetUnmade(place)
        #expect(!creations.hasUnmade)
    }

    @Test func `temporary files that had to stay are taken once, in order`() {
        var creations = Creations()
        for place in [inGroup("b"), inGroup("a"), inApp("c")] { creations.noteUnmade(place) }
        let taken = [creations.takeUnmade(), creations.takeUnmade()]
        #expect(taken == [[inApp("c"), inGroup("a"), inGroup("b")], []])
    }

    @Test func `after a power cut nothing can be determined`() {
        #expect(Creations([intent], boot: "boot").canBeFound(intent))
        #expect(!Creations([intent], boot: "another").canBeFound(intent))
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
            return Creations([intent], boot: boot).found(.content(snapshot), of: intent)
        }
        guard case .content? = try found("new", boot: ""), case .absent? = try found("other", boot: "boot")
        else {
            Issue.record("taken for another")
            return
        }
        #expect(try found("other", boot: "") == nil)
    }

    @Test func `an attempted generation is known until the document is recorded`() {
        var creations = Creations()
        creations.noteAttempted(7, of: document)
        #expect(creations.attemptedGeneration(of: document) == 7)
        creations.forgetAttempted(document)
        #expect(creations.attemptedGeneration(of: document) == 0)
    }
}
