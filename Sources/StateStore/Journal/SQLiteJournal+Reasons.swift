import GRDB
import Model

/// Reasons are stored as codes; older releases stored sentences.
extension SQLiteJournal {
    /// Schema 5: why a document changed.
    static func codeReasons(_ database: Database) throws {
        try translating(database, { ChangeReason(oldText: $0).code }) {
            try database.execute(sql: "UPDATE event SET what = code(what)")
        }
    }

    /// Schema 6: why a save lost a conflict, and why a content went to the trash.
    static func codeConflictReasons(_ database: Database) throws {
        try translating(database, { ChangeReason(oldText: $0).code }) {
            try database.execute(sql: "UPDATE conflict SET reason = code(reason)")
        }
        try translating(database, { OverwriteReason(oldText: $0).code }) {
            try database.execute(sql: "UPDATE overwritten SET reason = code(reason)")
        }
    }

    /// Runs statements that use the SQL function `code`.
    private static func translating(
        _ database: Database,
        _ code: @escaping @Sendable (String) -> String,
        _ body: () throws -> Void
    ) throws {
        let function = DatabaseFunction("code", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map(code)
        }
        database.add(function: function)
        defer { database.remove(function: function) }
        try body()
    }
}
