import CLinux
import Foundation
import Glibc
import Processes
import TestWorld
import Testing

@Suite(
    "race run that controls the order of system calls",
    .serialized,
    .enabled(if: GatedProgram.refusal(trying: Binary.path) == nil, "the system refuses a filter")
)
struct RaceControlTests {
    /// A bridge that does nothing.
    private let idle = ["--bridge", "exec tail -f /dev/null", "--patience", "10ms"]

    private func race(_ arguments: [String]) async throws -> Binary.Ended {
        try await withDirectory { top in
            let all = ["race", "run", "--limit", "60s"] + arguments
            let running = try Running(all, environment: ["TMPDIR": top])
            let ended = await running.ended()
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
            return ended
        }
    }

    private struct Control: Decodable, Equatable {
        var used: String
        var schedule: [String]
        var steps: [String]
        var trace: String?
        var end: String?
        var escapes: [String]
    }

    private func control(_ arguments: [String]) async throws -> Control {
        struct Report: Decodable { var control: Control }
        let ended = try await race(arguments + ["--json"])
        return try JSONDecoder().decode(Report.self, from: Data(ended.output.utf8)).control
    }

    @Test("an agent that is started anew waits for a half-saved document, and the app does not wait for it")
    func restarted() async throws {
        // The seed kills the agent while the document is empty.
        let app = ["--app", #"echo "{}" > b.json"#, "--seed", "11", "--patience", "60s", "--json"]
        let ended = try await race(app)
        #expect(ended.output.contains("agent killed") && ended.output.contains(#""verdict""#), "\(ended)")
    }

    private func counter(_ times: Int) -> String {
        """
        cd "$WIDGETBRIDGE_GROUP"; i=0; while [ $i -lt \(times) ]; do i=$((i+1))
        n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n.$$; mv n.$$ n; done
        """
    }

    @Test("the same seed gives the same order of calls and the same files, and others give other ones")
    func sameOrder() async throws {
        func order(_ seed: Int) async throws -> Control {
            let programs = ["--app", counter(2), "--widget", counter(2), "--seed", "\(seed)"]
            return try await control(idle + programs)
        }
        let first = try await order(4)
        #expect(first.used == "calls" && first.steps.count > 20 && first.escapes == [])
        #expect(
            first.steps.contains("app rename group/<1> group/n") || first.steps.contains("app open group/n")
        )
        for _ in 1...2 { #expect(try await order(4) == first) }
        #expect(try await order(5).steps != first.steps)
    }

    @Test("draws what a program read, by its system calls", arguments: ["cat $it > .c", "cp $it .c"])
    func reads(command: String) async throws {
        let app = "echo 1 > .new; mv .new a.json"
        let widget = #"it="$WIDGETBRIDGE_APP/a.json"; until [ -e $it ]; do sleep 0.01; done; "# + command
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            _ = try await race(idle + ["--app", app, "--widget", widget, "--html", page])
            let text = try String(contentsOfFile: page, encoding: .utf8)
            #expect(text.contains(", group: calls read: A in app\""), "\(text)")
            #expect(text.contains("</svg> read, seen by its system call</li>"))
        }
    }

