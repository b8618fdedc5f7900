internal import Stores

/// Compares two databases, of which one is a copy. Each is within a transaction.
struct DatabaseComparison {
    private let source: Connection
    private let copy: Connection

    init(_ source: Connection, _ copy: Connection) { (self.source, self.copy) = (source, copy) }

    /// Throws `.differs` unless both have the same schema and the same rows.
    func run() throws(DatabaseCopier.Fault) {
        try compare(Self.schema, "SELECT type, name, tbl_name, sql FROM \(Self.schema)")
        for number in ["user_version", "application_id", "encoding"] {
            try compare(Self.schema, "PRAGMA \(number)")
        }
        for table in try tables() { try compare(table, "SELECT * FROM \(identifier(table))") }
    }

    private static let schema = "sqlite_master"

    /// The tables with rows of their own: the rows of a virtual table are in other tables.
    private func tables() throws(DatabaseCopier.Fault) -> [String] {
        do throws(DatabaseFault) {
            let sql = "SELECT name FROM \(Self.schema) WHERE type = 'table' AND rootpage > 0"
            let statement = try source.statement(sql)
            defer { statement.reset() }
            var names: [String] = []
            while try statement.step() { names.append(statement.text(0)) }
            return names
        } catch {
            throw .source(error)
        }
    }

    /// Row by row, since a table may be larger than the memory.
    private func compare(_ table: String, _ sql: String) throws(DatabaseCopier.Fault) {
        let one = try prepare(sql, of: source, DatabaseCopier.Fault.source)
        defer { one.finalize() }
        let other = try prepare(sql, of: copy, DatabaseCopier.Fault.target)
        defer { other.finalize() }
        while true {
            let hasRow = try step(one, DatabaseCopier.Fault.source)
            guard try step(other, DatabaseCopier.Fault.target) == hasRow else { throw .differs(table: table) }
            if !hasRow { return }
            guard isSameRow(one, other) else { throw .differs(table: table) }
        }
    }

    private func isSameRow(_ one: Statement, _ other: Statement) -> Bool {
        guard one.columns == other.columns else { return false }
        return (0..<one.columns).allSatisfy { column in
            let type = one.type(column)
            guard type == other.type(column) else { return false }
            return switch type {
            case .null: true
            case .integer: one.integer(column) == other.integer(column)
            case .real: one.real(column) == other.real(column)
            case .text, .blob: one.bytes(column) == other.bytes(column)
            }
        }
    }

    private func prepare(
        _ sql: String,
        of connection: Connection,
        _ fault: (DatabaseFault) -> DatabaseCopier.Fault
    ) throws(DatabaseCopier.Fault) -> Statement {
        do throws(DatabaseFault) { return try connection.prepare(sql) } catch { throw fault(error) }
    }

    private func step(
        _ statement: Statement,
        _ fault: (DatabaseFault) -> DatabaseCopier.Fault
    ) throws(DatabaseCopier.Fault) -> Bool {
        do throws(DatabaseFault) { return try statement.step() } catch { throw fault(error) }
    }
}
