/// A manual page.
///
/// In its texts `code` is in backticks, and <the name of a value> in angle brackets.
struct ManualPage {
    var name: ManualPageName
    var abstract: String
    var sections: [ManualSection]

    /// Date of the last revision of the texts: man(7) requires one, and a reproducible
    /// build cannot use today's.
    static let date = "2026-11-23"
}

struct ManualSection {
    var title: String
    var blocks: [ManualBlock]

    init(_ title: String, _ blocks: [ManualBlock]) {
        self.title = title
        self.blocks = blocks
    }
}

/// The manual pages, by the name that is given to man(1).
enum ManualPageName: String, CaseIterable {
    case widgetbridge
    case configuration = "widgetbridge.yaml"
    case scenario = "widgetbridge-scenario"

    /// The section of the manual: programs, or file formats.
    var section: Int {
        switch self {
        case .widgetbridge: 1
        case .configuration, .scenario: 5
        }
    }

    func page() throws -> ManualPage {
        switch self {
        case .widgetbridge: try ProgramManual.page()
        case .configuration: ConfigurationManual.page
        case .scenario: ScenarioManual.page
        }
    }
}

enum ManualBlock {
    case heading(String)
    case text(String)
    /// Preformatted lines.
    case code(String)
    case terms([ManualTerm])
}

/// A term, such as an option, and its explanation.
struct ManualTerm {
    var tag: String
    var text: String
    /// Preformatted lines.
    var code: String?

    init(_ tag: String, _ text: String, code: String? = nil) {
        self.tag = tag
        self.text = text
        self.code = code
    }
}

/// The keys of a mapping in a YAML file.
struct ManualTable {
    struct Key {
        var name: String
        /// The value's syntax; empty if the text describes it.
        var value: String
        var text: String
        var defaultValue: String?

        init(_ name: String, _ value: String = "", _ text: String, default defaultValue: String? = nil) {
            self.name = name
            self.value = value
            self.text = text
            self.defaultValue = defaultValue
        }
    }

    var keys: [Key]

    init(_ keys: [Key]) { self.keys = keys }

    var terms: ManualBlock {
        .terms(
            keys.map { key in
                let tag = "`\(key.name):`" + (key.value.isEmpty ? "" : " \(key.value)")
                return ManualTerm(tag, key.text + (key.defaultValue.map { " Default: `\($0)`." } ?? ""))
            }
        )
    }
}
