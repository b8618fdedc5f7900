import GRDB
import Reconciliation

/// Why a document changed is kept as a code since schema 5. Before that it was kept in words.
extension SQLiteJournal {
    static func codeReasons(_ database: Database) throws {
        let code = DatabaseFunction("codeOfReason", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map { ChangeReason(told: $0).code }
        }
        database.add(function: code)
        defer { database.remove(function: code) }
        try database.execute(sql: "UPDATE event SET what = codeOfReason(what)")
    }
}
