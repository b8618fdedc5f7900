// The command line, reports and the log show the same text.

extension SchemaViolation {
    /// One line, with the position first.
    package var text: String { located.text }

    package var located: LocatedText {
        let what = pointer.isEmpty ? "the document" : "`\(pointer)`"
        return LocatedText("\(what) \(reason.text) (\(rule))", at: position)
    }
}

extension SchemaViolation.Reason {
    package var text: String {
        switch self {
        case .forbidden: "is not allowed"
        case .type(let kind, let expected): "is \(kind.words), expected \(expected.words)"
        case .notConstant(let constant): "is not `\(constant)`"
        case .notListed(let values): "is not one of \(values.map { "`\($0)`" }.joined(separator: ", "))"
        case .number(let number, let fault, let bound): "is \(number), \(fault.words) \(bound)"
        case .tooFew(let counted, let count, let least): "has \(count) \(counted.words), not \(least)"
        case .tooMany(let counted, let count, let most): "has \(count) \(counted.words), more than \(most)"
        case .pattern(let pattern): "does not match the pattern `\(pattern)`"
        case .format(let format): "is not a valid \(format.rawValue)"
        case .undecided(let pattern): "takes too long to match against the pattern `\(pattern)`"
        case .missing(let key): "has no `\(key)`"
        case .missingBeside(let key, let missing): "has `\(key)` but no `\(missing)`"
        case .repeatedElement: "has duplicate elements"
        case .fitsNone: "matches none of the alternatives"
        case .fitsSeveral(let count): "matches \(count) of the alternatives, not exactly one"
        case .fitsExcluded: "matches the schema of `not`"
        }
    }
}

extension SchemaViolation.NumberFault {
    fileprivate var words: String {
        switch self {
        case .below: "below"
        case .above: "above"
        case .notAbove: "not above"
        case .notBelow: "not below"
        case .notMultiple: "not a multiple of"
        }
    }
}

extension SchemaViolation.Counted {
    fileprivate var words: String {
        switch self {
        case .characters: "characters"
        case .elements: "elements"
        case .members: "members"
        case .contained: "elements that match `contains`"
        }
    }
}
