import BridgeRuntime
import Model
import StateStore
import SyncEngine
import Testing
import Watching

@Suite struct StatusReasonTests {
    @Test func `Each limitation of the bridge has its text`() {
        let reasons: [(BridgeStatus.Reason, String)] = [
            (.halted(Halt(side: .app, reason: .gone)), "the app container is gone"),
            (
                .damagedJournal(.other("malformed")),
                "the journal is damaged; the next start sets it aside: malformed"
            ),
            (
                .unwritableJournal(.locked, isFull: false),
                "the journal cannot be written: another process has locked it"
            ),
            (
                .unwritableJournal(.other("full"), isFull: true),
                "the journal cannot be written: full; nothing is synced until then"
            ),
            (.polling(.silent), "polling every second: widgetbridge-watch does not answer"),
            (.polling(nil), "polling every second, as configured"),
            (.renames, "commit by rename: a save that lands between the check and the rename is lost"),
        ]
        for (reason, words) in reasons { #expect(reason.text == words) }
    }

    @Test func `Each reason for a document's state has its text`() throws {
        let conflict = OpenConflict(ConflictRecord.Entry(id: "0123", document: nil, side: .group, bytes: 0))
        let reasons: [(BridgeStatus.Document.Reason, String)] = [
            (.row(.gone(.group)), "missing from the group container"), (.row(.held(.empty)), "empty"),
            (
                .conflict(conflict, more: 0),
                "resolved by rule: app's value wins, group's document is kept, conflict 0123"
            ),
            (
                .conflict(conflict, more: 2),
                "resolved by rule: app's value wins, group's document is kept, conflict 0123 and 2 more"
            ),
            (
                .view(of: try #require(RelativePath("a.json"))),
                "a view of a.json, published by the bridge and read-only: edit that instead"
            ),
            (.gone, "deleted on both sides"),
        ]
        for (reason, words) in reasons { #expect(reason.text == words) }
    }

    @Test func `Each reason for a document in a report has its text`() {
        let reasons: [(SyncReport.Change.Reason, String)] = [
            (.planned(.done(.created(in: .app))), "created in app"),
            (.planned(.held(.app, .empty)), "app: empty"),
            (.held(.held(.empty)), "empty"), (.held(nil), "held"),
        ]
        for (reason, words) in reasons { #expect(reason.text == words) }
    }

    @Test(arguments: [(1, "1 replaced file"), (3, "3 replaced files")])
    func `Contents that the trash cannot take are counted`(files: Int, count: String) throws {
        let place = Location(Side.app, try #require(RelativePath("a.json")))
        let problem = TrashProblem(files: files, error: .system(errno: 28, .rename, place))
        let words = "\(count) cannot be moved to the trash: cannot rename it: No space left on device"
        #expect(BridgeStatus.Reason.trash(problem).text == words)
    }
}
