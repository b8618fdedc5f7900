import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite("Checks of the user's in race run and race observe", .serialized)
struct RaceCheckTests {
    private static let saver = #"echo '{"n":1}' > .new; mv .new a.json"#

    private func race(_ arguments: [String], in directory: String) async throws -> Binary.Ended {
        let all = ["race", "run", "--app", Self.saver, "--limit", "60s", "--patience", "60s"] + arguments
        return await (try Running(all, environment: ["TMPDIR": directory])).ended()
    }

    @Test("one that holds is said to have been run, at rest and after every change")
    func holds() async throws {
        try await withDirectory { top in
            let both = #"cmp "$WIDGETBRIDGE_APP/a.json" "$WIDGETBRIDGE_GROUP/a.json""#
            let readable = #"grep -q n "$WIDGETBRIDGE_APP/a.json""#
            let junit = "\(top)/../\(UUID()).xml"
            defer { try? FileManager.default.removeItem(atPath: junit) }
            let ended = try await race(
                ["--check", both, "--always", readable, "--junit", junit],
                in: top
            )
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.output.contains("checked   `\(both)` at rest"), "\(ended)")
            #expect(try String(contentsOfFile: junit, encoding: .utf8).contains(#"name="own-check"/>"#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
        }
    }

    @Test("exit 1 is an anomaly, whose words are the last line of the output")
    func fails() async throws {
        try await withDirectory { top in
            let ended = try await race(
                ["--check", "echo one; echo the tap is gone; exit 1", "--json"],
                in: top
            )
            #expect(ended.status == 1, "\(ended)")
            #expect(ended.output.contains(#""kind":"own-check","sentence":"the tap is gone""#), "\(ended)")
        }
    }

    @Test("--always sees each change in turn, though the containers have gone on, and names the step")
    func always() async throws {
        try await withDirectory { top in
            let always = #"! grep -q 1 "$WIDGETBRIDGE_GROUP/a.json" || { echo there; exit 1; }"#
            let ended = try await race(["--always", always, "--json"], in: top)
            #expect(ended.status == 1, "\(ended)")
            #expect(ended.output.contains(#""alwaysRuns":2"#), "\(ended)")
            #expect(ended.output.contains(#""sentence":"there","document":"a.json","side":"group""#))
        }
    }

    @Test(
        "one that fails otherwise, hangs, prints without end or leaves a process is undecided",
        arguments: [
            ("exit 7", "ended with status 7"), ("/nowhere/check", "ended with status 127"),
            ("kill -9 $$", "was killed by signal 9"),
            ("exec tail -f /dev/null", "was still running after 0.3"),
            ("yes", "printed more than 1 MiB"),
            ("tail -f /dev/null & exit 0", "ended and left processes running"),
        ]
    )
    func undecided(check: String, words: String) async throws {
        try await withDirectory { top in
            let junit = "\(top)/../\(UUID()).xml"
            defer { try? FileManager.default.removeItem(atPath: junit) }
            let limit = check.contains("exec") ? "300ms" : "30s"
            let arguments = ["--check", check, "--check-limit", limit, "--junit", junit]
            let ended = try await race(arguments, in: top)
            #expect(ended.status == 2 && ended.output.contains(words), "\(ended)")
            let report = try String(contentsOfFile: junit, encoding: .utf8)
            let shown = "the check `\(check.replacing("&", with: "&amp;"))` \(words)"
            #expect(report.contains("name=\"own-check\">\n      <skipped message=\"\(shown)"), "\(report)")
            #expect(report.contains("name=\"verdict\">\n      <error message=\"\(shown)"), "\(report)")
        }
    }

    @Test("what a check starts in a session of its own does not outlive it")
    func session() async throws {
        try await withDirectory { top in
            let pid = "\(top).pid"
            defer { try? FileManager.default.removeItem(atPath: pid) }
            let started = "until [ -s \(pid) ]; do sleep 0.01; done"
            let check = "setsid -f sh -c 'echo $$ > \(pid); exec tail -f /dev/null'; \(started)"
            let ended = try await race(["--check", check], in: top)
            #expect(ended.status == 0, "\(ended)")
            let number = try String(contentsOfFile: pid, encoding: .utf8).dropLast()
            // Whose parent has not asked for its end has no memory left either.
            let memory = (try? String(contentsOfFile: "/proc/\(number)/statm", encoding: .utf8)) ?? "0 "
            #expect(memory.hasPrefix("0 "))
        }
    }

    @Test("race observe runs them in the containers that it is given")
    func observed() async throws {
        try await withObservedContainers { top in
            let save = #"for side in app group; do echo '{"n":1}' > "$1/$side/a.json"; done"#
            let ended = try await Binary.run([
                "race", "observe", "--app", "\(top)/app", "--group", "\(top)/group", "--seconds", "1",
                "--patience", "500ms", "--reloads", "set -- \(top); \(save); exec tail -f /dev/null",
                "--check", #"echo "in $WIDGETBRIDGE_APP"; exit 1"#,
            ])
            #expect(ended.status == 1 && ended.output.contains("in \(top)/app"), "\(ended)")
        }
    }

    @Test("a limit without a check is wrong usage, and so is a check without programs")
    func usage() async {
        let app = ["race", "run", "--app", "true"]
        #expect(await run(app + ["--check-limit", "1s"]).status == .usage)
        #expect(await run(["race", "run", "--preset", "swap-back", "--check", "true"]).status == .usage)
    }
}
