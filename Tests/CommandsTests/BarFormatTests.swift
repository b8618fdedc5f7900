import BridgeRuntime
import Documents
import Foundation
import Model
import Reloads
import Testing

@testable import Commands

/// A reader of each bar's protocol, written from its documentation.
private enum BarReader {
    struct Update: Equatable {
        var text: String
        var tooltip: String?
        var state: String?
        var percentage: Int?
    }

    /// waybar-custom(5), `return-type: json`: one object on a line, with `text`, `alt`, `tooltip`, `class`
    /// and `percentage`; text and tooltip are Pango markup.
    static func waybar(_ line: String) throws -> Update {
        struct Object: Decodable {
            var text: String
            var alt: String
            var tooltip: String
            var `class`: String
            var percentage: Int?
        }
        let object = try JSONDecoder().decode(Object.self, from: Data(line.utf8))
        #expect(object.alt == object.class)
        let (text, tooltip) = (try pango(object.text), try pango(object.tooltip))
        return Update(text: text, tooltip: tooltip, state: object.class, percentage: object.percentage)
    }

    struct InvalidMarkup: Error {}

    /// The text of markup without tags: an entity for each special character.
    private static func pango(_ markup: String) throws -> String {
        guard !markup.contains("<"), !markup.contains(">") else { throw InvalidMarkup() }
        var text = ""
        var rest = markup[...]
        while let start = rest.firstIndex(of: "&") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";"),
                let character = entities[String(rest[start...end])]
            else { throw InvalidMarkup() }
            text += character
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    private static let entities = [
        "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'",
    ]

    /// The manual of eww, `deflisten`: each line is the variable's new value; `var.key` reads its JSON.
    static func eww(_ line: String) throws -> Update {
        struct Value: Decodable {
            var text: String
            var tooltip: String
            var `class`: String
            var percentage: Int?
        }
        let value = try JSONDecoder().decode(Value.self, from: Data(line.utf8))
        return Update(
            text: value.text,
            tooltip: value.tooltip,
            state: value.class,
            percentage: value.percentage
        )
    }

    /// i3blocks(1), `interval=persist`, `format=json`: an object of the i3bar protocol on a line.
    /// `full_text` is required, and keys of a program's own begin with an underscore.
    static func i3blocks(_ line: String) throws -> Update {
        struct Block: Decodable {
            var text: String
            var urgent: Bool
            var state: String

            enum CodingKeys: String, CodingKey {
                case text = "full_text"
                case urgent
                case state = "_class"
            }
        }
        let keys = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]).keys
        let known: Set = ["full_text", "short_text", "urgent"]
        #expect(keys.allSatisfy { known.contains($0) || $0.hasPrefix("_") })
        let block = try JSONDecoder().decode(Block.self, from: Data(line.utf8))
        return Update(text: block.text, state: block.state)
    }

    struct FormattingTag: Error {}

    /// The wiki of polybar, `custom/script` with `tail`: the last line is shown; `%{` begins a tag.
    static func polybar(_ line: String) throws -> Update {
        if line.contains("%{") { throw FormattingTag() }
        return Update(text: line.replacing("\u{200B}", with: ""))
    }
}

@Suite struct BarFormatTests {
    private let line = BarLine(
        text: "450.50 € <b> & %{F#f00} \"x\"\n\u{202E}y",
        tooltip: "budget.json: stale, it's old",
        state: .stale,
        percentage: 56
    )
    private let text = "450.50 € <b> & %{F#f00} \"x\"  y"

    @Test(arguments: BarFormat.allCases)
    func `Every format is one line`(_ format: BarFormat) {
        #expect(!format.line(line).contains { $0.isNewline })
    }

    @Test func `A bar reads what is shown, whatever characters it has`() throws {
        let all = BarReader.Update(text: text, tooltip: line.tooltip, state: "stale", percentage: 56)
        #expect(try BarReader.waybar(BarFormat.waybar.line(line)) == all)
        #expect(try BarReader.eww(BarFormat.eww.line(line)) == all)
        let block = BarReader.Update(text: text, state: "stale")
        #expect(try BarReader.i3blocks(BarFormat.i3blocks.line(line)) == block)
        #expect(try BarReader.polybar(BarFormat.polybar.line(line)) == BarReader.Update(text: text))
        #expect(BarFormat.template.line(line) == text)
    }
}

@Suite struct LineTemplateTests {
    private func text(_ template: String, _ json: String) throws -> String {
        try LineTemplate(parsing: template).text(of: JSON(parsing: Array(json.utf8)))
    }

