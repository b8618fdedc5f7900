extension ShapeFault {
    package var text: String {
        switch self {
        case .noField(let key): "names the field `\(key)`, which is not there"
        case .fieldRemoved(let key): "names the field `\(key)`, which a lens before it took away"
        case .fieldExists(let key): "makes the field `\(key)`, which is there already"
        case .noMembers(let kind, let key): "names `\(key)` in \(kind.words)"
        case .mismatch(let expected, nil, let found):
            "expects \(expected.words), but there is \(found.words)"
        case .mismatch(let expected, let place?, let found):
            "expects \(expected.words) at `\(place)`, but there is \(found.words)"
        case .inconvertible(let key, let types, let expected):
            "converts `\(key)` from \(expected.words), but it is \(types.words)"
        case .unfit(let operation, let place, let found):
            "\(operation.words), but `\(place)` is \(found.words)"
        case .notScalars(let place, let found):
            "unites lists of scalars, but `\(place)` has \(found.words) in it"
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
        case .union: "unites lists"
        case .number: "makes a number"
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
        case .missing(let place): "nothing leads to `\(place)`, which is required"
        case .extra(let place): "`\(place)` leads to no field"
        }
    }
}
