import BridgeRuntime
import Documents
import FileSystem
import Model
import StateStore
import SyncEngine
import TestBridge
import Testing

@testable import Commands

@Suite struct ErrorProseTests {
    private static let cases: [(BridgeError, CommandStatus, String)] = [
        (
            BridgeError.nestedContainers(app: "/a", group: "/a/g"), CommandStatus.usage,
            "the containers overlap, /a and /a/g; give two separate directories"
        ),
        (
            .stateInsideContainer(state: "/a/s", container: "/a"), .usage,
            "the state directory is inside a container, /a/s in /a; give a --state "
                + "outside of both containers"
        ),
        (
            .socketPathTooLong("/long", limit: 103), .usage,
            "the path of the socket is longer than 103 bytes, /long; give a shorter --state"
        ),
        (.missingDirectory("/a"), .failed, "no such directory, /a; create it, or name another"),
        (
            .unreadableDirectory("/a", errno: 13), .failed,
            "cannot read the directory: Permission denied, /a; let this user read, write and enter it"
        ),
        (
            .alreadyRunning(process: 7, state: "/s"), .failed,
            "process 7 already runs this bridge, /s; stop that process; for other containers, give another --state"
        ),
        (
            .alreadyRunning(process: nil, state: "/s"), .failed,
            "another process already runs this bridge, /s; stop that process; for other containers, give another "
                + "--state"
        ),
        (
            .journal(.other("disk I/O error"), path: "/s/j"), .failed,
            "cannot use the journal: disk I/O error, /s/j; mend it or move it away; "
                + "without one the two containers are merged as if they had never been in sync, "
                + "and nothing is deleted"
        ),
        (
            .journal(.broken(DatabaseFailure(code: 11, message: "malformed")), path: "/s/j"), .failed,
            "cannot use the journal: malformed, /s/j; there is nothing to mend: the agent's next start, "
                + "or without an agent the next sync, sets it aside, and merges the two containers "
                + "as if they had never been in sync; nothing is deleted"
        ),
        (
            .journal(.otherSchema(9, known: 6), path: "/s/j"), .failed,
            "cannot use the journal: a later release wrote it (schema 9; this release has 6), /s/j; "
                + "use that release, or move it away; without one the two containers are merged as if "
                + "they had never been in sync, and nothing is deleted"
        ),
        (
            .journal(.replaced, path: "/s/j"), .failed,
            "cannot use the journal: it was removed or replaced while the bridge was running, /s/j; "
                + "put it back, or run again; without one the two containers are merged as if they had "
                + "never been in sync, and nothing is deleted"
        ),
        (
            .noDocument("a.json", .app), .failed,
            "no such document, app:a.json; `widgetbridge status` lists all documents"
        ),
        (
            .notADocument("a.tmp", .reported("a temporary file's name")), .failed,
            "not a document: a temporary file's name, a.tmp; give the path of a document inside the container"
        ),
        (
            .invalidDocument(
                "a.json",
                .reported("3:14: expected `,`", at: JSONPosition(line: 3, column: 14, offset: 40))
            ), .failed,
            "invalid document, a.json:3:14: expected `,`; correct it; nothing was written"
        ),
        (
            .invalidDocument("a.json", .json(.tooLarge(bytes: 9, limit: 8))), .failed,
            "invalid document, a.json: 9 bytes are more than the limit of 8; correct it; "
                + "nothing was written"
        ),
        (
            .mismatch("a.json", .group, actual: nil), .needsDecision,
            "the document does not have the expected content, group:a.json is absent; read it again, "
                + "and apply your change to that"
        ),
        (
            .held(document: "a.json", reason: .reported("half-written")), .needsDecision,
            "the document is held: half-written, a.json; `widgetbridge why a.json` shows why"
        ),
        (
            .held(document: "a.json", reason: .reported("a link"), .notRegular), .needsDecision,
            "the document is held: a link, a.json; replace it by the document; just removing it is synced as "
                + "a deletion"
        ),
        (
            .journalLocked("/s/journal.sqlite"), .failed,
            "another process has locked the journal, /s/journal.sqlite; try again once the process "
                + "that has it open has ended"
        ),
        (
            .halted(reason: .reported("the app container is gone")), .needsDecision,
            "the bridge is halted: the app container is gone; "
                + "restore what is missing, or allow it: `widgetbridge status` shows how"
        ),
        (
            .timedOut(.milliseconds(1500)), .failed,
            "not in sync after 1500 ms; `widgetbridge status` shows what is pending; give a "
                + "longer --timeout to wait longer"
        ),
        (
            .noAgent(socket: "/s/agent.sock"), .failed,
            "no agent answers, /s/agent.sock; start one: `widgetbridge agent`"
        ),
        (
            .agent(status: 500, detail: "the agent failed"), .failed,
            "the agent failed; its log, on standard error, may say more; restart an agent of another version"
        ),
    ]

    @Test(arguments: cases)
    func `An error of the bridge is one line`(_ error: BridgeError, _ status: CommandStatus, _ line: String) {
        #expect(ErrorProse(error).line == "widgetbridge: \(line)")
        #expect(ErrorProse(error).status == status)
    }

    @Test func `An error of the disk is one line`() throws {
        let file = Location(Side.group, try path("a.json"))
        let cases: [(FileError, String)] = [
            (.missing(file), "no such file, group:a.json; another program changed it; run again"),
            (
                .notRegular(file, .symbolicLink),
                "a symbolic link, not a file, group:a.json; no link is followed; replace it by the document: just "
                    + "removing it is synced as a deletion"
            ),
            (
                .unsupported(.rename, file),
                "the file system cannot rename it, group:a.json; use another file system, or --commit rename"
            ),
            (
                .system(errno: 28, .write, file),
                "cannot write it: No space left on device, group:a.json; free some space there and run again"
            ),
            (
                .directory(errno: 13, .list, Directory(.app)),
                "cannot list it: Permission denied, app:.; correct that and run again"
            ),
        ]
        for (error, line) in cases {
            #expect(ErrorProse(error).line == "widgetbridge: \(line)")
            #expect(ErrorProse(BridgeError.file(error)).line == "widgetbridge: \(line)")
        }
    }

    @Test func `A name cannot break the line`() {
        let error = BridgeError.held(
            document: "a\nwidgetbridge: all is well\u{1B}[2K",
            reason: .reported("x")
        )
        let line = ErrorProse(error).of(bridge: "home").line
        #expect(
            line.hasPrefix(
                "widgetbridge: home: the document is held: x, a\\u{a}widgetbridge: all is well\\u{1b}[2K;"
            )
        )
    }
}
