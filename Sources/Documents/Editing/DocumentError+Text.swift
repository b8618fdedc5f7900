extension DocumentError {
    /// One line, with the position first.
    package var reason: String { located.text }

    package var located: LocatedText {
        switch self {
        case .json(let error): error.located
        case .unknownVersion(let version): "the profile has no version \(version) of it"
        case .otherVersion(let version, let reading):
            "migrated to version \(version), it would be recognized as \(reading.words); check the `when`"
        case .noTimeZone(let pointer):
            "`\(pointer)` is a time without a zone, and the profile has no `timeZone`"
        case .mismatch(let pointer, let position, let expected, let found):
            LocatedText("expected \(expected.words) at `\(pointer)`, found \(found.words)", at: position)
        }
    }
}

extension DocumentError.Expected {
    fileprivate var words: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .object: "an object"
        case .array: "an array"
        case .table: "a table"
        case .objectOrArray: "an object or an array"
        case .objectWith(let key): "an object with `\(key)`"
        case .objectAt(let place): "an object at `\(place)`"
        case .objectToMoveTo(let place): "an object at `\(place)` to move to"
        case .nothing: "no field (the migration adds it)"
        case .id: "a string or number as the id of a row"
        case .uniqueID: "an id that no other element has"
        case .flag: "`true`, `false`, 0 or 1"
        case .jsonText: "a string that is JSON"
        case .textBeginning(let text): "a string that begins with `\(text)`"
        case .decimal: "a decimal number as a string"
        case .integer: "a whole number"
        case .integerText: "a whole number as a string, such as `\"7\"`"
        case .scalable(let factor, nil): "a number whose product with \(factor) can be written out in decimal"
        case .scalable(let factor, let digits?):
            "a number with at most \(digits) decimal places after multiplication by \(factor)"
        case .times(let forms): forms.map(\.words).joined(separator: " or ")
        case .writableTime(let form): "\(form.words), in the years 0 to 9999"
        }
    }
}

extension DocumentError.Found {
    fileprivate var words: String {
        switch self {
        case .kind(let kind): kind.words
        case .scalar(let text): "`\(text)`"
        }
    }
}

extension JSONNode.Kind {
    /// The kind with its article, as in "expected …, found …".
    var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true: "`true`"
        case .false: "`false`"
        case .null: "`null`"
        }
    }
}
