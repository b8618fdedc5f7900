import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite("race run with real programs", .serialized)
struct RaceProcessesTests {
    /// Runs it with its own temporary directory, which must be empty afterwards.
    private func race(_ arguments: [String]) async throws -> Binary.Ended {
        try await withDirectory { top in
            // A killed agent may take long to start again on a busy machine.
            let all = ["race", "run", "--limit", "60s", "--patience", "60s"] + arguments
            let running = try Running(all, environment: ["TMPDIR": top])
            let ended = await running.ended()
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
            return ended
        }
    }

    @Test(
        "an empty command and a limit of no time are wrong usage",
        arguments: [["--app", ""], ["--widget", " "], ["--app", "true", "--limit", "0s"]]
    )
    func empty(arguments: [String]) async throws {
        let ended = try await race(arguments)
        #expect(ended.status == 64, "\(ended)")
    }

    /// Saves by rename, ten times.
    private let saver = """
        for i in 1 2 3 4 5 6 7 8 9 10; do echo "{\\"n\\":$i}" > .new; mv .new a.json; sleep 0.01; done
        """
    /// The lab need not see each of the app's contents to know that the widget saves nothing.
    private let reader = """
        echo done >&$WIDGETBRIDGE_LAB_FD
        for i in 1 2 3 4 5 6 7 8 9 10; do cat a.json > /dev/null 2>&1; sleep 0.01; done
        """

