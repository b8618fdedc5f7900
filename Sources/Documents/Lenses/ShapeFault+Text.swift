extension ShapeFault {
    package var text: String {
        switch self {
        case .noField(let key): "names the field `\(key)`, which does not exist"
        case .fieldRemoved(let key): "names the field `\(key)`, which a previous lens removed"
        case .fieldExists(let key): "adds the field `\(key)`, which already exists"
        case .noMembers(let kind, let key): "names the field `\(key)`, but its parent is \(kind.words)"
        case .mismatch(let expected, nil, let found):
            "expects \(expected.words), but finds \(found.words)"
        case .mismatch(let expected, let place?, let found):
            "expects \(expected.words) at `\(place)`, but finds \(found.words)"
        case .inconvertible(let key, let types, let expected):
            "converts `\(key)` from \(expected.words), but it is \(types.words)"
        case .unfit(let operation, let place, let found):
            "\(operation.words), but `\(place)` is \(found.words)"
        case .notScalars(let place, let found):
            "merges lists of scalars, but `\(place)` contains \(found.words)"
        }
    }
}

extension ShapeFault.Expected {
    fileprivate var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

extension ShapeFault.Operation {
    fileprivate var words: String {
        switch self {
        case .comparison: "compares times and numbers"
        case .sum: "adds numbers"
        case .union: "merges lists"
        case .number: "computes a number"
        }
    }
}

extension ShapeKind {
    var words: String {
        switch self {
        case .any: "anything"
        case .object: "an object"
        case .array: "an array"
        case .types(let types): types.words
        }
    }
}

extension ShapeDifference {
    package var text: String {
        switch self {
        case .type(let place, let kind, let expected):
            "`\(place)` would be \(kind.words), not \(expected.words)"
        case .missing(let place): "no lens adds `\(place)`, which is required"
        case .extra(let place): "`\(place)` is not a field of the newer version"
        }
    }
}
