import Foundation
import TestWorld
import Testing

/// Recorded output: a session at the command line, every help page, and the manual pages.
///
/// An intended change of texts shows here as a difference of `Recorded/output.txt`; a refactoring must show
/// none.
@Suite struct RecordedOutputTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Recorded/output.txt").path

    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Scripts/support/documents").standardized

    @Test func `The program's output equals the recorded one`() async throws {
        let printed = try await session() + pages()
        if Recorded.isRecording {
            try write(printed, to: Self.file)
            return
        }
        let recorded = try String(contentsOfFile: Self.file, encoding: .utf8)
        let (new, old) = (Self.lines(printed), Self.lines(recorded))
        let place = zip(new, old).enumerated().first { $1.0 != $1.1 }?.offset ?? min(new.count, old.count)
        let isSame = new == old
        #expect(
            isSame,
            """
            line \(place + 1) was “\(old.dropFirst(place).first ?? "")” and is \
            “\(new.dropFirst(place).first ?? "")”; if that is meant: Scripts/snapshots --record
            """
        )
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    // MARK: A session

    private func session() async throws -> String {
        try await withDirectory { directory in
            for name in ["app", "group", "documents"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/\(name)",
                    withIntermediateDirectories: false
                )
            }
            var printed = ""
            for step in Self.steps {
                switch step {
                case .save(let text, let path): try write(text, to: "\(directory)/\(path)")
                case .copy(let name, let path):
                    let source = Self.samples.appending(path: name).path
                    try FileManager.default.copyItem(atPath: source, toPath: "\(directory)/\(path)")
                case .remove(let path): try FileManager.default.removeItem(atPath: "\(directory)/\(path)")
                case .run(let line, let input):
                    let ids = printed.matches(of: #/`widgetbridge allow (\w+) /#)
                    let allowed = ids.last.map { String($0.1) }
                    let line = line.replacing("ALLOWED", with: allowed ?? "nothing")
                    printed += try await ran(line, input, in: directory)
                }
            }
            return Self.steadied(printed, directory)
        }
    }

    private func ran(_ line: String, _ input: String, in directory: String) async throws -> String {
        let command = line.replacing("BRIDGE", with: "--app app --group group --state state")
            .split(separator: " ").map(String.init)
        let running = try Running(command: [Binary.path] + command, in: directory)
        running.write(input)
        let ended = await running.ended()
        let errors = ended.errors.isEmpty ? "" : "--- on standard error\n\(ended.errors)"
        return "$ widgetbridge \(line)\n\(ended.output)\(errors)--- exit status \(ended.status)\n\n"
    }

    /// Without values that differ between runs: times, durations, the journal's instance.
    private static func steadied(_ text: String, _ directory: String) -> String {
        text.replacing(directory, with: "DIRECTORY")
            .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?/, with: "TIME")
            .replacing(/\d+(\.\d+)? (ns|µs|us|ms|s)\b/, with: "DURATION")
            .replacing(/"instance":"[^"]*"/, with: "INSTANCE")
    }

    private enum Step {
        case save(String, as: String)
        /// A sample of `Scripts/demo`.
        case copy(String, to: String)
        case remove(String)
        case run(String, input: String = "")
    }

    private static let steps: [Step] =
        [
            .run("sync"), .run("sync --app app --group app"), .run("sync BRIDGE --nonsense"),
            .run("status BRIDGE"), .run("wait BRIDGE"), .run("subscribe BRIDGE"),
            .save(#"{"a":1.50,"b":1,"c":1}"#, as: "app/a.json"),
            .run("sync BRIDGE --dry-run"), .run("sync BRIDGE --dry-run --json"), .run("sync BRIDGE"),
            .run("status BRIDGE"), .run("status BRIDGE --json"), .run("why BRIDGE a.json"),
            .run("get BRIDGE a.json"), .run("get BRIDGE a.json --pointer /a"), .run("diff BRIDGE a.json"),
            .run("get BRIDGE missing.json"),
            .run("put BRIDGE b.json", input: #"{"b":2}"#), .run("put BRIDGE b.json", input: "{"),
            .run("sync BRIDGE"),
            .save(#"{"a":1.75,"b":1,"c":1}"#, as: "app/a.json"), .run("sync BRIDGE"), .run("history BRIDGE"),
            .save("{", as: "app/half.json"), .run("sync BRIDGE"), .run("status BRIDGE"),
            .run("why BRIDGE half.json"), .remove("app/half.json"),
            .run("undo BRIDGE nonsense"), .run("delete BRIDGE half.json"),
            .remove("app/a.json"), .remove("app/b.json"), .run("sync BRIDGE"), .run("status BRIDGE"),
            .run("allow BRIDGE"), .run("allow BRIDGE ALLOWED"), .run("sync BRIDGE"), .run("status BRIDGE"),
            .save(#"{"a":1.50,"b":1,"c":1}"#, as: "app/a.json"), .run("sync BRIDGE"),
            .save(#"{"a":2.50,"b":2,"c":1}"#, as: "app/a.json"),
            .save(#"{"a":3.50,"b":1,"c":3}"#, as: "group/a.json"),
            .run("sync BRIDGE"), .run("status BRIDGE"), .run("conflicts BRIDGE"), .run("why BRIDGE a.json"),
            .run("sync BRIDGE --profile budget"), .run("sync BRIDGE --profile nonsense"),
        ] + documents + migration + lab

    private static let documents: [Step] = [
        .save(#"{"a":1,"b":[1,2]}"#, as: "one.json"), .save(#"{"a":2,"b":[1,2,3]}"#, as: "two.json"),
        .save(#"[{"op":"replace","path":"/a","value":3}]"#, as: "patch.json"),
        .save(#"{"a":1,"a":2}"#, as: "twice.json"),
        .run("json check one.json"), .run("json check twice.json"), .run("json check missing.json"),
        .run("json hash one.json"), .run("json diff one.json two.json"),
        .run("json patch one.json patch.json"), .run("json merge one.json two.json one.json"),
        .run("store put a.xml month Gennaio --as shared-preferences --type string"),
        .run("store put a.xml spent 450 --type int32"), .run("store put a.xml spent x"),
        .run("store put a.xml spent 1 --expect none"), .run("store list a.xml"),
        .run("store list a.xml --json"), .run("store get a.xml spent"), .run("store get a.xml none"),
        .run("reloads simulate --profile todo"), .run("reloads simulate --profile todo --budget 288 --json"),
        .run("reloads simulate --profile budget --day -", input: #"{"at":"25:00","kind":"BudgetWidget"}"#),
    ]

    private static let migration: [Step] = [
        .copy("budget.json", to: "documents/budget.json"), .run("profile list"), .run("profile show budget"),
        .run("migrate status documents --profile budget"),
        .run("migrate plan documents --profile budget --to 2"),
        .run("migrate plan documents --profile budget --to 2 --json"),
        .run("migrate apply documents --profile budget --to 2 --allow-lossy"),
        .run("migrate verify documents --profile budget"),
        .run("migrate status documents --profile budget"),
        .run("migrate rollback documents --profile budget"),
        .run("migrate status documents --profile budget"),
        .run("migrate apply documents --profile budget --to 9"),
    ]

    private static let lab: [Step] = [
        .run("race presets"), .run("race show stat-recheck"),
        .run("race explore --preset stat-recheck --bound 1"),
        .run("race explore --preset stat-recheck --bound 1 --own-engine"),
        .run("race explore --preset nonsense"), .run("race replay one.json"),
    ]

    // MARK: Pages

    private func pages() async throws -> String {
        var printed = ""
        var commands = [[]] as [[String]]
        while let command = commands.popLast() {
            let page = try await Binary.run(["help"] + command)
            printed += "$ widgetbridge help \(command.joined(separator: " "))\n\(page.output)\n"
            commands += Self.subcommands(page.output).reversed().map { command + [$0] }
        }
        return try await printed + "$ widgetbridge manual\n" + Binary.run(["manual"]).output
    }

    /// The subcommands that a help page lists.
    private static func subcommands(_ page: String) -> [String] {
        guard let list = page.split(separator: "SUBCOMMANDS:\n").dropFirst().first else { return [] }
        let lines = list.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        return lines.compactMap { line in
            line.hasPrefix("  ") && !line.hasPrefix("   ")
                ? line.split(separator: " ").first.map(String.init) : nil
        }
    }
}