    @Test func `Fields are replaced by their values, exactly as the document has them`() throws {
        let json = #"{"data":{"spent":450.50,"on":true,"none":null,"a/b":"é"},"list":["x","y"]}"#
        #expect(try text("{data.spent} of {list.1}", json) == "450.50 of y")
        #expect(try text("{{{data.on}}} {data.none}{data.missing}", json) == "{true} ")
        #expect(try text("{/data/a~1b}, {#list}, {#data}, {#nothing}", json) == "é, 2, 4, ")
    }

    @Test(arguments: ["{", "}", "a {b", "a} b", "{}", "{#}", "{a..b}", "{/a~2}"])
    func `A template that is none is refused`(_ template: String) {
        #expect(throws: BarError.self) { try LineTemplate(parsing: template) }
    }

    @Test func `A field that documents cannot have is refused`() throws {
        let profile = try #require(Profile.builtIn("budget"))
        let template = try LineTemplate(parsing: "{data.spnt}")
        #expect(throws: BarError.unknownField("/data/spnt", document: "budget.json")) {
            try BarTarget(kind: "BudgetWidget", document: nil, template: template, profile)
        }
    }

    @Test func `What has no elements is not counted, and an object without listed fields may have any`()
        throws
    {
        let profile = try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    kinds: {K: {}}
                    version: shapes
                    versions:
                      1: {schema: {properties: {city: {type: string}, more: {type: object}, list: {}}}}
                """,
            file: "p.yaml"
        )
        func check(_ template: String) throws {
            let line = try LineTemplate(parsing: template)
            _ = try BarTarget(kind: nil, document: nil, template: line, profile)
        }
        try check("{#more} {more.a.b} {#more.a} {#list} {city}")
        #expect(throws: BarError.notCountable("/city", document: "d.json")) { try check("{#city}") }
        #expect(throws: BarError.unknownField("/city/a", document: "d.json")) { try check("{city.a}") }
    }

    @Test func `A kind of several documents needs one of them`() throws {
        let profile = try Profile(
            yaml: "profile: p\ndocuments: {a.json: {kinds: {K: {}, L: {}}}, b.json: {kinds: {K: {}}}}",
            file: "p.yaml"
        )
        let template = try LineTemplate(parsing: "{x}")
        #expect(throws: ShownTarget.Fault.severalDocuments(kind: "K", ["a.json", "b.json"])) {
            try BarTarget(kind: "K", document: nil, template: template, profile)
        }
        #expect(try BarTarget(kind: "L", document: nil, template: template, profile).shown.kind == "L")
    }

    @Test func `A kind that does not exist is named`() throws {
        let profile = try #require(Profile.builtIn("budget"))
        let error = BridgeError.unknownKind("Nope", known: ["BudgetWidget"])
        #expect(throws: error) { try BarTarget(kind: "Nope", document: nil, template: nil, profile) }
    }

    @Test(arguments: Profile.builtInNames)
    func `Every kind of the built-in profiles has a template`(_ name: String) throws {
        let profile = try #require(Profile.builtIn(name))
        for kind in profile.documents.flatMap(\.kinds) {
            let target = try BarTarget(kind: kind.name, document: nil, template: nil, profile)
            #expect(target.painter.rule.kinds.contains { $0.name == kind.name })
        }
    }

    @Test func `What is to be shown must be clear`() throws {
        let profile = try #require(Profile.builtIn("finance"))
        #expect(throws: ShownTarget.Fault.notOf(kind: "PennyWidget", document: "finance.json")) {
            try BarTarget(kind: "PennyWidget", document: RelativePath("finance.json"), template: nil, profile)
        }
        let pattern = try Profile(
            yaml: "{format: 1, profile: p, documents: {'n/*.json': {kinds: {N: {}}}}}",
            file: "p.yaml"
        )
        #expect(throws: ShownTarget.Fault.severalDocuments(kind: "N", ["n/*.json"])) {
            try ShownTarget(kind: "N", document: nil, pattern)
        }
        // A document that the profile does not name is a kind of its own name.
        #expect(try ShownTarget(kind: "a.json", document: nil, pattern).document == RelativePath("a.json"))
        #expect(throws: ShownTarget.Fault.notOf(kind: "b.json", document: "a.json")) {
            try ShownTarget(kind: "b.json", document: RelativePath("a.json"), nil)
        }
        #expect(throws: ShownTarget.Fault.noDocument(known: [])) {
            try BarTarget(kind: nil, document: nil, template: nil, nil)
        }
        #expect(throws: BarError.noTemplate(kind: "a.json")) {
            try BarTarget(kind: "a.json", document: nil, template: nil, nil)
        }
    }
}
