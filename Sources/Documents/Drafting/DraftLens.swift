/// One lens of a drafted profile, as lines of YAML.
struct DraftLens {
    /// The YAML of the lens; `nil` if there is only a note.
    var text: String?
    /// The field that the inner lenses apply to.
    var field: String?
    var inner: [DraftLens] = []
    /// The question that a person has to decide.
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

    /// A lens that applies `inner` at a field; `nil` if `inner` is empty.
    static func scope(_ name: String, at key: String, _ inner: [DraftLens]) -> DraftLens? {
        if inner.isEmpty { return nil }
        guard inner.contains(where: { $0.text != nil }) else {
            return .note(inner.compactMap(\.note).map { "in `\(key)`: \($0)" }.joined(separator: "; "))
        }
        let pointer = JSONPointer(tokens: [Array(key.utf8)]).description
        return DraftLens(text: name, field: JSONText(pointer).description, inner: inner)
    }
}

/// A comment line that marks a decision for a person.
func draftNote(_ text: String, _ indent: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    return "\(indent)# DECIDE: \(line)"
}
