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
        case .notListed(let values): "is none of \(values.map { "`\($0)`" }.joined(separator: ", "))"
        case .number(let number, let fault, let bound): "is \(number), \(fault.words) \(bound)"
        case .tooFew(let counted, let count, let least): "has \(count) \(counted.words), not \(least)"
        case .tooMany(let counted, let count, let most): "has \(count) \(counted.words), more than \(most)"
        case .pattern(let pattern): "does not fit the pattern `\(pattern)`"
        case .format(let format): "is no \(format.rawValue)"
        case .undecided(let pattern): "takes too long to compare with the pattern `\(pattern)`"
        case .missing(let key): "has no `\(key)`"
        case .missingBeside(let key, let missing): "has `\(key)` and no `\(missing)`"
        case .repeatedElement: "has the same element twice"
        case .fitsNone: "fits none of the alternatives"
        case .fitsSeveral(let count): "fits \(count) of the alternatives, not one"
        case .fitsExcluded: "fits what it must not"
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
        case .contained: "elements that fit `contains`"
        }
    }
}
