internal import Stores

/// A value of a database.
package enum DatabaseCell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Statement {
    func cell(_ column: Int32) -> DatabaseCell {
        switch type(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        // A text that is none, as SQLite does not check it, keeps its bytes only as a blob.
        case .text: String(validating: bytes(column), as: UTF8.self).map { .text($0) } ?? .blob(bytes(column))
        case .blob: .blob(bytes(column))
        }
    }
}
