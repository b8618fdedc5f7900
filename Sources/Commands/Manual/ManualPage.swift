/// A manual page.
///
/// In its texts `code` is in backticks, and <the name of a value> in angle brackets.
struct ManualPage {
    var name: ManualPageName
    var abstract: String
    var sections: [ManualSection]

    /// Date of the last revision of the texts: man(7) requires one, and a reproducible
    /// build cannot use today's.
    static let date = "2026-11-29"
}

struct ManualSection {
    var title: String
    var blocks: [ManualBlock]

    init(_ title: String, _ blocks: [ManualBlock]) {
        self.title = title
        self.blocks = blocks
    }

    static func seeAlso(_ pages: String) -> Self {
        let guides = "The guides that this page names come with the source of widgetbridge."
        return Self("SEE ALSO", [.text(pages), .text(guides)])
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

    /// How a page refers to a guide.
    static func page(ofGuide guide: String) -> String {
        switch guide {
        case "CommandLine": "`widgetbridge`(1)"
        case "Configuration", "Profiles": "`widgetbridge.yaml`(5)"
        case "Scenarios": "`widgetbridge-scenario`(5)"
        default: "the guide \(guide)"
        }
    }

    func page() throws -> ManualPage {
        switch self {
        case .widgetbridge: try ProgramManual.page()
        case .configuration: .configuration
        case .scenario: .scenario
        }
    }
}

extension ManualPage {
    static let configuration = ManualPage(
        .configuration,
        "bridges and profiles of widgetbridge",
        guides: [PackageResources.Configuration_md, PackageResources.Profiles_md],
        seeAlso: "`widgetbridge`(1), `widgetbridge-scenario`(5)"
    )

    static let scenario = ManualPage(
        .scenario,
        "scenarios of widgetbridge's race lab",
        guides: [PackageResources.Scenarios_md],
        seeAlso: "`widgetbridge`(1), `widgetbridge.yaml`(5)"
    )

    private init(_ name: ManualPageName, _ abstract: String, guides: [[UInt8]], seeAlso: String) {
        (self.name, self.abstract) = (name, abstract)
        sections = guides.flatMap { GuideReader.sections(of: $0) }
        sections.append(.seeAlso(seeAlso))
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

    init(_ tag: String, _ text: String) {
        self.tag = tag
        self.text = text
    }
}
