import CLinux
import Foundation
import Glibc
import Processes
import TestWorld
import Testing

@Suite("The verdict on real programs", .serialized)
struct RaceVerdictTests {
    static let modes =
        GatedProgram.refusal(trying: Binary.path) == nil ? ["calls", "stops"] : ["stops"]

    private func race(_ arguments: String...) async throws -> Binary.Ended {
        try await withDirectory { top in
            let all = ["race", "run", "--limit", "60s", "--patience", "60s"] + arguments
            return await (try Running(all, environment: ["TMPDIR": top])).ended()
        }
    }

    /// Saves its first argument whole.
    private static let save = #"save() { printf '%s\n' "$1" > .new; mv .new a.json; }; "#
    private static let tell = #"tell() { echo "$*" >&"$WIDGETBRIDGE_LAB_FD"; }; "#
    private static let bring = """
        until [ -e "$WIDGETBRIDGE_APP/a.json" ]; do sleep 0.02; done; sleep 0.3
        cp "$WIDGETBRIDGE_APP/a.json" "$WIDGETBRIDGE_GROUP/.t"; cd "$WIDGETBRIDGE_GROUP"; mv .t a.json
        """
    private static let stay = "exec tail -f /dev/null"

    @Test(
        "is clean where a bridge brings late what is no JSON, and was saved whole",
        arguments: modes,
        ["echo hello > .new; mv .new a.json", "echo hello > a.json"]
    )
    func notJSON(mode: String, save: String) async throws {
        let ended = try await race(
            "--control",
            mode,
            "--bridge",
            "\(Self.bring); \(Self.stay)",
            "--app",
            save
        )
        #expect(ended.status == 0 && !ended.output.contains("in doubt"), "\(ended)")
    }

    @Test("blames no bridge where a program gives its document another name to save it", arguments: modes)
    func movedAway(mode: String) async throws {
        let copy = """
            cd "$WIDGETBRIDGE_GROUP"; while :; do [ ! -e "$WIDGETBRIDGE_APP/a.json" ] ||
            cmp -s "$WIDGETBRIDGE_APP/a.json" a.json || {
            cp "$WIDGETBRIDGE_APP/a.json" .t && mv .t a.json; }; sleep 0.01; done 2> /dev/null
            """
        let again = "echo 1 > .new; mv a.json a.bak; sleep 0.05; mv .new a.json; sleep 0.2"
        let app = Self.save + "save 1; sleep 0.3; \(again)"
        let ended = try await race("--control", mode, "--bridge", copy, "--app", app)
        #expect(ended.status != 1 && ended.output.contains("found     no anomaly"), "\(ended)")
    }

    @Test("is clean where a bridge has done its work, and ends with status 0", arguments: modes)
    func bridgeEnds(mode: String) async throws {
        let app = Self.save + "save 1"
        let ended = try await race("--control", mode, "--bridge", Self.bring, "--app", app)
        #expect(ended.status == 0 && !ended.output.contains("in doubt"), "\(ended)")
        let failed = try await race("--control", mode, "--bridge", "\(Self.bring); exit 4", "--app", app)
        #expect(failed.status == 2 && failed.output.contains("ended with status 4"), "\(failed)")
    }

    @Test("knows whose the last change of a bridge was that kills itself", .enabled(if: modes.count > 1))
    func bridgeKillsItself() async throws {
        let bridge = """
            cd "$WIDGETBRIDGE_GROUP"; until [ -e "$WIDGETBRIDGE_APP/a.json" ]; do sleep 0.02; done
            cp "$WIDGETBRIDGE_APP/a.json" .t; perl -e 'rename ".t", "a.json"; kill 9, getppid'; exit
            """
        let app = Self.save + "save 1; for i in 1 2 3 4 5 6 7 8 9 10; do echo > b; sleep 0.05; done"
        let ended = try await race("--bridge", bridge, "--app", app)
        #expect(ended.status == 2 && ended.output.contains("killed by signal 9"), "\(ended)")
        #expect(!ended.output.contains("passed no gate") && !ended.output.contains("escaped"), "\(ended)")
    }

