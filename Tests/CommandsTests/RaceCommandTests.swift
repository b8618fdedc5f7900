import ArgumentParser
import Documents
import Foundation
import Glibc
import RaceLab
import TestWorld
import Testing

@testable import Commands

@Suite struct RaceCommandTests {
    @Test func `A finding is explained on one page, and saved for a replay`() async throws {
        try await withDirectory { directory in
            let kept = "\(directory)/race.json"
            let files = [
                "--html", "\(directory)/a.html", "--svg", "\(directory)/a.svg", "--junit",
                "\(directory)/a.xml",
            ]
            let found = await run(["race", "explore", "--preset", "stat-recheck", "--save", kept] + files)
            #expect(found.status == .anomaly && found.errors.isEmpty)
            let lines = found.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 41)
            #expect(found.output.contains("every order there is\nfound     lost-update in "))
            #expect(found.output.contains("\nminimal: 2 switches, 2 operations, "))
            #expect(lines.contains { $0.hasPrefix("┃") && $0.hasSuffix("◀") })
            let mend = "\nmend: agent must exchange the two files and examine the one that it displaced, "
            #expect(found.output.contains(mend))
            #expect(found.output.hasSuffix("\nagain: widgetbridge race replay \(kept)\n"))
            for report in ["a.html", "a.xml"] {
                let text = try String(contentsOfFile: "\(directory)/\(report)", encoding: .utf8)
                #expect(text.contains("mend: agent must exchange the two files"), "\(report)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            #expect(names == ["a.html", "a.svg", "a.xml", "race.json"])

            let replayed = await run(["race", "replay", kept])
            #expect(replayed.status == .anomaly && replayed.output.contains(", identical in two runs\n"))
            #expect(replayed.output.contains(mend))
            #expect(await run(["race", "replay", kept]) == replayed)
        }
    }

