import Model

/// What both sides have at the end, as a part of a page.
struct EndList {
    let end: EndState
    let narrator: Narrator

    private static let mostDocuments = 12
    private static let mostKept = 8

    var html: String {
        let shown = end.documents.prefix(Self.mostDocuments)
        let rest = end.documents.count - shown.count
        let more = rest > 0 ? "<p>and \(counted(rest, "more document", "more documents"))</p>" : ""
        let title = end.isAtRest ? "At the end" : "Last seen, not at rest"
        return """
            <div class="end">
            <h3>\(title)</h3>
            \(shown.map(document).joined(separator: "\n"))
            \(more)\(kept)
            </div>
            """
    }

    private func document(_ one: EndState.Document) -> String {
        let sides = Side.allCases.map { side in
            "<dt>\(side.rawValue)</dt><dd>\(content(one.sides[side]))</dd>"
        }
        let verdict = one.agrees ? "<b class=\"agrees\">✓" : "<b class=\"differs\">✗"
        return "<p><span>\(one.path.description.escaped)</span> \(verdict) \(one.words.escaped)</b></p>"
            + "<dl>\(sides.joined())</dl>"
    }

    private var kept: String {
        let rows = end.kept.map { name, versions -> String in
            let named = versions.filter { narrator.place($0) != nil }
            let shown = named.prefix(Self.mostKept).map { "<dd>\(content($0))</dd>" }
            let rest = versions.count - shown.count
            let more = rest > 0 ? "<dd>\(shown.isEmpty ? "" : "and ")\(rest) not shown here</dd>" : ""
            return "<dt>\(name)</dt>" + (versions.isEmpty ? "<dd>nothing</dd>" : shown.joined() + more)
        }
        return rows.isEmpty ? "" : "<dl>\(rows.joined())</dl>"
    }

    private func content(_ version: Int) -> String {
        guard version != History.absent else { return "absent" }
        return "\(Chip(narrator, version).html) \(Chip.code(narrator.history.versions[version]))"
    }
}

/// The letter of a content, in its colour.
struct Chip {
    let html: String

    init(_ narrator: Narrator, _ version: Int?) {
        let colour = narrator.place(version).map { " style=\"background:\(LaneDrawing.colour($0))\"" }
        html =
            colour.map { "<i class=\"chip\"\($0)>\(narrator.name(version))</i>" }
            ?? "<i class=\"chip none\">∅</i>"
    }

    static func code(_ version: Version) -> String {
        let text = String(decoding: version.bytes, as: UTF8.self)
        return text.isEmpty ? "empty" : "<code>\(text.shortened(to: 160).escaped)</code>"
    }
}
