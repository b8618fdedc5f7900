/// One lens of a draft, as lines of YAML.
struct DraftLens {
    /// Nothing but a note, where `nil`.
    var text: String?
    /// Where the inner ones run.
    var field: String?
    var inner: [DraftLens] = []
    /// What a person has to decide.
    var note: String?

    static func lens(_ name: String, _ fields: [(String, String)], note: String? = nil) -> DraftLens {
        let members = fields.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
        return DraftLens(text: "\(name): {\(members)}", note: note)
    }

    static func note(_ text: String) -> DraftLens { DraftLens(text: nil, note: text) }

    func lines(_ indent: String) -> [String] {
        let notes = note.map { [draftNote($0, indent)] } ?? []
        guard let text else { return notes }
        guard let field else { return notes + ["\(indent)- \(text)"] }
        return notes + ["\(indent)- \(text):", "\(indent)    field: \(field)", "\(indent)    lenses:"]
            + inner.flatMap { $0.lines(indent + "      ") }
    }

    /// Lenses that run in each value at a place; `nil` where there are none.
    static func scope(_ name: String, at key: String, _ inner: [DraftLens]) -> DraftLens? {
        if inner.isEmpty { return nil }
        guard inner.contains(where: { $0.text != nil }) else {
            return .note(inner.compactMap(\.note).map { "in `\(key)`: \($0)" }.joined(separator: "; "))
        }
        let pointer = JSONPointer(tokens: [Array(key.utf8)]).description
        return DraftLens(text: name, field: JSONText(pointer).description, inner: inner)
    }
}

/// A line that a person has to look at.
func draftNote(_ text: String, _ indent: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    return "\(indent)# DECIDE: \(line)"
}