    @Test("finds nothing in the agent, even if it is stopped and killed", arguments: [1, 2, 3])
    func agent(seed: Int) async throws {
        let programs = ["--app", saver, "--widget", reader, "--seed", "\(seed)"]
        let ended = try await race(programs + ["--control", "stops"])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output.contains("write to visible") && ended.output.contains("moves     "))
    }

    @Test("advises a bridge that ends before the programs do to go on", arguments: ["calls", "stops"])
    func bridgeEndsEarly(control: String) async throws {
        let writer = "echo 1 > .new; mv .new a.json; sleep 1; echo 2 > .new; mv .new a.json"
        let programs = ["--control", control, "--app", writer, "--bridge", "true", "--patience", "500ms"]
        let ended = try await race(programs)
        #expect(ended.output.contains("found     divergence"), "\(ended)")
        #expect(ended.output.contains("bridge must run as long as the programs do"), "\(ended)")
    }

    @Test("names a bridge that ends before the programs do, and says how to race them again")
    func bridgeEnds() async throws {
        let writer = "echo 1 > .new; mv .new a.json; sleep 1; echo 2 > .new; mv .new a.json"
        let programs = ["--control", "stops", "--app", writer, "--bridge", "true", "--patience", "500ms"]
        let checks = ["--check", "exit 1", "--check-limit", "9s"]
        let ended = await (try Running(["race", "run"] + programs + checks + ["--seed", "4"])).ended()
        #expect(ended.status == 1, "\(ended)")
        let text = ended.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("bridge ended by itself with status 0 before the programs did"))
        let again = "again: widgetbridge race run --app '\(writer)' --bridge true --control stops "
        #expect(
            text.contains(again + "--patience 500ms --check 'exit 1' --check-limit 9s --seed 4"),
            "\(text)"
        )
    }

    @Test("finds the fault of a bridge that copies what it finds")
    func copier() async throws {
        // The lab reads all before it opens a gate, so the copied half is there until it has been seen.
        let writer = #"""
            there() { until [ "$(cat "$WIDGETBRIDGE_GROUP/a.json" 2> /dev/null)" = "$1" ]; do :; done; }
            for i in 1 2; do printf '{"n":' > a.json; there '{"n":'; echo gate; read go
            printf "$i}" >> a.json; there "{\"n\":$i}"; echo gate; read go; done
            """#
        let copier =
            "while :; do cat \"$WIDGETBRIDGE_APP/a.json\" > \"$WIDGETBRIDGE_GROUP/a.json\"; sleep 0.01; done"
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            let report = "\(directory)/race.xml"
            let files = ["--html", page, "--junit", report]
            let ended = try await race(
                ["--app", writer, "--bridge", copier, "--gates", "--json"] + files
            )
            #expect(ended.status == 1, "\(ended)")
            #expect(ended.output.contains(#""torn-read":"#))
            let text = try String(contentsOfFile: page, encoding: .utf8)
            #expect(text.contains("<b>torn-read</b>"))
            #expect(text.contains("<th>write to visible</th>"))
            let cases = try String(contentsOfFile: report, encoding: .utf8)
            #expect(cases.contains("<failure type=\"torn-read\""))
        }
    }

    @Test("draws stops and kills, and what the widget read and showed, and how long that took")
    func drawn() async throws {
        let support = #"""
            lab() { echo "$*" >&"$WIDGETBRIDGE_LAB_FD"; }
            hash() { echo "sha256:$(sha256sum < "$1" | cut -c1-64)"; }

            """#
        let app =
            support + #"""
                i=0; while [ $i -lt 8 ]; do i=$((i+1)); echo "{\"n\":$i}" > .new; new=$(hash .new)
                mv .new a.json; lab saved a.json "$new"; sleep 0.05; done
                """#
        let widget =
            support + #"""
                until [ -e a.json ]; do sleep 0.01; done
                i=0; while [ $i -lt 8 ]; do i=$((i+1)); cp a.json .copy; lab read a.json "$(hash .copy)"
                lab shown "$(cat .copy)"; sleep 0.04; done; rm .copy
                """#
        try await withDirectory { directory in
            let page = "\(directory)/race.html"
            // A seed that kills the agent.
            let programs = ["--app", app, "--widget", widget, "--seed", "3", "--control", "stops"]
            let ended = try await race(programs + ["--json", "--html", page])
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.output.contains(#""latencyReader":"program""#))
            #expect(ended.output.contains(#""visibleToRead":{"count":"#))
            let text = try String(contentsOfFile: page, encoding: .utf8)
            #expect(text.contains("<p>seed 3; ") && text.contains(" stopped for "))
            for words in ["stopped by the lab", "killed", "started", "read", "shown to a person"] {
                #expect(text.contains("</svg> \(words)</li>"), "\(words)")
            }
            #expect(text.contains(">“{&quot;n&quot;:") && text.contains("<th>visible to read</th>"))
        }
    }

    @Test("is in doubt where a program writes into a file whose name the agent has given to another one")
    func replaced() async throws {
        let app = """
            echo 1 > .new; mv .new a.json; until [ -e ../open ]; do sleep 0.01; done; echo 2 > .new; mv .new a.json
            """
        let widget = """
            until [ -s a.json ]; do sleep 0.01; done; exec 3<>a.json; inode=$(stat -c %i a.json); : > ../open
            until [ "$(stat -c %i a.json)" != "$inode" ]; do sleep 0.01; done; printf 9 >&3
            """
        let ended = try await race(["--app", app, "--widget", widget, "--control", "stops"])
        #expect(ended.status == 2, "\(ended)")
        let text = ended.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            text.contains("into an open file of a.json in group, whose name another file had taken"),
            "\(ended)"
        )
    }

    @Test("lists the lines that it does not understand up to a bound, and counts them all")
    func unknownLines() async throws {
        let app = #"""
            i=0; while [ $i -lt 12 ]; do i=$((i+1)); echo "saved nothing $i" >&"$WIDGETBRIDGE_LAB_FD"; done
            echo "saved nothing 1" >&"$WIDGETBRIDGE_LAB_FD"
            hash="sha256:$(echo x | sha256sum | cut -c1-64)"
            i=0; while [ $i -lt 12 ]; do i=$((i+1)); echo "read a.json $hash" >&"$WIDGETBRIDGE_LAB_FD"; done
            echo '{}' > .new; mv .new a.json
            """#
        for more in [[], ["--json"]] {
            let ended = try await race(["--app", app, "--control", "stops"] + more)
            #expect(ended.status == 2, "\(ended)")
            let line = "the app wrote a line to the lab that says nothing of a document: `saved nothing"
            for number in [1, 10] { #expect(ended.output.contains("\(line) \(number)`"), "\(ended.output)") }
            #expect(!ended.output.contains("\(line) 11`"))
            #expect(ended.output.contains("the app wrote 13 such lines to the lab in all"))
            #expect(ended.output.contains("12 contents were told and never seen in all"))
        }
    }

    @Test("lets programs continue one at a time, in the order that the seed determines")
    func gates() async throws {
        func gated(_ name: String) -> String {
            "for i in 1 2 3 4; do echo gate; read go; echo $i > .\(name); mv .\(name) \(name).json; done"
        }
        let commands = ["--app", gated("a"), "--widget", gated("b"), "--gates", "--seed", "3"]
        func order() async throws -> String? {
            let ended = try await race(commands)
            #expect(ended.status == 0, "\(ended)")
            return ended.output.split(separator: "\n").first { $0.hasPrefix("gates ") }.map(String.init)
        }
        let first = try #require(try await order())
        #expect(first.contains("app") && first.contains("widget"))
        #expect(try await order() == first)
    }

    @Test("reports a command that is missing, fails, hangs or never reaches a gate")
    func badCommands() async throws {
        let missing = try await race(["--app", "/nowhere/app"])
        #expect(
            missing.status == 64 && missing.errors.contains("`/nowhere/app` cannot be found or run"),
            "\(missing)"
        )
        let failing = try await race(["--app", "exit 3"])
        #expect(failing.status == 2 && failing.output.contains("`exit 3` ended with status 3"), "\(failing)")
        let hanging = try await race(["--app", "exec tail -f /dev/null", "--limit", "500ms"])
        #expect(hanging.status == 2 && hanging.output.contains("was still running after"), "\(hanging)")
        let gateless = try await race(["--app", "true", "--gates"])
        #expect(gateless.status == 2 && gateless.output.contains("before it reached a gate"), "\(gateless)")
        let scenario = try await race(["--app", "true", "--preset", "swap-back"])
        #expect(scenario.status == 64)
        let own = try await race(["--app", "true", "--own-engine"])
        #expect(own.status == 64 && own.errors.contains("without a scenario"), "\(own)")
        let saved = try await race(["--app", "true", "--save", "race.json", "--control", "stops"])
        #expect(saved.status == 64 && saved.errors.contains("have no order to save"), "\(saved)")
        let both = try await race(["--app", "true", "--gates", "--control", "calls"])
        #expect(both.status == 64 && both.errors.contains("give one of them"), "\(both)")
    }

    @Test("ends a program that moves to the background in a session of its own")
    func background() async throws {
        try await withDirectory { top in
            let started = "until [ -s \(top)/pid ]; do sleep 0.01; done"
            let command = "setsid -f sh -c 'echo $$ > \(top)/pid; exec tail -f /dev/null'; \(started)"
            let ended = try await race(["--app", command])
            #expect(ended.status == 2, "\(ended)")
            // A process whose parent has not waited for it has no memory either.
            let pid = try String(contentsOfFile: "\(top)/pid", encoding: .utf8).dropLast()
            let memory = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? "0 "
            #expect(memory.hasPrefix("0 "))
        }
    }

    @Test("says which lock two programs wait for, and who holds it", arguments: RaceVerdictTests.modes)
    func deadlock(mode: String) async throws {
        func locking(_ mine: String, _ other: String) -> String {
            """
            exec 6> "$WIDGETBRIDGE_\(mine)/lock" 7> "$WIDGETBRIDGE_\(other)/lock"; flock 6; : > ../\(mine)
            until [ -e ../\(other) ]; do sleep 0.02; done; flock 7
            """
        }
        let programs = ["--app", locking("APP", "GROUP"), "--widget", locking("GROUP", "APP")]
        let ended = try await race(programs + ["--control", mode, "--limit", "8s", "--json"])
        #expect(ended.status == 2 && ended.output.contains("was still running after 8"), "\(ended)")
        for words in [
            "app waits for a lock on group/lock, which widget holds",
            "widget waits for a lock on app/lock, which app holds",
        ] { #expect(ended.output.contains(words), "\(ended)") }
    }

    @Test("reports a program that prints and then hangs", arguments: RaceVerdictTests.modes)
    func printing(mode: String) async throws {
        let app = "yes | head -c 1000000; exec tail -f /dev/null"
        let ended = try await race(["--app", app, "--limit", "500ms", "--control", mode])
        #expect(ended.status == 2 && ended.output.contains("was still running after"), "\(ended)")
    }

    @Test("nothing outlives a lab that is killed", arguments: RaceVerdictTests.modes)
    func killedLab(mode: String) async throws {
        try await withDirectory { top in
            let app = #"""
                trap '' HUP INT TERM; sleep 600 &
                "$WIDGETBRIDGE_PROGRAM" status --json --app "$WIDGETBRIDGE_APP" --group "$WIDGETBRIDGE_GROUP" \
                    --state "$WIDGETBRIDGE_STATE" | sed 's/.*"process":\([0-9]*\).*/\1/' > ../../pid
                kill -KILL $PPID
                """#
            let arguments = ["race", "run", "--control", mode, "--app", app]
            // All of them have the lab's standard error: the test waits for their end.
            _ = await (try Running(arguments, environment: ["TMPDIR": top])).ended()
            let pid = try String(contentsOfFile: "\(top)/pid", encoding: .utf8).dropLast()
            let memory = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? "0 "
            #expect(Int32(pid) != nil && memory.hasPrefix("0 "))
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == ["pid"])
        }
    }

    @Test(
        "leaves no process and no directory after an interrupt, and reports what it has seen",
        arguments: ["INT", "HUP"]
    )
    func interrupted(signal: String) async throws {
        try await withDirectory { top in
            let pids = "echo $$ > \(top).pid; kill -\(signal) $PPID; exec tail -f /dev/null"
            defer { try? FileManager.default.removeItem(atPath: "\(top).pid") }
            let running = try Running(["race", "run", "--app", pids], environment: ["TMPDIR": top])
            let ended = await running.ended()
            #expect(
                ended.status == 2 && ended.output.contains("the observation was interrupted\n"),
                "\(ended)"
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
            let pid = try String(contentsOfFile: "\(top).pid", encoding: .utf8).dropLast()
            #expect(try kill(#require(Int32(pid)), 0) != 0)
        }
    }
}
