package import FileSystem
package import Model
package import Stores

/// A table of keys and values in a database that a person names, without a bridge.
package struct DatabaseTable {
    private let connection: Connection
    private let database: OpenDatabase
    private let files: any FileSystem
    private let description: DatabaseDocument

    package var name: String { description.table }

    /// Far above the size of any document.
    private static let maxBytes = 256 << 20

    /// Opens the database, which must exist.
    ///
    /// - Parameters:
    ///   - container: The path of the directory that `files` has open as the root.
    ///   - tables: Without keys. The first one that exists is meant.
    ///   - onlyLooks: A copy is read, so that the files stay as they are.
    ///   - patience: How long to wait for another program's lock, in milliseconds.
    package init(
        _ file: Location,
        in files: any FileSystem,
        at container: String,
        among tables: [DatabaseDocument],
        patience: Int,
        onlyLooks: Bool
    ) throws(DatabaseFault) {
        guard let state = try DatabaseState(of: file, isKnown: true, in: files) else {
            throw .file(.missing(file))
        }
        self.files = files
        database = try OpenDatabase(
            file,
            state,
            container: container,
            files: files,
            onlyLooks: onlyLooks
        )
        connection = database.connection
        connection.setLimit(Self.maxBytes)
        connection.setPatience(milliseconds: patience)
        description = try Self.existing(tables, in: connection)
    }

    private static func existing(
        _ tables: [DatabaseDocument],
        in connection: Connection
    ) throws(DatabaseFault) -> DatabaseDocument {
        for table in tables {
            if try DatabaseRow(connection: connection, document: table, limit: maxBytes).hasTable() {
                return table
            }
        }
        throw .missingTable(tables.first?.table ?? "")
    }

    private var key: String { identifier(description.keyColumn) }
    private var value: String { identifier(description.valueColumn) }
    private var column: DatabaseColumn { DatabaseColumn(name, description.valueColumn) }

    // MARK: Reading

    /// In the order of their keys.
    package func rows() throws(DatabaseFault) -> [(key: String, value: DatabaseCell)] {
        let sql = "SELECT \(key), \(value) FROM \(identifier(name)) ORDER BY \(key)"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var rows: [(key: String, value: DatabaseCell)] = []
        while try statement.step() { rows.append((statement.text(0), statement.cell(1))) }
        return rows
    }

    /// `nil` if there is no such row.
    package func cell(of key: String) throws(DatabaseFault) -> DatabaseCell? {
        var document = description
        document.key = key
        return try DatabaseRow(connection: connection, document: document, limit: Self.maxBytes)
            .only { $0.cell(0) }
    }

    // MARK: Writing

    /// Replaces a value, or adds its row, in one transaction.
    ///
    /// - Parameter change: Makes the new value of the current one, which is `nil` if there is no row; if it
    ///   returns `nil`, nothing is changed.
    package func replace(
        _ key: String,
        by change: (DatabaseCell?) -> DatabaseCell?
    ) throws(DatabaseFault) {
        if connection.isReadOnly { throw .readOnly(needsRecovery: false) }
        // Without a log it always is, as a power cut could make the database corrupt.
        try connection.setFullSync(true)
        try connection.transaction(.immediate) { () throws(DatabaseFault) in
            if connection.hasMoved { throw .changing }
            let old = try cell(of: key)
            guard let new = change(old) else { return .rollback(()) }
            try write(new, under: key, isNew: old == nil)
            return .commit(())
        }
        // The commit went to a file that nobody reads any more.
        if connection.hasMoved { throw .changing }
    }

    private func write(_ new: DatabaseCell, under key: String, isNew: Bool) throws(DatabaseFault) {
        let table = identifier(name)
        let sql =
            isNew
            ? "INSERT INTO \(table) (\(self.key), \(value)) VALUES (?2, ?1)"
            : "UPDATE \(table) SET \(value) = ?1 WHERE \(self.key) = ?2"
        let statement = try connection.statement(sql)
        try statement.bind(1, new)
        try statement.bind(2, key)
        try statement.run()
        // A trigger may have changed it again, and the column's type may have made a number of a text.
        if try cell(of: key) != new { throw .altered(column, key: key) }
    }

    /// After a change, as every program does that closes a database last: the log's content goes to the
    /// database.
    package func close() {
        database.close(in: try? DatabaseState(of: description.file, isKnown: true, in: files))
    }
}
