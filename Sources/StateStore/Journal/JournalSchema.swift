import GRDB

/// The tables of the journal: creates them, and finds out whether they are what their version says. If not,
/// the file is damaged: every statement would fail, or an empty table would pass for a full one.
enum JournalSchema {
    /// A journal with another number is another release's, and is refused.
    static let number = 7

    /// It can be read where nothing else can, so it comes first: another release's journal is not damaged.
    /// - Returns: 0 before the tables are made.
    static func version(of database: Database) throws -> Int {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found == 0 || found == number else { throw JournalError.otherSchema(found, known: number) }
        return found
    }

    /// Within a transaction, so that a damaged journal stays as it is.
    static func prepare(_ database: Database) throws {
        do {
            // Creating it would hide that it is missing.
            if try version(of: database) == number, let missing = try missingTable(in: database) {
                throw damage(in: missing)
            }
            try database.execute(sql: "\(tables) \(indexes) PRAGMA user_version = \(number);")
            if let table = try unlikeTable(in: database) { throw damage(in: table) }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_ERROR {
            // The statements are always the same, so it is the schema that does not fit them.
            let code = error.resultCode.rawValue
            throw JournalError.broken(DatabaseFailure(code: code, message: error.message))
        }
    }

    private static func damage(in table: String) -> JournalError {
        let message = "its table `\(table)` is not that of schema \(number)"
        return .broken(DatabaseFailure(code: ResultCode.SQLITE_CORRUPT.rawValue, message: message))
    }

    private static func missingTable(in database: Database) throws -> String? {
        try ["conflict", "directory", "document", "event", "intent", "meta", "overwritten"]
            .first { try !database.tableExists($0) }
    }

    /// A table with other columns than its own.
    ///
    /// The tables are made as temporary ones, to compare with. A database of their own in memory would be a
    /// second connection, whose queue wakes an idle agent every second.
    private static func unlikeTable(in database: Database) throws -> String? {
        let found = try columns(in: "main", of: database)
        try database.execute(sql: tables.replacing("CREATE TABLE IF NOT EXISTS", with: "CREATE TEMP TABLE"))
        let expected = try columns(in: "temp", of: database)
        let names = expected.keys.sorted()
        try database.execute(sql: names.map { "DROP TABLE temp.\"\($0)\";" }.joined())
        return names.first { found[$0] != expected[$0] }
    }

    /// The columns of each table, with their types and places in the primary key.
    private static func columns(in schema: String, of database: Database) throws -> [String: Set<String>] {
        let sql = """
            SELECT m.name, c.name || ' ' || c.type || ' ' || c.pk
            FROM \(schema).sqlite_master AS m, pragma_table_info(m.name, '\(schema)') AS c WHERE m.type = 'table'
            """
        return try Row.fetchAll(database, sql: sql).reduce(into: [:]) { columns, row in
            columns[row[0], default: []].insert(row[1])
        }
    }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS document (
            path TEXT PRIMARY KEY, generation INTEGER NOT NULL,
            appHash BLOB, appSignature BLOB, appVersion INTEGER,
            groupHash BLOB, groupSignature BLOB, groupVersion INTEGER,
            newest BLOB, app BLOB, "group" BLOB, newestVersion INTEGER);
        CREATE TABLE IF NOT EXISTS event (
            id INTEGER PRIMARY KEY, path TEXT NOT NULL, generation INTEGER NOT NULL, cause TEXT NOT NULL,
            what TEXT NOT NULL, appHash BLOB, groupHash BLOB, at INTEGER NOT NULL,
            firstNotice INTEGER NOT NULL, lastNotice INTEGER NOT NULL, kinds TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS directory (side TEXT, path TEXT, PRIMARY KEY (side, path)) WITHOUT ROWID;
        \(SQLiteJournal.conflictTables)
        \(SQLiteJournal.intentTable)
        """

    private static let indexes = """
        CREATE INDEX IF NOT EXISTS eventOfPath ON event (path, id);
        CREATE INDEX IF NOT EXISTS eventOfNotice ON event (lastNotice);
        """
}
