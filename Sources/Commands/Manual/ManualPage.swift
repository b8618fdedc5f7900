/// A page of the manual.
///
/// In its texts `code` stands in backticks, and <the name of a value> in angle brackets.
struct ManualPage {
    var name: ManualPageName
    var abstract: String
    var sections: [ManualSection]

    /// When the texts were last revised: man(7) wants a date, and a reproducible build has none.
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

/// A page by the name that man(1) takes.
enum ManualPageName: String, CaseIterable {
    case widgetbridge
    case configuration = "widgetbridge.yaml"

    /// The section of the manual: programs, or the formats of files.
    var section: Int {
        switch self {
        case .widgetbridge: 1
        case .configuration: 5
        }
    }

    func page() throws -> ManualPage {
        switch self {
        case .widgetbridge: try ProgramManual.page()
        case .configuration: ConfigurationManual.page
        }
    }
}

enum ManualBlock {
    case heading(String)
    case text(String)
    /// Lines as they are written.
    case code(String)
    case terms([ManualTerm])
}

/// A word or an option, and what is said of it.
struct ManualTerm {
    var tag: String
    var text: String
    /// Lines as they are written.
    var code: String?

    init(_ tag: String, _ text: String, code: String? = nil) {
        self.tag = tag
        self.text = text
        self.code = code
    }
}

/// Keys of one mapping of a YAML file.
struct ManualTable {
    struct Key {
        var name: String
        /// What stands behind the name; empty where the text tells it.
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
