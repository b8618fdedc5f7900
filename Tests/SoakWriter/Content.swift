/// A document as the programs know it: keys, each with the ID of the edit that set it. It is edited as
/// text, so that any version and formatting will do.
enum Content {
    static let keys = (0..<8).map { "k\($0)" }

    static let new = Array("{\(keys.map { "\"\($0)\": \"\"" }.joined(separator: ", "))}\n".utf8)

    static func isWhole(_ bytes: [UInt8]) -> Bool { bytes.last { $0 > 0x20 } == UInt8(ascii: "}") }

    /// `nil` if the key is missing, as in a document that was torn by a full disk.
    static func setting(_ key: String, to id: String, in bytes: [UInt8]) -> [UInt8]? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isWhole(bytes),
            let place = text.firstRange(of: "\"\(key)\"")?.upperBound,
            let start = text[place...].firstIndex(of: "\"").map(text.index(after:)),
            let end = text[start...].firstIndex(of: "\"")
        else { return nil }
        return Array("\(text[..<start])@\(id)\(text[end...])".utf8)
    }

    /// All ids in these bytes: `@`, letters and digits, and the quote at the end.
    static func ids(in bytes: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        for piece in bytes.split(separator: UInt8(ascii: "@")).dropFirst() {
            guard let end = piece.firstIndex(of: UInt8(ascii: "\"")) else { continue }
            ids.insert(String(decoding: piece[..<end], as: UTF8.self))
        }
        return ids
    }
}
