import FileSystem
import Model
import StateStore
import SyncEngine
import Testing

/// The bases of documents; without an engine or a journal.
@Suite struct DocumentTableTests {
    private let one = inApp("a.json").path
    private let other = inApp("b.json").path
    private let old = Digest(of: [1])
    private let new = Digest(of: [2])

    private func record(_ app: Digest, _ group: Digest) -> DocumentRecord {
        DocumentRecord(
            generation: 1,
            sides: BothSides { side in
                SideRecord(digest: side == .app ? app : group, signature: nil, version: nil)
            }
        )
    }

    private func told(_ entries: [JournalEntry]) -> [RelativePath] {
        entries.compactMap { if case .touched(let path, _) = $0 { path } else { nil } }
    }

    @Test func `a document is found by a side's content while it has that content`() {
        var table = DocumentTable()
        table[one] = record(old, new)
        func found(_ digest: Digest, on side: Side) -> [RelativePath] {
            table.documents(holding: digest, on: side, likeliestFor: other, limit: 8)
        }
        #expect(found(old, on: .app) == [one] && found(old, on: .group).isEmpty)
        table[one] = record(new, new)
        #expect(found(old, on: .app).isEmpty && found(new, on: .app) == [one])
        table[one] = nil
        #expect(found(new, on: .app).isEmpty && table.count == 0)
    }

    @Test func `the journal gets each changed signature once, in order`() {
        var table = DocumentTable()
        for path in [other, one] { table.record(touched: path, as: record(old, old)) }
        let entries = [table.takeTouched(), table.takeTouched()]
        #expect(entries.map(told) == [[other, one], []] && table[one] == record(old, old))
    }

    @Test func `the journal forgets all signatures, too`() {
        var table = DocumentTable()
        var signed = record(old, new)
        signed.sides.app.signature = Signature(device: 1, inode: 2, size: 3, modified: 4, changed: 5)
        table[one] = signed
        table.forgetSignatures()
        let entries = table.takeTouched()
        #expect(table[one] == record(old, new) && told(entries) == [one])
    }

    @Test func `the journal gets no signature of a deleted document`() {
        var table = DocumentTable()
        table.record(touched: one, as: record(old, old))
        table[one] = nil
        let entries = table.takeTouched()
        #expect(entries.isEmpty)
    }
}