    private static func copyAll(every pause: String = "0.25") -> String {
        """
        cd "$WIDGETBRIDGE_GROUP"; while :; do cmp -s "$WIDGETBRIDGE_APP/a.json" a.json || {
        cp "$WIDGETBRIDGE_APP/a.json" .t && mv .t a.json; }; sleep \(pause); done 2> /dev/null
        """
    }

    /// The lab reads all before it opens a gate.
    private static let gate = "echo gate; read go; "
    private static let waiting = "until grep -qs 2 a.json; do \(gate) done; "

    private static let there =
        #"there() { until grep -qs $1 "$WIDGETBRIDGE_GROUP/a.json"; do sleep 0.05; done; }"#

    /// - Parameter reads: what the widget does.
    private func reading(_ mode: String, _ reads: String, pause: String = "0.25") async throws -> Binary.Ended
    {
        let bridge = Self.copyAll(every: pause)
        let gate = mode == "gates" ? Self.gate : ""
        let app =
            Self.save + Self.there + "; "
            + #"save '{"a":1}'; there 1; \#(gate)save '{"a":2}'; there 2; \#(gate): > ../there"#
        let widget =
            Self.tell + #"h() { echo "sha256:$(printf '%s\n' "$1" | sha256sum | cut -c1-64)"; }; "#
            + #"old=$(h '{"a":1}') new=$(h '{"a":2}'); "# + reads
        return try await race("--control", mode, "--bridge", bridge, "--app", app, "--widget", widget)
    }

    /// A bridge takes its turn while a program sleeps.
    @Test(
        "names a told read of what had been replaced long before, and what is shown of it",
        .enabled(if: modes.count > 1),
        arguments: ["0.25", "0.05"]
    )
    func stale(pause: String) async throws {
        let later = "until [ -e ../there ]; do sleep 0.05; done; sleep "
        let first = "until grep -qs 1 a.json; do sleep 0.05; done; tell read a.json $old; "
        for reads in [later + "2; tell read a.json $old", first + later + "3; tell shown 1"] {
            let ended = try await reading("calls", reads, pause: pause)
            #expect(ended.status == 1 && ended.output.contains("found     stale-read, 1 time"), "\(ended)")
        }
    }

    @Test("names a told read that goes back, and none that does not")
    func back() async throws {
        let ended = try await reading("gates", Self.waiting + "tell read a.json $new; tell read a.json $old")
        #expect(ended.status == 1 && ended.output.contains("found     non-monotonic-read"), "\(ended)")
        let forward = Self.waiting + "tell read a.json $new; cat a.json; tell read a.json $new"
        let whole = try await reading("gates", forward)
        #expect(whole.status == 0, "\(whole)")
    }

    @Test("names a program that saves after it told that it is done", arguments: modes)
    func done(mode: String) async throws {
        // One of these saves comes after the lab has heard that it was done.
        let later =
            #"for n in 2 3 4 5 6; do save $n; until grep -qs $n "$WIDGETBRIDGE_GROUP/a.json"; do sleep 0.1"#
        let app = Self.save + Self.tell + "save 1; tell done; \(later); done; done; \(Self.stay)"
        let ended = try await race("--control", mode, "--bridge", Self.copyAll(), "--app", app)
        #expect(ended.status == 2 && ended.output.contains("in doubt  the app "), "\(ended)")
        #expect(ended.output.contains(/that\s+it\s+was\s+done/), "\(ended)")
    }

    @Test("names a save that nobody told, after its program told that it is done", arguments: modes)
    func untold(mode: String) async throws {
        let app = Self.save + Self.tell + "tell done; sleep 0.5; save 1; \(Self.stay)"
        let ended = try await race("--control", mode, "--bridge", Self.copyAll(), "--app", app)
        #expect(ended.status == 2 && ended.output.contains("in doubt  the app "), "\(ended)")
        #expect(ended.output.contains(/that\s+it\s+was\s+done/), "\(ended)")
    }

    @Test("waits for no notice of a document that was deleted before the bridge brought it")
    func neverBrought() async throws {
        let ended = try await race("--patience", "60s", "--app", "echo 1 > .new; mv .new a.json; rm a.json")
        #expect(ended.status == 0 && !ended.output.contains("escaped"), "\(ended)")
    }

