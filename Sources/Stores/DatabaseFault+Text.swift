internal import Model

extension DatabaseFault {
    package var text: String {
        switch self {
        case .file(let error): error.what
        case .mountPoint: "a mount point, which cannot be replaced"
        case .busy: "another program has locked the database"
        case .beingWritten: "another program is writing to the database"
        case .changing: "the database was replaced while the bridge accessed it"
        case .notADatabase: "not an SQLite database, or an encrypted one"
        case .corrupt: "the database is corrupt"
        case .readOnly(needsRecovery: false): "the database is read-only"
        case .readOnly(needsRecovery: true):
            """
            a program did not finish its last change of the database, and it is read-only, so that the \
            change cannot be undone
            """
        case .missingTable(let table): "the database has no table \(quoted(table))"
        case .notATable(let name, let found): "\(quoted(name)) is a \(found.rawValue), not a table"
        case .missingColumn(let column):
            "the table \(quoted(column.table)) has no column \(quoted(column.column))"
        case .generatedColumn(let column): "the column \(column.text) is generated"
        case .wrongType(let column, let key, let found):
            """
            the value of \(column.text) for the key \(quoted(key)) is \(found.rawValue); \
            expected is text or blob
            """
        case .wrongKeyType(let column, let key, let found):
            "the key \(quoted(key)) of \(column.text) is \(found.rawValue); expected is text"
        case .severalRows(let column, let key):
            "several rows have the key \(quoted(key)) in the column \(column.text)"
        case .tooLarge(let bytes?, let limit): "\(bytes) bytes; the limit is \(limit)"
        case .tooLarge(nil, let limit): "more than \(limit) bytes, which is the limit"
        case .altered(let column, let key):
            """
            the database does not store the value of \(column.text) for the key \(quoted(key)) as it is \
            written, because of a trigger or of the column's type
            """
        case .failed(let code, let message): "SQLite: \(message) (\(code))"
        }
    }
}

extension DatabaseColumn {
    fileprivate var text: String { "\(quoted(table)).\(quoted(column))" }
}

/// As an identifier of SQL, with everything printable.
private func quoted(_ name: String) -> String {
    let plain = name.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7f }
    return "\"\(plain ? name : escaped(Array(name.utf8)))\""
}
