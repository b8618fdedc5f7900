/// A text that is equal to the same bytes only. Two strings of Swift are equal if they look the same, such as
/// `é` as one character and as two; for the apps they are different keys.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: Self, b: Self) -> Bool {
        guard a.text.utf8.count == b.text.utf8.count else { return false }
        var (a, b) = (a.text, b.text)
        return a.withUTF8 { a in b.withUTF8 { b in unsafe a.elementsEqual(b) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: Comparable {
    package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension ExactText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

/// What becomes of the keys of a file; `nil` removes a key.
package typealias StoreChanges = [ExactText: StoreValue?]
