/// Extracts a value from a sentence. Only sentences in the journals of older releases are parsed.
enum OldText {
    static func part(of text: String, between start: String, and end: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.starts(with: start.utf8), bytes.reversed().starts(with: end.utf8.reversed()),
            bytes.count > start.utf8.count + end.utf8.count
        else { return nil }
        return String(decoding: bytes.dropFirst(start.utf8.count).dropLast(end.utf8.count), as: UTF8.self)
    }
}
