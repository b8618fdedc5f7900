/// Fits text into the width of a terminal. Printed elsewhere, every line stays whole.
///
/// Words are never cut: a path, a hash or a command in backticks can be copied, even if it is wider than
/// the terminal.
struct Layout {
    /// The width of the terminal; `nil` if there is none.
    var columns: Int?

    /// How far what goes on in the next line is indented.
    private static let indent = 4

    /// A part of a row, with the style in which it is shown.
    struct Part {
        var text: String
        var style: ((String) -> String)?
    }

    /// Wraps the text behind a start, or below it if there is no room beside it.
    func wrapped(_ start: String, _ text: String) -> [String] {
        guard let columns else { return [(start + text).withoutTrailingSpace] }
        return text.wrapped(behind: start, to: columns)
    }

    /// Parts beside each other, two spaces apart. A part that does not fit goes into the next line, indented.
    func row(_ parts: [Part]) -> [String] {
        let texts = parts.map(\.text).filter { !$0.isEmpty }
        guard let columns else { return styled([texts.joined(separator: "  ")], parts) }
        let words = texts.flatMap { text in
            let words = text.displayWidth > columns - Self.indent ? text.words : [text]
            return words.enumerated().map { (gap: $0.offset == 0 ? 2 : 1, text: $0.element) }
        }
        return styled(filled(words, behind: "", hanging: Self.indent, to: columns), parts)
    }

    /// A text with some styled parts, in their order. What does not fit goes on, indented, in the next line.
    func lines(_ text: String, _ parts: [Part] = []) -> [String] {
        styled(columns.map { text.wrapped(behind: "", hanging: Self.indent, to: $0) } ?? [text], parts)
    }

    /// Each text in a line of its own, and in those below it where it is too long.
    func paragraphs(_ texts: [String]) -> String {
        texts.flatMap { lines($0.withoutControls) }.map { "\($0)\n" }.joined()
    }

    /// Rows in columns below their heads. Where they are wider than the terminal, the text of the widest
    /// columns goes on in more lines. If not even their longest words fit, columns that have only cells of
    /// `idle` are left out; if that is not enough, each row stands alone.
    func table(
        _ head: [String],
        _ rows: [[String]],
        idle: Set<String> = [],
        styled style: (String) -> String
    ) -> [String] {
        guard let widths = widths(of: [head] + rows) else {
            let busy = head.indices.filter { column in !rows.allSatisfy { idle.contains($0[column]) } }
            if busy.count < head.count, widths(of: ([head] + rows).map { $0.picked(busy) }) != nil {
                return table(head.picked(busy), rows.map { $0.picked(busy) }, styled: style)
            }
            return row(head.map { Part(text: $0) }).map(style)
                + rows.flatMap { row($0.map { Part(text: $0) }) }
        }
        func lines(_ cells: [String]) -> [String] {
            let parts = zip(cells, widths).map { $0.wrapped(behind: "", hanging: 0, to: $1) }
            return (0..<(parts.map(\.count).max() ?? 0)).map { number in
                zip(parts, widths).map { (number < $0.count ? $0[number] : "").padded(to: $1) }
                    .joined(separator: "  ").withoutTrailingSpace
            }
        }
        return lines(head).map(style) + rows.flatMap(lines)
    }

    /// The widths of the columns of a table; `nil` if the terminal is too narrow for them.
    private func widths(of rows: [[String]]) -> [Int]? {
        func widest(_ width: (String) -> Int) -> [Int] {
            (rows.first ?? []).indices.map { column in rows.map { width($0[column]) }.max() ?? 0 }
        }
        var widths = widest(\.displayWidth)
        guard let columns else { return widths }
        let least = widest { $0.words.map(\.displayWidth).max() ?? 0 }
        var excess = widths.reduce(2 * (widths.count - 1), +) - columns
        while excess > 0 {
            let wide = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// Shows the parts, in their order, in their styles. A part that was wrapped has none.
    func styled(_ lines: [String], _ parts: [Part]) -> [String] {
        guard parts.contains(where: { $0.style != nil }) else { return lines }
        var parts = parts.filter { !$0.text.isEmpty }[...]
        return lines.map { line in
            var (shown, rest) = ("", line[...])
            while let next = parts.firstIndex(where: { rest.contains($0.text) }),
                let place = rest.firstRange(of: parts[next].text)
            {
                shown +=
                    rest[..<place.lowerBound] + (parts[next].style?(parts[next].text) ?? parts[next].text)
                rest = rest[place.upperBound...]
                parts = parts[(next + 1)...]
            }
            return shown + rest
        }
    }
}

/// Fills lines with words. Each has a number of spaces before it, unless it begins a line.
private func filled(
    _ words: [(gap: Int, text: String)],
    behind start: String,
    hanging: Int,
    to width: Int
) -> [String] {
    let indent = String(repeating: " ", count: hanging)
    var lines: [String] = []
    var line = start
    var used = start.displayWidth
    var isEmpty = true
    for (gap, word) in words {
        let wordWidth = word.displayWidth
        if !isEmpty, used + gap + wordWidth > width {
            lines.append(line.withoutTrailingSpace)
            (line, used, isEmpty) = (indent, hanging, true)
        }
        // Of several spaces at the break none is left.
        if isEmpty, word.isEmpty, !lines.isEmpty { continue }
        line += isEmpty ? word : String(repeating: " ", count: gap) + word
        used += wordWidth + (isEmpty ? 0 : gap)
        isEmpty = false
    }
    return lines + [line.withoutTrailingSpace]
}

extension [String] {
    fileprivate func picked(_ indices: [Int]) -> [String] { indices.map { self[$0] } }
}

extension String {
    /// The least room for text beside its start.
    private static let leastRoom = 20

    /// Wraps at spaces, so that no line is wider than `width` if possible.
    func wrapped(behind start: String, to width: Int) -> [String] {
        let indent = start.displayWidth
        if indent <= 8 || width - indent >= Self.leastRoom {
            return wrapped(behind: start, hanging: indent, to: width)
        }
        let head = start.withoutTrailingSpace
        let parts = head.split(separator: "  ").map { (gap: 2, text: String($0)) }
        let above = head.displayWidth > width ? filled(parts, behind: "", hanging: 4, to: width) : [head]
        return above + wrapped(behind: "    ", hanging: 4, to: width)
    }

    /// - Parameter hanging: how far the second line and the following ones are indented.
    func wrapped(behind start: String, hanging: Int, to width: Int) -> [String] {
        filled(words.map { (1, $0) }, behind: start, hanging: hanging, to: width)
    }

    /// Splits into words. A command in backticks counts as one word, so that it can be copied whole.
    fileprivate var words: [String] {
        var words: [String] = []
        var isOpen = false
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if isOpen { words[words.count - 1] += " \(word)" } else { words.append(String(word)) }
            if !word.count(where: { $0 == "`" }).isMultiple(of: 2) { isOpen.toggle() }
        }
        return words
    }

    var withoutTrailingSpace: String {
        var result = self
        while result.last == " " { result.removeLast() }
        return result
    }

    /// Cuts the middle, because names differ at their ends.
    func shortened(to width: Int) -> String {
        guard displayWidth > width, width > 1 else { return self }
        let end = (width - 1) / 2
        return "\(prefix(ofWidth: width - 1 - end))…\(suffix(ofWidth: end))"
    }

    func paddedInFront(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth)) + self
    }
}
