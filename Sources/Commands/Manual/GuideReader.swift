/// Reads a page of the guides as sections of a manual page: the guides alone describe commands and formats.
///
/// Of Markdown it knows what those pages use: headings, paragraphs, lists, blocks of code, tables, emphasis
/// and links to other pages.
struct GuideReader {
    private var lines: ArraySlice<Substring>
    private var sections: [ManualSection] = []

    static func sections(of guide: some Collection<UInt8>) -> [ManualSection] {
        let text = String(decoding: guide, as: UTF8.self)
        var reader = Self(lines: text.split(separator: "\n", omittingEmptySubsequences: false)[...])
        while let line = reader.lines.first, line != "## See also" { reader.readBlock(line) }
        return reader.sections
    }

    private init(lines: ArraySlice<Substring>) { self.lines = lines }

    private mutating func readBlock(_ line: Substring) {
        if line.hasPrefix("#") {
            readHeading(lines.removeFirst())
        } else if line.isEmpty {
            lines.removeFirst()
        } else if line.hasPrefix("```") {
            lines.removeFirst()
            add(.code(take { !$0.hasPrefix("```") }.joined(separator: "\n")))
            lines.removeFirst()
        } else if line.hasPrefix("|") {
            readTable()
        } else if let bullet = Self.bullet(of: line) {
            let text = [lines.removeFirst().dropFirst(bullet.count)] + take { $0.hasPrefix("  ") }
            add(.terms([ManualTerm(bullet == "-" ? "•" : String(bullet), Self.text(text))]))
        } else {
            add(.text(Self.text(take { !$0.isEmpty })))
        }
    }

    /// What begins an item of a list, such as `-` or `1.`.
    private static func bullet(of line: Substring) -> Substring? {
        let word = line.prefix { $0 != " " }
        return word == "-" || word.last == "." && word.dropLast().allSatisfy(\.isNumber) ? word : nil
    }

    /// A page's title and the headings below it begin sections.
    private mutating func readHeading(_ line: Substring) {
        let title = String(line.drop { $0 == "#" }.dropFirst())
        switch line.prefix(while: { $0 == "#" }).count {
        case 1, 3: sections.append(ManualSection(title.uppercased(), []))
        case 2: break
        default: add(.heading(title))
        }
    }

    private mutating func add(_ block: ManualBlock) { sections[sections.count - 1].blocks.append(block) }

    private mutating func take(while isTaken: (Substring) -> Bool) -> ArraySlice<Substring> {
        let taken = lines.prefix(while: isTaken)
        lines.removeFirst(taken.count)
        return taken
    }

    // MARK: Tables

    private mutating func readTable() {
        let rows = take { $0.hasPrefix("|") }.map(Self.cells)
        guard let head = rows.first else { return }
        // Nothing else says whose keys these are, or where the table before it ends.
        var isBehindTable = false
        if case .terms = sections.last?.blocks.last { isBehindTable = true }
        if let word = head.first, word.hasPrefix("key of") || isBehindTable {
            add(.heading(Self.capitalized(word)))
        }
        add(.terms(rows.dropFirst(2).map { Self.term($0, head) }))
    }

    /// The texts between the bars that are not in code.
    private static func cells(_ row: Substring) -> [String] {
        var isCode = false
        let cells = row.dropFirst().dropLast().split(omittingEmptySubsequences: false) { character in
            if character == "`" { isCode.toggle() }
            return character == "|" && !isCode
        }
        return cells.map { text([$0]) }
    }

    /// What stands above a column whose texts need no word before them.
    private static let descriptions: Set = [
        "meaning", "does", "result", "contents", "found when", "a bridge that",
    ]

    private static func term(_ cells: [String], _ head: [String]) -> ManualTerm {
        let others = zip(head, cells).dropFirst().filter { !["", "–"].contains($0.1) }
        let texts =
            others.filter { descriptions.contains($0.0) }.map(\.1)
            + others.filter { !descriptions.contains($0.0) }.map {
                $0.1 == "required" ? $0.1 : "\($0.0): \($0.1)"
            }
        return ManualTerm(cells[0], texts.map(sentence).joined(separator: " "))
    }

    // MARK: Texts

    private static func sentence(_ text: String) -> String {
        capitalized(text) + (text.hasSuffix(".") ? "" : ".")
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// One line, in which only code is marked.
    private static func text(_ lines: some Sequence<Substring>) -> String {
        var isCode = false
        let words = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        let linked = words.replacing(/<doc:(\w+)>/) { ManualPageName.page(ofGuide: String($0.1)) }
        return linked.filter { character in
            if character == "`" { isCode.toggle() }
            return character != "*" || isCode
        }
    }
}
