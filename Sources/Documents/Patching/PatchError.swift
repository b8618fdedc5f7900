/// Why a patch is invalid, or cannot be applied. Then none of its operations has taken effect.
package enum PatchError: Error, Sendable, Hashable {
    /// It is not a patch as RFC 6902 defines it.
    case malformed(JSONPosition, expected: String)
    /// Operations are counted from 0.
    case missing(operation: Int, pointer: String)
    case badIndex(operation: Int, pointer: String, count: Int)
    case testFailed(operation: Int, pointer: String, expected: [UInt8], found: [UInt8])
    case movesIntoItself(operation: Int, from: String, pointer: String)
    case removesAll(operation: Int)
    case document(operation: Int, DocumentError)

    /// One line.
    package var reason: String {
        switch self {
        case .malformed(let position, let expected): "\(position.text): expected \(expected)"
        case .missing(let operation, let pointer):
            "operation \(operation): there is no value at `\(pointer)`"
        case .badIndex(let operation, let pointer, let count):
            "operation \(operation): `\(pointer)` is not an index in an array of \(count) elements"
        case .testFailed(let operation, let pointer, let expected, let found):
            "operation \(operation): expected \(Self.short(expected)) at `\(pointer)`, "
                + "found \(Self.short(found))"
        case .movesIntoItself(let operation, let from, let pointer):
            "operation \(operation): `\(from)` cannot be moved into itself, to `\(pointer)`"
        case .removesAll(let operation): "operation \(operation): the whole document cannot be removed"
        case .document(let operation, let error): "operation \(operation): \(error.reason)"
        }
    }

    private static func short(_ text: [UInt8]) -> String {
        let most = 60
        let start = String(decoding: text.prefix(most), as: UTF8.self)
        return "`\(start.replacing("\n", with: " "))\(text.count > most ? "…" : "")`"
    }
}
