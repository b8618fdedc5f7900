package import Documents

/// A value as people and other programs read and write it, apart from any file.
extension StoreValue {
    /// Exactly the bytes of text and data. Other values are one line without its end.
    package var bytes: [UInt8] {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .bool(let flag): Array("\(flag)".utf8)
        case .integer(let number): Array("\(number)".utf8)
        case .unsigned(let number), .uid(let number): Array("\(number)".utf8)
        case .int32(let number): Array("\(number)".utf8)
        case .real(let number): Array("\(number)".utf8)
        case .float(let number): Array("\(number)".utf8)
        case .date(let seconds): Array(Self.text(ofDate: seconds).utf8)
        case .strings, .array, .dictionary: Array(json.description.utf8)
        }
    }

    /// Data is base64, a date a time by RFC 3339, and a number that JSON does not have a string. The keys of
    /// a dictionary are in order.
    package var json: JSONText {
        switch self {
        case .string(let text): JSONText(text)
        case .bool(let flag): JSONText(flag)
        case .integer(let number): JSONText(number)
        case .unsigned(let number), .uid(let number): JSONText(number)
        case .int32(let number): JSONText(number)
        case .real(let number): number.isFinite ? JSONText(compacting: "\(number)") : JSONText("\(number)")
        case .float(let number): number.isFinite ? JSONText(compacting: "\(number)") : JSONText("\(number)")
        case .data(let bytes): JSONText(String(decoding: Base64.encoded(bytes), as: UTF8.self))
        case .date(let seconds): JSONText(Self.text(ofDate: seconds))
        case .strings(let texts): JSONText(texts.map { JSONText($0) })
        case .array(let elements): JSONText(elements.map(\.json))
        case .dictionary(let members):
            JSONText(
                object: members.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.json) }
            )
        }
    }

    /// A number of seconds since 2001 where the time is beyond the calendar that RFC 3339 has.
    private static func text(ofDate seconds: Double) -> String {
        guard abs(seconds) <= farthest else { return "\(seconds)" }
        return UTCTime.text(Int64((seconds * 1_000).rounded()) + epoch)
    }

    /// 2001-01-01T00:00:00Z in milliseconds since 1970.
    private static let epoch: Int64 = 978_307_200_000
    /// In seconds: before the year 1 and after the year 9999, a year has more than four digits or a sign.
    private static let farthest = 63_000_000_000.0
}

extension StoreValue {
    /// What `bytes` are as a value of this type. Around values other than text and data, white space does not
    /// count. A date is a time by RFC 3339, or a number of seconds since 2001.
    package init?(_ bytes: [UInt8], as type: StoreType) {
        if type == .data {
            self = .data(bytes)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let value = type == .string ? .string(text) : Self.value(Self.trimmed(text), of: type)
        guard let value else { return nil }
        self = value
    }

    private static func value(_ text: String, of type: StoreType) -> StoreValue? {
        switch type {
        case .string: .string(text)
        case .bool: Bool(text).map { .bool($0) }
        case .integer: Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
        case .int32: Int32(text).map { .int32($0) }
        case .real: Double(text).flatMap { $0.isFinite || isNamed(text) ? .real($0) : nil }
        case .float: Float(text).flatMap { $0.isFinite || isNamed(text) ? .float($0) : nil }
        case .date: date(text).map { .date($0) }
        case .uid: UInt64(text).map { .uid($0) }
        case .strings: (try? JSON(parsing: Array(text.utf8))).flatMap(JSONMember.strings).map { .strings($0) }
        case .array, .dictionary: structured(text, type)
        case .data: nil
        }
    }

    /// Whether it names infinity or no number: a number that is too large is neither.
    private static func isNamed(_ text: String) -> Bool { !text.utf8.contains { (0x30...0x39).contains($0) } }

    private static func date(_ text: String) -> Double? {
        guard let milliseconds = UTCTime.milliseconds(rfc3339: text) else { return Double(text) }
        return Double(milliseconds - epoch) / 1_000
    }

    private static func structured(_ text: String, _ type: StoreType) -> StoreValue? {
        guard let json = try? JSON(parsing: Array(text.utf8)),
            let tree = try? JSONPointer.root.value(in: json),
            let value = try? StoreValue(structuring: tree), value.type == type
        else { return nil }
        return value
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
        let start = text.utf8.firstIndex { !isSpace($0) } ?? text.utf8.endIndex
        let end = text.utf8.lastIndex { !isSpace($0) }.map { text.utf8.index(after: $0) } ?? start
        return String(text[start..<end])
    }
}

extension StoreValue {
    /// Why JSON is no value of a property list.
    enum Misfit: Error {
        case null, duplicateKey, notText
        case number(String)
    }

    /// A value of a property list. Members that are `null` are left out, since it has no value for them.
    init(structuring json: JSONValue) throws(Misfit) {
        switch json {
        case .null: throw .null
        case .bool(let flag): self = .bool(flag)
        case .string(let bytes): self = .string(try Self.text(bytes))
        case .number(let text):
            if let number = Int64(text) {
                self = .integer(number)
            } else if let number = UInt64(text) {
                self = .unsigned(number)
            } else {
                guard let number = Double(text), number.isFinite else { throw .number(text) }
                self = .real(number)
            }
        case .array(let elements):
            self = .array(
                try elements.map { element throws(Misfit) in try StoreValue(structuring: element) }
            )
        case .object(let members):
            var values: [ExactText: StoreValue] = [:]
            for member in members where member.value != .null {
                let key = ExactText(try Self.text(member.key))
                guard values[key] == nil else { throw .duplicateKey }
                values[key] = try StoreValue(structuring: member.value)
            }
            self = .dictionary(values)
        }
    }

    private static func text(_ bytes: [UInt8]) throws(Misfit) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }
}
