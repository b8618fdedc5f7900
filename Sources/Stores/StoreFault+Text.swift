import Model

extension StoreFault {
    /// One line, without the file's name.
    package var reason: String {
        switch self {
        case .notTheFormat(let format): "not \(format.article) \(format.rawValue)"
        case .malformed(let format, let place, let detail):
            "\(place.text): \(detail.text); not \(format.article) \(format.rawValue) from there on"
        case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the limit of \(limit)"
        case .tooDeep(let limit): "nested deeper than the limit of \(limit)"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .notKeyed(let format, let found):
            "\(format.article) \(format.rawValue) with \(found.words(in: format)) at the top, where keys are expected"
        case .duplicateKey(_, let key): "the key `\(key)` occurs twice"
        case .malformedValue(_, let key, let place, let detail):
            (place.map { "\($0.text): " } ?? "") + "the value of `\(key)`: \(detail.text)"
        case .wrongType(let format, let key, let found, let expected):
            "`\(key)` is \(found.words(in: format)), expected \(expected.words(in: format))"
        case .unrepresentable(.xmlPropertyList, let key, .date):
            "an XML plist cannot hold this date, which has fractions of a second or a year beyond 9999 "
                + "(key `\(key)`)"
        case .unrepresentable(let format, let key, let type):
            "\(format.article) \(format.rawValue) cannot hold \(type.words) (key `\(key)`)"
        case .forbiddenCharacter(let format, let key, let scalar):
            "`\(Self.printable(key))` has the character \(Self.name(of: UInt64(scalar.value))), which "
                + "\(format.article) \(format.rawValue) file cannot hold: XML does not allow it"
        case .duplicateElement(_, let key, let text):
            "the set of `\(key)` has `\(Self.printable(text))` twice"
        }
    }
}

extension StoreFault {
    fileprivate static func name(of code: UInt64) -> String {
        "U+" + String(code, radix: 16, uppercase: true)
    }

    /// With a replacement character for each control character.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : $0 }))
    }
}

extension FileFormat {
    fileprivate var article: String { self == .xmlPropertyList || self == .asyncStorage ? "an" : "a" }
}

extension StoreType {
    /// AsyncStorage's manifest is JSON, which has one type of number.
    fileprivate func words(in format: FileFormat) -> String {
        format == .asyncStorage && self == .real ? "a number" : words
    }

    /// With its article.
    package var words: String {
        switch self {
        case .string: "a string"
        case .bool: "a bool"
        case .integer: "an integer"
        case .int32: "a 32-bit integer"
        case .real: "a real"
        case .float: "a float"
        case .data: "data"
        case .date: "a date"
        case .strings: "a set of strings"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "a UID"
        }
    }
}

extension StorePlace {
    package var text: String {
        switch self {
        case .offset(let offset): "byte \(offset)"
        case .line(let line, let column): "\(line):\(column)"
        }
    }
}

extension StoreFault.Detail {
    fileprivate var text: String {
        switch self {
        case .endOfFile: "the file ends here"
        case .expected(let what): "expected \(what)"
        case .notA(let type): "not \(type.words)"
        case .notUTF8: "not UTF-8"
        case .entity(let name): "the entity `\(name)` is not expanded"
        case .documentType: "this document type is not read"
        case .encoding(let name): "the text encoding is \(name), expected UTF-8"
        case .character(let code):
            "the character \(StoreFault.name(of: code)) is not allowed"
        case .repeatedAttribute(let name): "the attribute `\(name)` occurs twice"
        case .unknownElement(let name): "unknown element `\(name)`"
        case .reference(let number): "object \(number) refers to itself or does not exist"
        case .version(let version): "unknown version `\(version)`"
        }
    }
}

extension StoreAddress {
    package var text: String {
        switch part {
        case .key(let key): "\(file), key `\(key)`"
        case .row(let table, let key): "\(file), table `\(table)`, key `\(key)`"
        case .keys: file.description
        }
    }
}

extension StoreProblem {
    /// One line, with the file's name.
    package var text: String { "\(file): \(reason.text)" }
}

extension StoreProblem.Reason {
    /// One line, without the file's name.
    package var text: String {
        switch self {
        case .file(let fault): fault.reason
        case .value(let mismatch): mismatch.text
        case .database(let fault): fault.text
        case .missing:
            "it is missing, with the document that it had; put it back, name its new place in the profile, or "
                + "write the document again with `put`"
        case .madeAnew:
            "it was missing or damaged, and was made anew without the document, which deletes nothing; write the "
                + "document again with `put`, or `delete` it on the other side"
        case .unreadable(let error): error.what
        case .outsideManifest(let key):
            "the value of `\(key)` is longer than \(AsyncStorageManifest.mostInline) UTF-16 units, "
                + "so it belongs into a file of its own, which the bridge reads and writes only for a document "
                + "without other keys"
        case .missingValue(let key):
            "the manifest of AsyncStorage refers to it for the value of `\(key)`, and it is missing"
        case .unfinishedSave:
            "its .bak is there, an unfinished save, which the app finishes at its next start"
        }
    }
}
