/// A JSON Pointer (RFC 6901): the path from the root of a document to one value.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// Keys, or decimal indexes, after unescaping. They are bytes, because keys are compared as bytes.
    package var tokens: [[UInt8]]

    package init(tokens: [[UInt8]]) { self.tokens = tokens }

    /// `nil` if `text` is not a JSON Pointer: neither empty nor beginning with `/`, or with a `~` that is
    /// not an escape.
    package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    init?(bytes: [UInt8]) {
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "/") else { return nil }
        tokens = []
        for part in bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        if bytes.isEmpty { tokens = [] }
    }

    /// The text of the value that it leads to, as written; `nil` if there is none.
    package func bytes(in document: JSON) -> [UInt8]? { document.node(at: self).map(document.slice) }

    package static let root = JSONPointer(tokens: [])

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Its text, which is not UTF-8 if a key has half a surrogate pair.
    var bytes: [UInt8] { tokens.flatMap { [UInt8(ascii: "/")] + Self.escaped($0) } }

    package func appending(_ token: [UInt8]) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }

    package func appending(_ index: Int) -> JSONPointer { appending(Array(String(index).utf8)) }

    package func appending(_ other: JSONPointer) -> JSONPointer { JSONPointer(tokens: tokens + other.tokens) }

    private static func unescaped(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        var token: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                token.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return token
    }

    private static func escaped(_ token: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in token {
            switch byte {
            case UInt8(ascii: "~"): bytes += Array("~0".utf8)
            case UInt8(ascii: "/"): bytes += Array("~1".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// An index as RFC 6901 writes it: without sign or leading zero; `nil` for anything else.
func arrayIndex(_ token: [UInt8]) -> Int? {
    guard let first = token.first, token.count <= 18 else { return nil }
    if first == UInt8(ascii: "0"), token.count > 1 { return nil }
    var index = 0
    for digit in token {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        index = index * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return index
}

extension JSON {
    /// The value that a pointer leads to; `nil` if there is none.
    func node(at pointer: JSONPointer, from start: Int = JSON.root) -> Int? {
        var node = start
        for token in pointer.tokens {
            switch kind(node) {
            case .object:
                guard let value = value(of: token, in: node) else { return nil }
                node = value
            case .array:
                guard let index = arrayIndex(token), let element = element(index, of: node) else {
                    return nil
                }
                node = element
            default: return nil
            }
        }
        return node
    }

    private func element(_ index: Int, of array: Int) -> Int? {
        for (place, element) in elements(of: array).enumerated() where place == index { return element }
        return nil
    }
}

extension JSONPointer {
    /// The value that it leads to; `nil` if there is none. It throws if that is ambiguous, because an object
    /// on the way has duplicate keys.
    package func value(in document: JSON) throws(DocumentError) -> JSONValue? {
        try Draft(document).value(at: self).map { JSONValue(document, $0.index) }
    }
}