    @Test("names a told deletion of a document that never was", arguments: modes)
    func neverThere(mode: String) async throws {
        let app = Self.save + Self.tell + "save 1; tell saved b.json none"
        let ended = try await race("--control", mode, "--bridge", Self.copyAll(), "--app", app)
        #expect(ended.status == 2 && ended.output.contains("the app told that it deleted b.json"), "\(ended)")
    }

    @Test(
        "says what the agent holds, which is no divergence",
        arguments: [
            ("echo hello > .new; mv .new a.json", "a.json", "not JSON"),
            (#"echo 1 > .new; mv .new "$(printf 'a\377.json')""#, #"a\xff.json"#, "its name is not UTF-8"),
        ]
    )
    func held(app: String, name: String, reason: String) async throws {
        try await withDirectory { top in
            let arguments = ["race", "run", "--patience", "500ms", "--json", "--app", app]
            let ended = await (try Running(arguments, environment: ["TMPDIR": top])).ended()
            #expect(ended.status == 2, "\(ended)")
            let words = "the agent holds \(name.replacing(#"\"#, with: #"\\"#)) and does not sync it: "
            #expect(ended.output.contains(words) && ended.output.contains(reason), "\(ended)")
            #expect(!ended.output.contains(#""kind":"divergence""#))
        }
    }

    @Test("judges no document that is a symbolic link", arguments: modes)
    func link(mode: String) async throws {
        let app =
            "echo 1 > first; ln -s first a.json; \(Self.there); there 1; echo 2 > second; mv second first"
        let ended = try await race("--control", mode, "--bridge", Self.copyAll(), "--app", app + "; there 2")
        #expect(ended.status == 2 && ended.output.contains("in doubt  cannot read app:a.json"), "\(ended)")
        #expect(ended.output.contains("found     no anomaly"), "\(ended)")
    }

    @Test("names a check that changes documents, which then decides nothing", arguments: ["check", "always"])
    func changing(option: String) async throws {
        for change in [#"echo 2 > "$WIDGETBRIDGE_APP/a.json""#, #"rm "$WIDGETBRIDGE_GROUP/a.json"; exit 1"#] {
            // Without a document in the group at first, the second one fails there.
            let check = #"[ ! -e "$WIDGETBRIDGE_GROUP/a.json" ] || { \#(change); }"#
            let ended = try await race("--app", Self.save + "save 1", "--\(option)", check)
            #expect(ended.status == 2 && ended.output.contains("/a.json, or another program did"), "\(ended)")
            #expect(ended.output.contains("found     no anomaly"), "\(ended)")
        }
        let again = #"a=$(cat "$WIDGETBRIDGE_APP/a.json"); echo "$a" > "$WIDGETBRIDGE_APP/a.json""#
        let same = again + #"; echo > "$WIDGETBRIDGE_APP/log""#
        let ended = try await race("--app", Self.save + "save 1", "--check", same)
        #expect(ended.status == 0, "\(ended)")
    }

    @Test("shows the order of a find that was made smaller as it was run", .enabled(if: modes.count > 1))
    func shrunkOrder() async throws {
        let app = Self.save + "save 1"
        let bridge = "\(Self.bring); \(Self.stay)"
        let ended = try await race("--bridge", bridge, "--app", app, "--always", "exit 1")
        #expect(ended.status == 1 && ended.output.contains("minimal   0 switches"), "\(ended)")
        #expect(ended.output.contains(/system calls on the containers, one at a time: app \d/), "\(ended)")
    }

    @Test("shows on a terminal which race it runs, and that a find is made smaller")
    func progress() async throws {
        try await withDirectory { top in
            let save = "echo 1 > .new; mv .new a.json"
            let race = [Binary.path, "race", "run", "--runs", "2", "--app", save]
            let find = race + ["--patience", "100ms", "--check", "exit 1"]
            let line = find.map { "'\($0)'" }.joined(separator: " ")
            let terminal = ["/usr/bin/script", "--quiet", "--return", "--command", line, "/dev/null"]
            let environment = ["TMPDIR": top, "TERM": "xterm"]
            let shown = await (try Running(command: terminal, environment: environment)).ended().output
            #expect(shown.contains("race 1 of 2\r\n"), "\(shown)")
            if Self.modes.count > 1 {
                #expect(shown.contains("making the find smaller: replay 1"), "\(shown)")
            }
        }
    }
}
