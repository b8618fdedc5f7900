/// What `widgetbridge help` explains beside the commands: the manual page of a file's format, as plain text.
enum HelpTopic: String, CaseIterable {
    case scenario

    /// `nil` if the arguments ask for another help, or for none.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    private var page: ManualPage {
        switch self {
        case .scenario: .scenario
        }
    }

    func text(_ layout: Layout) -> String {
        var lines = layout.wrapped("", "\(page.name.rawValue): \(page.abstract)")
        for section in page.sections {
            lines += ["", section.title]
            for block in section.blocks { lines += Self.lines(block, layout) }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private static func lines(_ block: ManualBlock, _ layout: Layout) -> [String] {
        switch block {
        case .heading(let title): ["", "  \(plain(title))"]
        case .text(let text): layout.wrapped("  ", plain(text))
        case .code(let text):
            text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        case .terms(let terms):
            terms.flatMap { layout.wrapped("  " + plain($0.tag) + "  ", plain($0.text)) }
        }
    }

    /// Without the marks of the manual's texts.
    private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }
}
