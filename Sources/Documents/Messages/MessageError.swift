/// Why a message cannot be read.
package struct MessageError: Error, Sendable, Hashable {
    /// From 1, in Unicode scalars of the message.
    package var column: Int
    package var reason: Reason

    package enum Reason: Sendable, Hashable {
        /// A brace that is not closed.
        case open
        /// A closing brace without an opening one.
        case closing
        /// The argument has no name.
        case noName
        case unknownForm(String)
        case unknownStyle(String, form: String)
        /// A form that needs a style has none.
        case noStyle(form: String)
        /// `plural` or `select` without `other`.
        case noOther(form: String)
        case repeated(String)
        /// What stands before a message of `plural` is no category and no `=NUMBER`.
        case unknownSelector(String)
        /// A selector without its message.
        case noMessage(String)
        /// No value has the name.
        case unknownArgument(String, known: [String])
        case tooLong(limit: Int)
        case tooDeep(limit: Int)
    }
}

extension MessageError {
    package var text: String { "column \(column): \(reason.words)" }
}

extension MessageError.Reason {
    fileprivate var words: String {
        switch self {
        case .open: "a brace has no partner: write `'{'` for a brace"
        case .closing: "a closing brace has no partner: write `'}'` for a brace"
        case .noName: "an argument has no name, as in `{spent}`"
        case .unknownForm(let form):
            "`\(form)` is no form; there are \(MessageParser.forms.map { "`\($0)`" }.joined(separator: ", "))"
        case .unknownStyle(let style, let form): "`\(style)` is no style of `\(form)`"
        case .noStyle(let form): "`\(form)` needs a style, as in `\(MessageParser.example(of: form))`"
        case .noOther(let form): "`\(form)` has no `other`, which is what all the rest gets"
        case .repeated(let selector): "`\(selector)` stands twice"
        case .unknownSelector(let selector):
            "`\(selector)` is no plural category and no number such as `=1`; the categories are "
                + PluralCategory.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        case .noMessage(let selector): "`\(selector)` has no message in braces"
        case .unknownArgument(let name, let known):
            known.isEmpty
                ? "there is no value `\(name)`: name it in `values`"
                : "there is no value `\(name)`; there are " + known.map { "`\($0)`" }.joined(separator: ", ")
        case .tooLong(let limit): "the message has more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) messages inside each other"
        }
    }
}
