import Foundation
import Testing

/// The examples of README.md or an article that can be tested.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    /// A line that begins with `$ `, and its output.
    struct Command: Equatable, Sendable {
        var text: String
        var output: [String]
        var line: Int
        /// Whether it continues while the next commands run.
        var isInBackground: Bool { text.hasSuffix(" &") }
    }

    /// The path from the project's root.
    var path: String
    var text: String
    /// All blocks marked `console`, in order, which run in one shell.
    var commands: [Command] = []
    /// The text of all blocks, by their language.
    var blocks: [String: [String]] = [:]
    /// All blocks in Swift.
    var examples: [String] { blocks["swift"] ?? [] }

    var testDescription: String { path }

    init(_ text: String, path: String = "") {
        self.path = path
        self.text = text
        var block: (language: String, lines: [(number: Int, text: String)])?
        for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
            guard line.hasPrefix("```") else {
                block?.lines.append((number, String(line)))
                continue
            }
            if let (language, lines) = block {
                if language == "console" { commands += Self.commands(in: lines) }
                blocks[language, default: []].append(lines.map(\.text).joined(separator: "\n"))
                block = nil
            } else {
                block = (String(line.dropFirst(3)), [])
            }
        }
    }

    static let readme = "README.md"
    static let catalogue = "Sources/WidgetBridge/WidgetBridge.docc"

    /// README.md and all articles.
    static var all: [DocumentationPage] {
        get throws {
            let articles = try Project.names(in: catalogue).filter { $0.hasSuffix(".md") }
            return try ([readme] + articles.map { "\(catalogue)/\($0)" }).map {
                DocumentationPage(try Project.text(of: $0), path: $0)
            }
        }
    }

    private static func commands(in lines: [(number: Int, text: String)]) -> [Command] {
        var commands: [Command] = []
        /// What must still come before the command is whole: the end of a here-document, or of a broken line.
        var ending: String?
        var isBroken = false
        for (number, line) in lines {
            if let last = commands.indices.last, ending != nil || isBroken {
                commands[last].text += "\n" + line
                if line == ending { ending = nil }
                isBroken = ending == nil && line.hasSuffix("\\")
            } else if line.hasPrefix("$ ") {
                commands.append(Command(text: String(line.dropFirst(2)), output: [], line: number))
                ending = line.firstMatch(of: /<<'?(\w+)'?/).map { String($0.1) }
                isBroken = line.hasSuffix("\\")
            } else if let last = commands.indices.last {
                commands[last].output.append(line)
            }
        }
        return commands
    }
}

/// What was printed is what is shown. `…` stands for anything in a line, and alone on a line for any lines;
/// how long something took differs from run to run.
func matches(shown: [String], printed: [String]) -> Bool {
    guard let pattern = shown.first else { return printed.allSatisfy { $0.isEmpty } }
    let rest = Array(shown.dropFirst())
    if pattern == "…" {
        return (0...printed.count).contains { matches(shown: rest, printed: Array(printed.dropFirst($0))) }
    }
    guard let line = printed.first, matches(shown: pattern, printed: line) else { return false }
    return matches(shown: rest, printed: Array(printed.dropFirst()))
}

private func matches(shown: String, printed: String) -> Bool {
    let pieces = withoutTimes(shown).components(separatedBy: "…")
    var text = Substring(withoutTimes(printed))
    guard let first = pieces.first, text.hasPrefix(first) else { return false }
    guard pieces.count > 1, let last = pieces.last else { return text == first }
    text = text.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
        guard let place = text.firstRange(of: piece) else { return false }
        text = text[place.upperBound...]
    }
    return text.hasSuffix(last)
}

private func withoutTimes(_ line: String) -> String {
    line.replacing(/\ *[0-9]+(\.[0-9]+)? (ms|s)\b/, with: " N ms")
}
