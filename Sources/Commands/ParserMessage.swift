import Documents

/// A message of the argument parser, in the form of this program's own messages.
struct ParserMessage {
    /// One line, which begins with a small letter and ends without a full stop.
    let text: String
    /// The nearest valid word: the parser's suggestion for an option, or one of the choices for a value.
    let suggestion: String?

    private static let few = ". Please provide one of "
    private static let many = ". Please provide one of the following:"

    init(_ message: String) {
        let lines = message.split(separator: "\n")
        // A long list of choices has a line for each, as `  - torn-read`.
        let listed = lines.dropFirst().compactMap { line in
            line.hasPrefix("  - ") ? String(line.dropFirst(4)) : nil
        }
        guard let head = lines.first, head.hasSuffix(Self.many), !listed.isEmpty else {
            let parts = lines.joined(separator: " ").split(separator: ". Did you mean '", maxSplits: 1)
            let first = parts.first.map { String($0) } ?? ""
            text = Self.reworded(first.replacing(Self.few, with: ": expected one of "))
            suggestion =
                parts.dropFirst().first?.split(separator: "'").first.map { String($0) }
                ?? Self.nearest(in: first, among: Self.quoted(first, after: Self.few))
            return
        }
        let choices = listed.map { "'\($0)'" }.joined(separator: ", ")
        text = Self.reworded("\(head.dropLast(Self.many.count)): expected one of \(choices)")
        suggestion = Self.nearest(in: String(head), among: listed)
    }

    private static func reworded(_ text: String) -> String {
        let end = text.hasSuffix(".") ? String(text.dropLast()) : text
        return end.prefix(1).lowercased() + end.dropFirst()
    }

    /// From `The value 'X' is invalid for '--NAME <name>'`.
    private static func nearest(in line: String, among choices: [String]) -> String? {
        let parts = line.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[2].hasPrefix(" is invalid for ") else { return nil }
        return nearestWord(to: String(parts[1]), among: choices)
    }

    /// The words in quotes behind `start`.
    private static func quoted(_ line: String, after start: String) -> [String] {
        guard let range = line.firstRange(of: start) else { return [] }
        let parts = line[range.upperBound...].split(separator: "'", omittingEmptySubsequences: false)
        return parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
}
