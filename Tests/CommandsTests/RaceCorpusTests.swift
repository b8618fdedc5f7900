import Documents
import Foundation
import TestWorld
import Testing

@testable import Commands

@Suite("race replay of a directory")
struct RaceCorpusTests {
    /// A run that shows a lost update, and one that shows nothing.
    private func withCorpus(_ body: (_ directory: String) async throws -> Void) async throws {
        try await withDirectory { top in
            let directory = "\(top)/races"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let found = ["explore", "stat-recheck", "--save", "\(directory)/found.json"]
            #expect(await run(["race"] + found).status == .anomaly)
            let clean = ["run", "stat-recheck", "--save", "\(directory)/clean.json"]
            #expect(await run(["race"] + clean).status == .done)
            try await body(directory)
        }
    }

    /// The clean run, as if it had shown a lost update once, in other steps.
    private func addMended(to directory: String) throws -> String {
        let clean = try String(contentsOfFile: "\(directory)/clean.json", encoding: .utf8)
        let mended = clean.replacing(/"trace": "[0-9a-f]+"/, with: #""trace": "0123456789abcdef""#)
            .replacing(#""anomaly": null"#, with: #""anomaly": "lost-update""#)
        try write(mended, to: "\(directory)/mended.json")
        return mended
    }

    private func rows(_ output: String) -> [[String]] {
        output.split(separator: "\n").filter { $0.hasPrefix("/") }.map { line in
            line.split(separator: #/ {2,}/#).map { $0.components(separatedBy: "/").last ?? "" }
        }
    }

    @Test("waits for no writer of a named pipe", .timeLimit(.minutes(5)))
    func pipe() async throws {
        try await withCorpus { directory in
            try #require(unsafe mkfifo("\(directory)/pipe.json", 0o600) == 0)
            let ended = await run(["race", "replay", directory])
            #expect(ended.status == .usage && ended.output.contains("1 not replayed"), "\(ended)")
        }
    }

    @Test("has a line for each file, by name, and ends with the heaviest verdict")
    func lines() async throws {
        try await withCorpus { directory in
            try write("budget: not read", to: "\(directory)/notes.txt")
            try write("{}", to: "\(directory)/.hidden.json")
            let found = await run(["race", "replay", directory])
            #expect(found.status == .anomaly && found.errors.isEmpty, "\(found)")
            #expect(
                rows(found.output) == [
                    ["clean.json", "no anomaly", "no anomaly", "identical"],
                    ["found.json", "lost-update", "lost-update", "identical"],
                ]
            )
            #expect(found.output.contains("\nfound     lost-update in \(directory)/found.json\n"))
            #expect(found.output.contains("\nmend      agent must exchange the two files"))
            #expect(found.output.hasSuffix("\n2 files: 1 with an anomaly, 1 clean\n"))
            #expect(await run(["race", "replay", directory + "/"]).status == .anomaly)

            try FileManager.default.removeItem(atPath: "\(directory)/found.json")
            let clean = await run(["race", "replay", directory])
            #expect(clean.status == .done && clean.output.hasSuffix("\n1 file: 1 clean\n"), "\(clean)")
        }
    }

    @Test("proves nothing by other steps than the recorded ones, until they are recorded anew")
    func updates() async throws {
        try await withCorpus { directory in
            let mended = try addMended(to: directory)
            try FileManager.default.removeItem(atPath: "\(directory)/found.json")
            let unproved = await run(["race", "replay", directory])
            #expect(unproved.status == .undecided)
            #expect(rows(unproved.output).last == ["mended.json", "lost-update", "no anomaly", "differ"])
            #expect(unproved.output.contains("`widgetbridge race replay \(directory) --update` records"))
            #expect(try String(contentsOfFile: "\(directory)/mended.json", encoding: .utf8) == mended)

            let updated = await run(["race", "replay", directory, "--update"])
            #expect(updated.status == .done, "\(updated)")
            #expect(rows(updated.output).last?.last == "differ, recorded anew")
            let again = await run(["race", "replay", directory])
            #expect(again.status == .done)
            #expect(rows(again.output).last == ["mended.json", "lost-update", "no anomaly", "identical"])
        }
    }

    @Test("records no run anew that shows an anomaly")
    func keepsFindings() async throws {
        try await withCorpus { directory in
            let path = "\(directory)/found.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
                .replacing(/"trace": "[0-9a-f]+"/, with: #""trace": "0123456789abcdef""#)
            try write(text, to: path)
            for file in [directory, path] {
                #expect(await run(["race", "replay", file, "--update"]).status == .anomaly)
                #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            }
        }
    }

    @Test("says which file cannot be replayed, and replays the others")
    func unreadable() async throws {
        try await withCorpus { directory in
            try write("{}", to: "\(directory)/a.json")
            let real = try String(contentsOfFile: "\(directory)/clean.json", encoding: .utf8)
                .replacing("\"layer\": 0", with: "\"layer\": 1")
            try write(real, to: "\(directory)/b.json")
            let ended = await run(["race", "replay", directory])
            #expect(ended.status == .usage)
            #expect(rows(ended.output).map(\.first) == ["a.json", "b.json", "clean.json", "found.json"])
            #expect(ended.output.contains("4 files: 1 with an anomaly, 1 clean, 2 not replayed"))
            #expect(
                ended.errors.contains(
                    "`format` is missing: this is not a saved schedule, \(directory)/a.json"
                )
            )
            #expect(ended.errors.contains("give --real DIR"))
        }
    }

    @Test("refuses a schedule whose actors are Swift code")
    func code() async throws {
        try await withCorpus { directory in
            let path = "\(directory)/clean.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
                .replacing(
                    #""side":"app","does":[{"write":"budget.json"}]"#,
                    with: #""side":"app","code":true"#
                )
                .replacing(/"hash": "[^"]*",/, with: "")
            try write(text, to: path)
            let ended = await run(["race", "replay", path])
            #expect(ended.status == .usage)
            #expect(ended.errors.contains("what `app` does is Swift code, \(path); replay it in the test"))
        }
    }

    @Test("needs a saved schedule, and writes no picture")
    func usage() async throws {
        try await withDirectory { directory in
            let empty = await run(["race", "replay", directory])
            #expect(empty.status == .usage && empty.errors.contains("no saved schedule, \(directory)"))
        }
        try await withCorpus { directory in
            for option in ["--html", "--svg", "--save"] {
                let refused = await run(["race", "replay", directory, option, "\(directory)/x"])
                #expect(refused.status == .usage && refused.output.isEmpty, "\(refused)")
            }
        }
    }

    @Test("is a test case per file for JUnit, and an object per file in JSON")
    func reports() async throws {
        try await withCorpus { directory in
            _ = try addMended(to: directory)
            let junit = "\(directory)/../report.xml"
            let ended = await run(["race", "replay", directory, "--json", "--junit", junit])
            #expect(ended.status == .anomaly)
            let report = try String(contentsOfFile: junit, encoding: .utf8)
            #expect(report.contains(#"<testsuites tests="3" failures="1" errors="1" skipped="0""#))
            #expect(report.contains(#"name="\#(directory)/clean.json"/>"#))
            #expect(report.contains(#"<failure type="lost-update" message="widget's edit "#))
            #expect(report.contains(">mend: agent must exchange "))
            _ = try JSON(parsing: Array(ended.output.utf8))
            for member in [
                #""file":"\#(directory)/clean.json","recorded":null,"verdict":"clean","sameSteps":true"#,
                #""recorded":"lost-update","verdict":"anomaly","sameSteps":true"#,
                #""recorded":"lost-update","verdict":"unknown","sameSteps":false"#,
                #""clean":1,"anomaly":1,"unknown":1,"failed":0}"#,
            ] { #expect(ended.output.contains(member), "\(member)") }
        }
    }
}

@Suite("Annotations for GitHub")
struct AnnotationTests {
    @Test("are one line each, in which nothing ends a property or the line")
    func escapes() {
        let whole = Annotation(
            level: .error,
            file: "a,b:c%.yaml",
            title: "lost: update, twice",
            message: "100%: one,\r\ntwo"
        )
        #expect(
            whole.line == "::error file=a%2Cb%3Ac%25.yaml,line=1,title=lost%3A update%2C twice::"
                + "100%25: one,%0D%0Atwo"
        )
        let bare = Annotation(level: .warning, title: "no verdict", message: "m")
        #expect(bare.line == "::warning title=no verdict::m")
    }

    @Test("name the file as it is called in the repository")
    func paths() {
        let file = AnnotatedFile(directory: "/srv/repo/tests", root: "/srv/repo")
        #expect(file.path(of: "a.yaml") == "tests/a.yaml")
        #expect(file.path(of: "/srv/repo/b.yaml") == "b.yaml")
        #expect(file.path(of: "/elsewhere/c.yaml") == "/elsewhere/c.yaml")
        #expect(AnnotatedFile(directory: "/srv/repo/tests", root: nil).path(of: "a.yaml") == "a.yaml")
        #expect(AnnotatedFile(directory: "/srv/repos", root: "/srv/repo").path(of: "a.yaml") == "a.yaml")
    }

    private func annotations(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix("::") }
    }

    @Test("follow the report of an exploration, a run and a replay, about the file that was named")
    func commands() async throws {
        try await withDirectory { directory in
            let (scenario, saved) = ("\(directory)/mine.yaml", "\(directory)/race.json")
            try write(await run(["race", "show", "stat-recheck"]).output, to: scenario)
            let found = await run(["race", "explore", scenario, "--github", "--save", saved])
            #expect(found.status == .anomaly)
            let first = try #require(annotations(found.output).first)
            #expect(first.hasPrefix("::error file=\(scenario),line=1,title=lost-update::widget's edit "))
            #expect(first.contains("%0Amend: agent must exchange ") && first.contains("%0Aminimal: "))
            for arguments in [["replay", saved], ["replay", directory]] {
                let printed = await run(["race"] + arguments + ["--github"]).output
                #expect(annotations(printed).first?.hasPrefix("::error file=\(saved),line=1,") == true)
            }
            let again = ["run", scenario, "--schedule", saved, "--github"]
            let rerun = annotations(await run(["race"] + again).output)
            #expect(rerun.first?.hasPrefix("::error file=\(scenario),line=1,") == true)
        }
        let preset = await run(["race", "explore", "stat-recheck", "--github"])
        #expect(annotations(preset.output).first?.hasPrefix("::error title=lost-update::") == true)
        let clean = await run(["race", "explore", "stat-recheck", "--own-engine", "--github"])
        #expect(clean.status == .done && annotations(clean.output).isEmpty)
    }

    @Test("warn where there is no verdict")
    func undecided() async throws {
        try await withDirectory { top in
            for name in ["app", "group"] {
                let path = "\(top)/\(name)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            let containers = ["--app", "\(top)/app", "--group", "\(top)/group"]
            let ended = await run(["race", "observe", "--seconds", "1", "--github"] + containers)
            #expect(ended.status == .undecided)
            #expect(annotations(ended.output).first?.hasPrefix("::warning title=no verdict::") == true)
        }
    }

    @Test("are refused beside JSON, which they would break")
    func json() async {
        let refused = await run(["race", "explore", "stat-recheck", "--github", "--json"])
        #expect(refused.status == .usage && refused.output.isEmpty)
    }
}
