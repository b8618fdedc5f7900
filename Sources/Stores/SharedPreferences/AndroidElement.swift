/// The elements of an Android preferences file, as AOSP's `XmlUtils` and `FastXmlSerializer` write them.
///
/// One thing is not written as there: behind a text that ends with a line feed, `FastXmlSerializer` indents
/// the end tag, so that the text is read back with spaces at its end.
enum AndroidElement {
    static func type(of name: String) -> StoreType? {
        switch name {
        case "string": .string
        case "int": .int32
        case "long": .integer
        case "float": .float
        case "boolean": .bool
        case "set": .strings
        case "byte-array": .data
        default: nil
        }
    }

    /// The value of an attribute; `nil` if it is not of the type.
    static func value(_ text: String, of type: StoreType) -> StoreValue? {
        switch type {
        case .int32: return Int32(text).map { .int32($0) }
        case .integer: return Int64(text).map { .integer($0) }
        case .float: return JavaDouble.float(text).map { .float($0) }
        case .bool:
            switch text.lowercased() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return nil
            }
        default: return nil
        }
    }

    /// Without indentation and line end.
    static func bytes(of value: StoreValue, key: String) throws(StoreFault) -> [UInt8] {
        let name = " name=\"\(try escaped(key, key))\""
        let element =
            switch value {
            case .string(let text): "<string\(name)>\(try escaped(text, key))</string>"
            case .int32(let number): "<int\(name) value=\"\(number)\" />"
            case .integer(let number): "<long\(name) value=\"\(number)\" />"
            case .float(let number): "<float\(name) value=\"\(JavaDouble.text(number))\" />"
            case .bool(let flag): "<boolean\(name) value=\"\(flag)\" />"
            case .strings(let strings) where strings.isEmpty: "<set\(name) />"
            case .strings(let strings): "<set\(name)>\n\(try elements(of: strings, key))    </set>"
            case .unsigned, .real, .data, .date, .array, .dictionary, .uid:
                throw .unrepresentable(.sharedPreferences, key: key, value.type)
            }
        return Array(element.utf8)
    }

    /// Two digits for each byte; `nil` if there are not as many as the element says.
    static func data(_ text: String, count: String?) -> StoreValue? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard let count = count.flatMap({ Int($0) }), digits.count.isMultiple(of: 2),
            digits.count / 2 == count
        else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return .data(bytes)
    }

    private static func elements(of set: [String], _ key: String) throws(StoreFault) -> String {
        var seen: Set<ExactText> = []
        var lines = ""
        for text in set {
            guard seen.insert(ExactText(text)).inserted else {
                throw .duplicateElement(.sharedPreferences, key: key, text)
            }
            lines += "        <string>\(try escaped(text, key))</string>\n"
        }
        return lines
    }

    private static func escaped(_ text: String, _ key: String) throws(StoreFault) -> String {
        do throws(ForbiddenCharacter) {
            return String(decoding: try MarkupEscape.android.escaped(text), as: UTF8.self)
        } catch {
            throw .forbiddenCharacter(.sharedPreferences, key: key, error.scalar)
        }
    }
}