    @Test func `A report replaces an older one, and no other file`() async throws {
        try await withDirectory { directory in
            let document = "\(directory)/budget.json"
            for option in ["--save", "--html", "--svg", "--junit"] {
                try write(#"{"spent":1}"#, to: document)
                let refused = await run(["race", "explore", "--preset", "stat-recheck", option, document])
                #expect(refused.status == .usage, "\(refused)")
                #expect(refused.errors.contains("the file exists and holds something else, \(document)"))
                #expect(FileManager.default.contents(atPath: document) == Data(#"{"spent":1}"#.utf8))
                let file = "\(directory)/report"
                for _ in 0..<2 {
                    let made = await run(["race", "explore", "--preset", "stat-recheck", option, file])
                    #expect(made.status == .anomaly && made.errors.isEmpty, "\(made)")
                }
                try FileManager.default.removeItem(atPath: file)
            }
        }
    }

    @Test(arguments: ["--save", "--html", "--svg", "--junit"])
    func `A file that cannot be written is reported before the search`(option: String) async throws {
        try await withDirectory { directory in
            for place in ["\(directory)/nowhere/x", directory] {
                // The search itself would take hours.
                let search = ["race", "explore", "--preset", "app-budget", "--bound", "30"]
                let ended = await run(search + [option, place])
                #expect(ended.status == .usage, "\(ended)")
                #expect(ended.errors.contains("cannot write the file"), "\(ended)")
            }
        }
    }

    @Test func `The verdict holds if nobody reads the report`() async throws {
        for unread in ["> /dev/full", ">&-"] {
            let wrapper = ["/bin/sh", "-c", "exec \"$@\" \(unread)", "sh"]
            let ended = try await Running(["race", "explore", "stat-recheck"], through: wrapper).ended()
            #expect(ended.status == 1, "\(ended)")
        }
    }

    @Test func `An exhaustive search without a finding is called a proof`() async {
        let clean = await run(["race", "explore", "--preset", "stat-recheck", "--own-engine"])
        #expect(clean.status == .done)
        #expect(clean.output.contains("no anomaly: a proof\n"))
    }

    @Test func `Equivalent schedules are skipped and counted, unless the user wants all`() async {
        func line(_ options: String...) async -> String {
            let found = await run(["race", "explore", "stat-recheck"] + options)
            #expect(found.output.contains("\nfound     lost-update in "))
            return found.output.split(separator: "\n").first { $0.hasPrefix("explored ") }.map(String.init)
                ?? ""
        }
        let less = await line()
        #expect(less.hasPrefix("explored  23 schedules (13 equivalent branches skipped) in "))
        #expect(await line("--no-reduction").hasPrefix("explored  36 schedules in "))
        let json = await run(["race", "explore", "stat-recheck", "--json"]).output
        #expect(json.contains(#""schedules":23,"reduced":true,"skippedSchedules":13,"#))
    }

    @Test func `A search can be limited to one kind`() async {
        let found = await run(["race", "explore", "notify-before-rename", "--find", "duplicate-reload"])
        #expect(found.status == .anomaly)
        #expect(found.output.contains("found     duplicate-reload in 1 schedule\n"))
        #expect(found.output.contains("\n\nwidget was told of the same"))
        let none = await run([
            "race", "explore", "notify-before-rename", "--find", "torn-read", "--bound", "1",
        ])
        #expect(none.status == .done && none.output.contains(": a proof within the bound\n"))
    }

    @Test func `The line that leads to the find again has every option, and does`() async throws {
        let options = [
            "--bound", "1", "--seed", "3", "--find", "lost-update", "--no-reduction", "--jobs", "2",
        ]
        let found = await run(["race", "explore", "read-modify-write"] + options)
        #expect(found.status == .anomaly)
        let again = try #require(found.output.split(separator: "\n").first { $0.hasPrefix("again: ") })
        let words = again.split(separator: " ").dropFirst(2).map(String.init)
        #expect(words == ["race", "explore", "read-modify-write"] + options + ["--save", "race.json"])
        try await withDirectory { directory in
            let saved = "\(directory)/race.json"
            let repeated = await run(words.dropLast() + [saved])
            func finding(_ output: String) -> [Substring] {
                output.split(separator: "\n").drop { !$0.hasPrefix("found ") }.prefix {
                    !$0.hasPrefix("again")
                }
            }
            #expect(finding(repeated.output) == finding(found.output))
            let replayed = await run(["race", "replay", saved])
            #expect(replayed.output.contains("\nfound     lost-update: "))
        }
    }

    @Test func `What a search has left open stands beside its verdict`() async throws {
        try await withDirectory { directory in
            let scenario = "\(directory)/a.yaml"
            try write(
                """
                documents: [a.json]
                actors: {app: {does: [write]}, widget: {does: [subscribe, read-on-notice]}, agent: {}}
                """,
                to: scenario
            )
            let clean = await run(["race", "explore", scenario, "--bound", "1"])
            #expect(clean.status == .done)
            for line in [
                "\ncovered   3 of 3 operations, 13 of 15 kinds of anomalies, ",
                "\nunchecked non-monotonic-read (no actor reads a document twice), ",
                "\nwaiting   widget's read-on-notice of a.json, for ever in ",
            ] { #expect(clean.output.contains(line), "\(clean.output)") }
            try write(
                "{documents: [a.json], actors: {app: {does: [write]}, agent: {}}}",
                to: scenario
            )
            let all = await run(["race", "explore", scenario, "--bound", "40"])
            #expect(all.status == .done && all.output.contains(": every order there is\n"))
            #expect(all.output.contains("found     no anomaly: a proof\n"))
        }
    }

    @Test func `The JSON has everything that the text has`() async throws {
        let found = await run(["race", "explore", "stat-recheck", "--json"])
        #expect(found.status == .anomaly && found.output.split(separator: "\n").count == 1)
        _ = try JSON(parsing: Array(found.output.utf8))
        for member in [
            #""format":1,"scenario":"stat-recheck""#, #""verdict":"anomaly""#, #""exhaustive":true"#,
            #""counts":{"lost-update":"#, #""advice":"agent must exchange"#,
            #""minimal":{"switches":2,"operations":2,"#,
        ] { #expect(found.output.contains(member), "\(member)") }
        let one = await run(["race", "run", "stat-recheck", "--seed", "3", "--json"])
        #expect(one.output.hasPrefix(#"{"format":1,"scenario":"stat-recheck","verdict":""#))
        #expect(await run(["race", "run", "stat-recheck", "--seed", "3", "--json"]) == one)
    }

    @Test func `A preset is listed, and printed as a start for a custom one`() async throws {
        let list = await run(["race", "presets"])
        #expect(list.output.contains("\nstat-recheck             lost-update         stat-recheck\n"))
        #expect(list.output.split(separator: "\n").count == 1 + Preset.names.count + Preset.appNames.count)
        try await withDirectory { directory in
            let mine = "\(directory)/mine.yaml"
            try write(await run(["race", "show", "swap-back"]).output, to: mine)
            let own = await run(["race", "run", mine])
            #expect(own.status == .done && own.output.hasPrefix("swap-back, engine swap-back\n"))
        }
    }

    @Test func `A scenario can be standard input`() async throws {
        let text = await run(["race", "show", "swap-back"]).output
        let ended = try await Binary.run(["race", "run", "-"], input: text)
        #expect(ended.status == 0 && ended.output.hasPrefix("swap-back, engine swap-back\n"), "\(ended)")
        let marked = try await Binary.run(["race", "lint", "-"], input: "\u{FEFF}\(text)")
        #expect(marked.status == 0, "with the byte order mark of some editors: \(marked)")
    }

    @Test func `Operations that never ran and read alike are counted`() async throws {
        let text = """
            documents: [a.json]
            actors:
              app: {does: [write]}
              widget: {does: [subscribe, {read-on-notice: a.json, times: 5}]}
              agent: {}
            checks: [deadlock]
            """
        let found = try await Binary.run(["race", "explore", "-", "--bound", "0"], input: text)
        #expect(
            found.output.contains("\nnever ran widget's read-on-notice of a.json (4 times)\n"),
            "\(found)"
        )
        #expect(found.output.split(separator: "\n").count { $0.hasPrefix("waiting ") } == 1, "\(found)")
    }

    @Test func `A search without the anomaly that its scenario is to show proves nothing`() async {
        let found = await run(["race", "explore", "stat-recheck", "--bound", "0"])
        #expect(found.status == .undecided && !found.output.contains("a proof"), "\(found)")
    }

    @Test func `A file whose name begins with a hyphen is named such that it can be typed`() async throws {
        let again = CommandHint.argument("-x.yaml")
        #expect(again == "./-x.yaml" && CommandHint.argument("-") == "-")
    }

    @Test func `A scenario that cannot be started is reported with its position and a hint`() async throws {
        try await withDirectory { directory in
            let scenario = "\(directory)/a.yaml"
            try write("documents: [a.json]\nactors:\n  app: {does: [wrote]}\n  agent: {}\n", to: scenario)
            let kept = "\(directory)/race.json"
            _ = await run(["race", "explore", "stat-recheck", "--save", kept])
            let ofReal = "\(directory)/real.json"
            let text = String(decoding: try NamedFile(kept).bytes, as: UTF8.self)
            try write(text.replacing("\"layer\": 0", with: "\"layer\": 9"), to: ofReal)
            let wrong: [([String], String)] = [
                (["explore", scenario], "unknown word `wrote`; expected one of: "),
                (["explore", scenario], "\(scenario):3:16; "),
                (["explore", "no-such"], "unknown scenario, `no-such`; `widgetbridge race presets`"),
                (["explore", "\(directory)/none.yaml"], "none.yaml"),
                (["explore"], "give a scenario's file, or a --preset"),
                (["explore", "stat-recheck", "--bound", "-1"], "'--bound <bound>': expected a whole number"),
                (
                    ["explore", "stat-recheck", "--find", "torn-read"],
                    "no actor reads, so `torn-read` cannot"
                ),
                (["explore", "swap-back", "--find", "missed-reload"], "no actor subscribes"),
                (["run", "swap-back", "--schedule", kept], "another scenario than swap-back, \(kept)"),
                (["run", "swap-back", "--schedule", kept, "--seed", "1"], "not both"),
                (["run", "swap-back", "--gates"], "give --app or --widget"),
                (["run", "swap-back", "--patience", "9s"], "give --app or --widget"),
                (["run", "--bridge", "true"], "give --app or --widget"),
                (
                    ["replay", ofReal],
                    "expected 0, the simulated disk, or 1, real files; found 9, \(ofReal):3:12"
                ),
                (["replay", scenario], "unknown key"),
            ]
            for (arguments, reason) in wrong {
                let refused = await run(["race"] + arguments)
                #expect(refused.status == .usage && refused.output.isEmpty)
                #expect(refused.errors.contains(reason), "\(refused.errors)")
                #expect(refused.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test func `An undecided run is not reported as clean`() async throws {
        try await withDirectory { directory in
            let timed = await run([
                "race", "explore", "two-agents", "--own-engine", "--bound", "9", "--seconds", "1",
            ])
            #expect(timed.status == .undecided && timed.output.contains(": not all with at most 9 "))

            let scenario = "\(directory)/a.yaml"
            let text =
                "{documents: [a.json], actors: {app: {does: [write, read]}, agent: {}}, expect: torn-read}"
            try write(text, to: scenario)
            let missed = await run(["race", "explore", scenario])
            #expect(missed.status == .undecided)
            #expect(missed.output.contains("expected  torn-read, but no schedule showed it\n"))

            let unwritten = await run(["race", "run", scenario, "--svg", "/dev/full"])
            #expect(unwritten.status == .undecided && unwritten.errors.contains("cannot write the file: "))
        }
    }

    @Test func `A run that differs from the saved one is reported`() async throws {
        try await withDirectory { directory in
            let kept = "\(directory)/race.json"
            for (preset, status) in [("stat-recheck", CommandStatus.anomaly), ("app-todo", .undecided)] {
                _ = await run(["race", "explore", preset, "--bound", "2", "--save", kept])
                let text = String(decoding: try NamedFile(kept).bytes, as: UTF8.self)
                try write(text.replacing(/"trace": "\w+"/, with: "\"trace\": \"0123456789abcdef\""), to: kept)
                let replayed = await run(["race", "replay", kept])
                #expect(replayed.status == status)
                #expect(
                    replayed.output.contains(
                        "recorded as 0123456789abcdef: the file was edited, or the engine or the lab"
                    )
                )
            }
        }
    }

    @Test func `Two runs of one schedule that differ are a fault of the lab`() async throws {
        try await withDirectory { directory in
            let kept = "\(directory)/race.json"
            _ = await run(["race", "explore", "stat-recheck", "--save", kept])
            let text = String(decoding: try NamedFile(kept).bytes, as: UTF8.self)
            var replayed = ReplayedRun(try SavedSchedule(text: text, file: kept), on: .simulated)
            #expect(replayed.status == .anomaly)
            replayed.outcome = .unrepeatable("0123", "4567")
            let ended = replayed.outcome(try RaceFiles.parse([]))
            #expect(ended.status.rawValue == 70)
            #expect(ended.failures.map(\.line).contains { $0.contains("differ: trace 0123, then 4567") })
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `An interrupted search reports what it has found`(_ signal: Int32) async throws {
        try await withDirectory { directory in
            let files = ["--save", "\(directory)/race.json", "--html", "\(directory)/race.html"]
            let search = ["race", "explore", "truncate-writer", "--bound", "9", "--seconds", "600"]
            let running = try Running(search + files)
            // It begins with schedules that show nothing.
            await running.worked(300)
            running.send(signal)
            let ended = await running.ended()
            // A sanitizer may print what it does not support.
            #expect(ended.status == 1 && !ended.errors.contains("widgetbridge: "), "\(ended)")
            #expect(ended.output.contains(": not all with at most 9 "))
            #expect(ended.output.contains("\nfound     torn-read in "))
            #expect(ended.output.contains(", 3 operations, "))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            #expect(names == ["race.html", "race.json"])
        }
    }
}
