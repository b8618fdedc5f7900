/// Takes what stood in a sentence out of it. Only what older releases have left in the journal is read so.
enum ToldText {
    static func part(of text: String, between start: String, and end: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.starts(with: start.utf8), bytes.reversed().starts(with: end.utf8.reversed()),
            bytes.count > start.utf8.count + end.utf8.count
        else { return nil }
        return String(decoding: bytes.dropFirst(start.utf8.count).dropLast(end.utf8.count), as: UTF8.self)
    }
}