    @Test("processes of one program that run at once take turns, too")
    func forks() async throws {
        func save(_ name: String) -> String { "(for i in 1 2 3; do echo $i > \(name); done) &" }
        let programs = ["--app", "\(save("x")) \(save("y")) wait", "--seed", "2"]
        let first = try await control(idle + programs)
        #expect(first.steps.contains { $0.hasPrefix("app.2 open-to-write app/") })
        for _ in 1...2 { #expect(try await control(idle + programs) == first) }
    }

    @Test("programs that wait for each other's lock or pipe do not stop the race")
    func waiting() async throws {
        let locked = #"flock "$WIDGETBRIDGE_GROUP/lock" sh -c 'echo $$ > x; rm x'"#
        let programs = ["--app", "\(locked); mkfifo f; cat f; \(locked)", "--widget", Self.writer]
        for seed in ["1", "2"] {
            let first = try await control(idle + programs + ["--seed", seed])
            #expect(first.escapes == [] && first.steps.contains { $0.hasPrefix("widget write app/f") })
            #expect(try await control(idle + programs + ["--seed", seed]) == first)
        }
    }

    /// Opens the pipe once it is there, and looks for it without a pause.
    private static let writer = """
        flock lock sh -c 'echo 1 > y'; cd "$WIDGETBRIDGE_APP"; until [ -p f ]; do :; done; echo 1 > f
        """

    // With nothing left at the end, the sides are the same without a bridge.
    private static let torn = #"printf '{"n":' > a.json; printf '1}' >> a.json; rm a.json"#
    private static let whole = "echo '{}' > b; mv b a.json; rm a.json"
    private static let alone = [
        "--bridge", "exec tail -f /dev/null",
        // What the app's own container holds is nobody's read, so that a check has to find it.
        "--always", #"[ "$(cat "$WIDGETBRIDGE_APP/a.json" 2> /dev/null)" != '{"n":' ]"#,
    ]

    /// Tears its document where it finds a file of the widget's, which is there only for a moment.
    private static let contested = [
        "--app",
        "if [ -e \"$WIDGETBRIDGE_GROUP/x\" ]; then \(Self.torn); else \(Self.whole); fi",
        "--widget", "cat /dev/null; echo > x; rm x",
    ]

    @Test("a find that needs two switches is found, shrunk to these, saved, and replayed step for step")
    func shrunk() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/race.json"
            let ended = try await race(Self.alone + Self.contested + ["--runs", "60", "--save", file])
            #expect(ended.status == 1 && ended.output.contains("own-check"), "\(ended)")
            #expect(ended.output.contains(/minimal   [12] switch/), "\(ended)")
            for _ in 1...2 {
                let again = try await Binary.run(["race", "replay", file])
                #expect(again.status == 1 && again.output.contains("own-check"), "\(again)")
                #expect(again.output.contains("identical, and so are the files at the end"), "\(again)")
            }
            // Programs that do something else are not taken for the same.
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let other = text.replacing("echo > x;", with: "echo > y; echo > x;")
            try other.write(toFile: file, atomically: false, encoding: .utf8)
            let changed = try await Binary.run(["race", "replay", file])
            #expect(changed.output.contains("differs from step"), "\(changed)")
        }
    }

    @Test("a find that the order of calls does not decide is said to be one, and its replay proves nothing")
    func undecided() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/race.json"
            let once = "if mkdir \(directory)/once; then \(Self.torn); else \(Self.whole); fi 2> /dev/null"
            let ended = try await race(Self.alone + ["--app", once, "--save", file])
            #expect(ended.status == 1 && ended.output.contains("minimal   no; the same order"), "\(ended)")
            let again = try await Binary.run(["race", "replay", file])
            #expect(again.status == 2 && again.output.contains("differs from step"), "\(again)")
        }
    }

    private static let hasPerl = FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")

    @Test("what passes no gate is said", .enabled(if: hasPerl))
    func escapes() async throws {
        let ring = "\\$p = pack('x120'); syscall(\(linux_call_io_uring_setup), 1, \\$p)"
        let map = "syscall(\(linux_call_mmap), 0, 4096, 3, 1, fileno(F), 0)"
        let program = "perl -e \"open(F, '+>', 'm'); truncate(F, 4096); \(map); \(ring)\""
        let found = try await control(idle + ["--app", program])
        #expect(found.escapes.contains("app maps app/m to write, and stores into memory pass no gate"))
        #expect(found.escapes.contains { $0.hasPrefix("app uses io_uring") }, "\(found.escapes)")
    }

    @Test("a change that no call made is said, and one that a directory's new name made is none")
    func ungated() async throws {
        try await withDirectory { top in
            // It is none of the race's.
            let other = "until [ -e \(top)/*/app/go ]; do sleep 0.02; done; cd \(top)/*/app; echo 1 > a.json"
            let wrapper = ["/bin/sh", "-c", "(\(other)) > /dev/null & exec \"$@\"", "sh"]
            let app = ": > go; until grep -qs 1 a.json; do sleep 0.02; done"
            let arguments = ["race", "run", "--app", app] + idle
            let ended = await (try Running(arguments, through: wrapper, environment: ["TMPDIR": top])).ended()
            #expect(ended.output.contains(/escaped +app:a.json changed at step \d+, by no call/), "\(ended)")
            #expect(ended.output.contains("in doubt  1 change passed no gate"), "\(ended)")
        }
        let moved = try await race(
            idle + ["--app", "mkdir d; echo 1 > d/a.json; mv d e; cat e/a.json; rm -r e"]
        )
        #expect(moved.output.contains("observed ") && !moved.output.contains("escaped"), "\(moved)")
    }

    @Test("finds nothing in the agent, whose calls take turns with the programs'", arguments: [1, 2])
    func agent(seed: Int) async throws {
        let saver = #"for i in 1 2 3 4 5; do echo "{\"n\":$i}" > .new; mv .new a.json; sleep 0.01; done"#
        let reader = "for i in 1 2 3 4 5; do cat a.json; sleep 0.01; done 2>/dev/null"
        let programs = ["--app", saver, "--widget", reader, "--seed", "\(seed)", "--patience", "60s"]
        let ended = try await race(programs)
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output.contains("system calls on the containers, one at a time"))
        #expect(!ended.output.contains("escaped"), "\(ended)")
    }

    @Test("what a bridge could not bring, since the lab kept it waiting, is not stale")
    func kept() async throws {
        let copy = """
            cd "$WIDGETBRIDGE_GROUP"; while :; do cmp -s "$WIDGETBRIDGE_APP/a.json" a.json || {
            cp "$WIDGETBRIDGE_APP/a.json" b && mv b a.json; }; sleep 0.01; done 2> /dev/null
            """
        // Busy for 1.5 s, without a call that waits at a gate.
        let busy = "e=$(($(date +%s%N) + 1500000000)); while [ $(date +%s%N) -lt $e ]; do :; done"
        let programs = ["--app", "echo 1 > n; mv n a.json; \(busy); cat a.json", "--patience", "500ms"]
        let ended = try await race(["--bridge", copy] + programs)
        // On a busy machine the lab may lose the order, which leaves a doubt.
        #expect(ended.status != 1 && ended.output.contains("found     no anomaly"), "\(ended)")
    }

    @Test("a program that never touches the containers has one step, its start")
    func apart() async throws {
        let apart = try await control(idle + ["--app", "cat /etc/passwd > /dev/null"])
        #expect(apart.used == "calls" && apart.steps == ["app start"])
    }

    @Test(
        "a program that hangs is told, and ended with all that it started",
        arguments: [
            "exec tail -f /dev/null", "trap '' TERM INT HUP; tail -f /dev/null", "while :; do :; done",
            "while :; do cat a; done 2> /dev/null", "mkfifo ../f; cat ../f",
        ]
    )
    func hangs(command: String) async throws {
        try await withDirectory { top in
            let programs = ["--app", "echo $$ > \(top)/pid; \(command)", "--limit", "300ms"]
            let ended = try await race(idle + programs)
            #expect(ended.status == 2 && ended.output.contains("was still running after"), "\(ended)")
            let pid = try String(contentsOfFile: "\(top)/pid", encoding: .utf8).dropLast()
            #expect(try kill(#require(Int32(pid)), 0) != 0)
        }
    }

    @Test("a program that only looks whether a file is there hangs, and the file is named")
    func looks() async throws {
        let looking = ["--app", "until [ -e a.json ]; do :; done", "--limit", "2s"]
        let ended = try await race(idle + looking)
        #expect(ended.status == 2 && ended.output.contains("was still running after 2"), "\(ended)")
        #expect(ended.output.contains("it looks at app/a.json again and again"), "\(ended)")
    }

    @Test("a program that does nothing hangs, also beside a bridge that looks again and again")
    func hangsBesideBridge() async throws {
        let bridge = [
            "--bridge", "while :; do ls > /dev/null; cat \"$WIDGETBRIDGE_APP\"/*; sleep 0.02; done",
        ]
        for app in ["sleep 60", "exec 6> ../lock; flock 6; flock ../lock true"] {
            let ended = try await race(bridge + ["--app", app, "--limit", "500ms"])
            #expect(ended.status == 2 && ended.output.contains("was still running after"), "\(ended)")
        }
    }

    @Test("a program that goes into the background is told, and does not outlive the race")
    func background() async throws {
        try await withDirectory { top in
            let daemon = "setsid -f env -i sh -c 'echo $$ > \(top)/pid; exec tail -f /dev/null'"
            let waits = "until [ -s \(top)/pid ]; do sleep 0.01; done"
            let ended = try await race(idle + ["--app", "\(daemon); \(waits)"])
            #expect(
                ended.output.contains("a process of app was still running after its command had ended"),
                "\(ended)"
            )
            let pid = try String(contentsOfFile: "\(top)/pid", encoding: .utf8).dropLast()
            let memory = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? "0 "
            #expect(memory.hasPrefix("0 "))
        }
    }
}
