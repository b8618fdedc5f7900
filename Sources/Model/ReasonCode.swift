/// How the journal stores a reason: a fixed name and its operands, separated by `|`. The text may change, the
/// name does not.
enum ReasonCode {
    static func text(_ fields: [String]) -> String { fields.map(escaped).joined(separator: "|") }

    private static func escaped(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == separator || $0 == escape }) else { return field }
        var bytes: [UInt8] = []
        for byte in field.utf8 {
            if byte == separator || byte == escape { bytes.append(escape) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func fields(of code: String) -> [String] {
        var fields: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in code.utf8 {
            if !isEscaped, byte == separator {
                fields.append([])
            } else if isEscaped || byte != escape {
                fields[fields.count - 1].append(byte)
                isEscaped = false
            } else {
                isEscaped = true
            }
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }

    private static var separator: UInt8 { UInt8(ascii: "|") }
    private static var escape: UInt8 { UInt8(ascii: "\\") }
}
