import FileSystem
import Model
import StateStore
import SyncEngine
import Testing

/// The conflicts that wait for a person, without an engine, a disk or a journal.
@Suite struct ConflictLogTests {
    private let document = inApp("a.json").path
    private let now = Moment(uptime: .zero, unixNanoseconds: 5_000_000)

    private func record(_ text: String) -> ConflictRecord {
        ConflictRecord(
            digest: Digest(of: Array(text.utf8)),
            document: document,
            side: .group,
            at: 0,
            reason: .bothChanged
        )
    }

    @Test func `a conflict is open from its record to its resolution`() {
        var log = ConflictLog(maxBytes: 1_000)
        let conflict = record("loser")
        log.add(.conflict(conflict))
        #expect(log.open(of: document).isEmpty)
        let entries = log.takeUnrecorded(at: now)
        guard case .conflict(let recorded)? = entries.first else { return #expect(entries.isEmpty == false) }
        #expect(recorded.at == 5 && recorded.id == conflict.id)
        #expect(log.open(of: document).map(\.id) == [conflict.id])
        log.close(conflict.id, of: document)
        #expect(log.open(of: document).isEmpty)
    }

    @Test func `a detail that becomes known is recorded once, with its time`() {
        var log = ConflictLog(maxBytes: 1_000)
        let digest = Digest(of: [])
        log.add(
            .overwritten(
                OverwrittenContent(digest: digest, document: document, side: .app, reason: .replaced, at: 0)
            )
        )
        let entries = log.takeUnrecorded(at: now)
        guard case .overwritten(let content)? = entries.first else { return #expect(!entries.isEmpty) }
        #expect(content.at == 5)
        let again = log.takeUnrecorded(at: now)
        #expect(again.isEmpty && log.open(of: document).isEmpty)
    }

    @Test func `only recorded conflicts whose bytes exist are open`() {
        let (kept, lost) = (record("kept"), record("lost"))
        let log = ConflictLog([kept.entry, lost.entry], kept: [kept.id[...]], maxBytes: 1_000)
        #expect(log.open(of: document).map(\.id) == [kept.id])
    }

    @Test func `conflicts are counted if their size is unknown, and if there may be too little room`() {
        var log = ConflictLog(maxBytes: 1_000)
        #expect(log.mayBeFull)
        log.countKept(bytes: 10)
        #expect(log.mayBeFull)
        log.rememberCount(900)
        #expect(!log.mayBeFull)
        log.countKept(bytes: 101)
        #expect(log.mayBeFull)
    }

    @Test func `enough conflicts are removed that the next one needs no count`() {
        let log = ConflictLog(maxBytes: 1_000)
        #expect(!log.isTooMuch(1_000) && log.isTooMuch(1_001))
        #expect(log.isStillTooMuch(876) && !log.isStillTooMuch(875))
    }
}
