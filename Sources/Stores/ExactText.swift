/// A text that is equal to the same bytes only. Two strings of Swift are equal if they look the same, such as
/// `é` as one character and as two; for the apps they are different keys.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: Self, b: Self) -> Bool {
        guard a.text.utf8.count == b.text.utf8.count else { return false }
        var (a, b) = (a.text, b.text)
        return a.withUTF8 { a in b.withUTF8 { b in unsafe a.elementsEqual(b) } }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
