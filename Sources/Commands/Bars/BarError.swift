import BridgeRuntime

/// An error that has its own message.
protocol ErrorWithProse: Error {
    var prose: ErrorProse { get }
}

/// Why a line for a status bar cannot be made.
enum BarError: ErrorWithProse, Hashable {
    case openBrace(String)
    case noField(String, in: String)
    case unknownField(String, document: String)
    /// The template counts the elements of a value that has none.
    case notCountable(String, document: String)
    /// The profile has no template for this kind.
    case noTemplate(kind: String)

    var prose: ErrorProse {
        switch self {
        case .openBrace(let text):
            ErrorProse(
                "a brace in the template has no partner",
                at: "`\(text)`",
                "write `{{` for a brace",
                .usage
            )
        case .noField(let name, let text):
            ErrorProse("`{\(name)}` names no field", at: "`\(text)`", "name it as `{data.spent}`", .usage)
        case .unknownField(let field, let document):
            ErrorProse(
                "the template's field is unknown",
                at: "`\(field)` in \(document)",
                "the schema of its newest version has the fields",
                .usage
            )
        case .notCountable(let field, let document):
            ErrorProse(
                "the template counts the elements of a value that has none",
                at: "`\(field)` in \(document)",
                "leave out `#`, which is for lists and objects",
                .usage
            )
        case .noTemplate(let kind):
            ErrorProse(
                "there is no template for the kind",
                at: "`\(kind)`",
                "give one with --template",
                .usage
            )
        }
    }
}

extension ShownTarget.Fault: ErrorWithProse {
    var prose: ErrorProse {
        switch self {
        case .noDocument(let known):
            ErrorProse(
                "a line shows one document, and none is chosen",
                known.isEmpty
                    ? "choose with --document" : "choose with --kind one of \(known.joined(separator: ", "))",
                .usage
            )
        case .severalDocuments(let kind, let documents):
            ErrorProse(
                "a line shows one document, and the kind shows several",
                at: "`\(kind)`",
                "choose with --document one of \(documents.joined(separator: ", "))",
                .usage
            )
        case .notOf(let kind, let document):
            ErrorProse(
                "the document has no such kind",
                at: "`\(kind)` of \(document)",
                "leave one out",
                .usage
            )
        case .noFamily(let family, let kind, let known):
            ErrorProse(
                "the kind has no such family",
                at: "`\(family)` of \(kind)",
                known.isEmpty
                    ? "leave out --family, as the profile names none"
                    : "choose with --family one of \(known.joined(separator: ", "))",
                .usage
            )
        }
    }
}
