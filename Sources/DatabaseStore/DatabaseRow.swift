internal import Model
internal import Stores

/// The row of a document, within a transaction.
struct DatabaseRow {
    let connection: Connection
    let document: DatabaseDocument
    let limit: Int

    private var table: String { identifier(document.table) }
    private var key: String { identifier(document.keyColumn) }
    private var value: String { identifier(document.valueColumn) }
    private var column: DatabaseColumn { DatabaseColumn(document.table, document.valueColumn) }

    // MARK: Schema

    /// Whether the table exists. Checked first, because SQLite takes the quoted name of a missing column for
    /// a text.
    func hasTable() throws(DatabaseFault) -> Bool {
        guard try isTable() else { return false }
        for name in [document.keyColumn, document.valueColumn] {
            let column = DatabaseColumn(document.table, name)
            switch try hidden(name) {
            case nil: throw .missingColumn(column)
            case 2, 3: throw .generatedColumn(column)
            default: break
            }
        }
        return true
    }

    private func isTable() throws(DatabaseFault) -> Bool {
        let sql = """
            SELECT type, rootpage FROM sqlite_master WHERE name = ? COLLATE NOCASE
            ORDER BY type IN ('table', 'view') DESC
            """
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(1, document.table)
        guard try statement.step() else { return false }
        let type = statement.text(0)
        if type == "table", statement.integer(1) != 0 { return true }
        let found = type == "table" ? .virtualTable : DatabaseObject(rawValue: type) ?? .other
        throw .notATable(document.table, found: found)
    }

    /// SQLite's number for how a column is hidden; 2 and 3 for a generated one. `nil`: there is no such
    /// column.
    private func hidden(_ name: String) throws(DatabaseFault) -> Int64? {
        let sql = "SELECT hidden FROM pragma_table_xinfo(?) WHERE name = ? COLLATE NOCASE"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(1, document.table)
        try statement.bind(2, name)
        return try statement.step() ? statement.integer(0) : nil
    }

    // MARK: Reading

    /// `nil` if there is no row, or no table.
    func read() throws(DatabaseFault) -> Cell? { try hasTable() ? cell() : nil }

    func cell() throws(DatabaseFault) -> Cell? {
        let found: (cell: Cell?, type: DatabaseType)?
        do throws(DatabaseFault) { found = try only { (cell($0), $0.type(0)) } } catch .failed(
            let code,
            _
        ) where code == Statement.tooBig {
            throw .tooLarge(bytes: nil, limit: limit)
        }
        guard let found else { return nil }
        guard let cell = found.cell else {
            throw .wrongType(column, key: document.key, found: found.type)
        }
        if cell.bytes.count > limit { throw .tooLarge(bytes: Int64(cell.bytes.count), limit: limit) }
        return cell
    }

    /// What is read of the only row with the key; `nil` if there is none.
    func only<Value>(_ read: (Statement) -> Value) throws(DatabaseFault) -> Value? {
        let statement = try connection.statement("SELECT \(value) FROM \(table) WHERE \(key) = ? LIMIT 2")
        defer { statement.reset() }
        try statement.bind(1, document.key)
        guard try statement.step() else {
            try connection.checkIsText(document.key, in: document.keyColumn, of: document.table)
            return nil
        }
        let found = read(statement)
        guard try !statement.step() else {
            throw .severalRows(DatabaseColumn(document.table, document.keyColumn), key: document.key)
        }
        return found
    }

    private func cell(_ statement: Statement) -> Cell? {
        switch statement.type(0) {
        case .text: Cell(kind: .text, bytes: statement.bytes(0))
        case .blob: Cell(kind: .blob, bytes: statement.bytes(0))
        case .null, .integer, .real: nil
        }
    }

    // MARK: Writing

    /// Replaces `old`, or adds the row; `nil` deletes it.
    func write(_ bytes: [UInt8]?, over old: Cell?) throws(DatabaseFault) {
        guard let bytes else { return try change("DELETE FROM \(table) WHERE \(key) = ?2", nil) }
        let new = Cell(kind: old?.kind ?? .text, bytes: bytes)
        let sql =
            old == nil
            ? "INSERT INTO \(table) (\(key), \(value)) VALUES (?2, ?1)"
            : "UPDATE \(table) SET \(value) = ?1 WHERE \(key) = ?2"
        try change(sql, new)
    }

    private func change(_ sql: String, _ new: Cell?) throws(DatabaseFault) {
        let statement = try connection.statement(sql)
        do throws(DatabaseFault) {
            defer { statement.reset() }
            if let new { try statement.bind(1, new.bytes, as: new.kind) }
            try statement.bind(2, document.key)
            _ = try statement.step()
        } catch .failed(let code, _) where code == Statement.tooBig {
            throw .tooLarge(bytes: new.map { Int64($0.bytes.count) }, limit: limit)
        }
        // A trigger may have changed it again, and the column's type may have made a number of a text.
        let isAsWritten: Bool
        do throws(DatabaseFault) { isAsWritten = try cell() == new } catch .wrongType {
            isAsWritten = false
        }
        if !isAsWritten { throw .altered(column, key: document.key) }
    }

    /// Creates the table if it is missing.
    func create() throws(DatabaseFault) {
        if try hasTable() { return }
        guard let creation = document.creation else { throw .missingTable(document.table) }
        try connection.execute(creation)
    }
}

/// Quoted, so that it can have any characters.
func identifier(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}

extension Connection {
    /// Throws if a row has the key, but as another type than text, so that no text equals it.
    func checkIsText(_ key: String, in column: String, of table: String) throws(DatabaseFault) {
        let name = identifier(column)
        // Each value is bound, and not cast, so that the column's index is used.
        let statement = try statement(
            "SELECT typeof(\(name)) FROM \(identifier(table)) WHERE \(name) = ? AND typeof(\(name)) <> 'text'"
        )
        let blob = DatabaseCell.blob(Array(key.utf8))
        for cell in [blob] + (Int64(key).map { [.integer($0)] } ?? []) {
            defer { statement.reset() }
            try statement.bind(1, cell)
            guard try statement.step() else { continue }
            let found = DatabaseType(rawValue: statement.text(0)) ?? .null
            throw .wrongKeyType(DatabaseColumn(table, column), key: key, found: found)
        }
    }
}
