import Processes
import TestWorld
import Testing

@Suite(
    "What system calls tell of the programs of a race",
    .serialized,
    .enabled(if: GatedProgram.refusal(trying: Binary.path) == nil, "the system refuses a filter")
)
struct RaceSeenCallsTests {
    private func race(_ arguments: String...) async throws -> Binary.Ended { try await race(arguments) }

    private func race(_ arguments: [String]) async throws -> Binary.Ended {
        try await withDirectory { top in
            let all = ["race", "run", "--limit", "60s", "--patience", "60s", "--json"] + arguments
            return await (try Running(all, environment: ["TMPDIR": top])).ended()
        }
    }

    // MARK: Deletions

    /// Brings the app's document, then the widget's deletion, then what the app saves.
    private static let carrying = """
        cd "$WIDGETBRIDGE_APP"; g=$WIDGETBRIDGE_GROUP/a.json; until [ -e a.json ]; do sleep 0.01; done
        cp a.json ../t; mv ../t "$g"; while [ -e "$g" ]; do sleep 0.01; done; rm a.json; : > ../gone
        until [ -e a.json ]; do sleep 0.01; done; cp a.json ../t; mv ../t "$g"; exec tail -f /dev/null
        """
    private static let deleting = "until [ -e a.json ]; do sleep 0.01; done; rm a.json"
    private static let first =
        #"echo '{"n":0}' > .s; mv .s a.json; until [ -e ../gone ]; do sleep 0.01; done; "#

    @Test("a save from memory after the widget's deletion brings it back; one after a look does not")
    func deletion() async throws {
        let save = #"echo '{"n":0,"m":1}' > .s; mv .s a.json"#
        for (look, count) in [("", true), ("[ -e a.json ] || ", false)] {
            let app = Self.first + look + "{ \(save); }"
            let ended = try await race("--bridge", Self.carrying, "--app", app, "--widget", Self.deleting)
            #expect(ended.output.contains(#""resurrected-deletion":1"#) == count, "\(ended)")
            #expect(!ended.output.contains("who deleted a document is not seen"), "\(ended)")
        }
    }

    // MARK: Reads

    private static let idle = "exec tail -f /dev/null"
    private static let reading = "until [ -s a.json ]; do sleep 0.01; done; "
    /// Until somebody has read the first half.
    private static let untilRead = "until [ -e ../read ]; do sleep 0.01; done; "

    @Test("a half that another process of the widget is writing is torn for the one that reads it")
    func torn() async throws {
        let halves = "(printf '{\"n\":'; \(Self.untilRead) printf '1}') > a.json & "
        let widget = halves + Self.reading + "cat a.json; : > ../read; wait; rm a.json"
        let ended = try await race("--bridge", Self.idle, "--app", "true", "--widget", widget)
        #expect(ended.status == 1 && ended.output.contains(#""torn-read":1"#), "\(ended)")
        #expect(ended.output.contains("A process of group read a.json"), "\(ended)")
    }

    @Test("what is read once it is whole is not torn; a half of one's own is in doubt")
    func whole() async throws {
        let widget = #"(printf '{"n":'; printf '1}') > a.json & wait; cat a.json; rm a.json"#
        let ended = try await race("--bridge", Self.idle, "--app", "true", "--widget", widget)
        #expect(ended.status == 0 && !ended.output.contains(#""torn-read":"#), "\(ended)")
        let own = #"printf '{"n":' > a.json; cat a.json; printf '1}' >> a.json; rm a.json"#
        let open = try await race("--bridge", Self.idle, "--app", "true", "--widget", own)
        #expect(open.status == 2 && open.output.contains("took that for the whole is not seen"), "\(open)")
    }

    @Test("without them, who read a half-written document is not judged")
    func unseen() async throws {
        // The lab reads all before it opens a gate, so the half is there until it has been seen.
        let app = #"printf '{"n":' > a.json; echo gate; read go; cat a.json; printf '1}' >> a.json; echo end"#
        let ended = try await race("--gates", "--app", app)
        #expect(ended.output.contains(#""torn-read":"which programs read"#), "\(ended)")
    }

    private static func locking(_ lock: String) -> String {
        """
        cd "$WIDGETBRIDGE_GROUP"; until [ -e "$WIDGETBRIDGE_APP/a.json" ]; do sleep 0.01; done
        (flock 9; printf '{"n":' > a.json; \(untilRead) printf '1}' >> a.json) 9> \(lock)
        : > ../whole; exec tail -f /dev/null
        """
    }

    @Test(
        "what a bridge writes under a lock is torn only for one that reads it without",
        arguments: [".lock", "../lock"]
    )
    func locked(lock: String) async throws {
        let app = #"printf '{"n":1}' > .s; mv .s a.json"#
        let free = Self.reading + "cat a.json; : > ../read; until [ -e ../whole ]; do sleep 0.01; done"
        let careful = ": > ../read; (flock 9; cat a.json) 9> \(lock)"
        for (widget, isTorn) in [(free, true), (Self.reading + careful, false)] {
            let ended = try await race("--bridge", Self.locking(lock), "--app", app, "--widget", widget)
            #expect(ended.output.contains(#""torn-read":1"#) == isTorn, "\(ended)")
            #expect(ended.status == (isTorn ? 1 : 0), "\(ended)")
        }
        // The lab reads all before it opens a gate, so the half is there until it has been seen.
        let gate = "echo gate; read go; "
        let later = "until [ -s a.json ]; do \(gate) done; \(gate) \(careful)"
        let programs = ["--app", "\(app); \(gate)", "--widget", later, "--gates"]
        let open = try await race(programs + ["--bridge", Self.locking(lock)])
        #expect(open.status == 2 && open.output.contains("under a lock"), "\(open)")
    }

    @Test("a lock that a bridge holds all the time guards no document")
    func lockedForEver() async throws {
        let app = #"printf '{"n":1}' > .s; mv .s a.json"#
        let bridge =
            "exec 9> ../single; flock 9; \(Self.locking("../lock").replacing("flock 9; printf", with: "printf"))"
        let ended = try await race("--bridge", bridge, "--app", app, "--widget", ": > ../read")
        #expect(ended.status == 1 && ended.output.contains(#""torn-read":"#), "\(ended)")
    }
}
