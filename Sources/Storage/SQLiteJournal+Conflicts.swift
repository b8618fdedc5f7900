import Foundation
import GRDB
import Reconciliation

extension SQLiteJournal {
    /// Schema 2.
    static let conflictTable = """
        CREATE TABLE IF NOT EXISTS conflict (
            id TEXT PRIMARY KEY, hash BLOB NOT NULL, path TEXT, side TEXT, at INTEGER NOT NULL,
            reason TEXT NOT NULL, fields BLOB NOT NULL, baseApp BLOB, baseGroup BLOB, other BLOB,
            decided INTEGER) WITHOUT ROWID;
        """

    /// The same loser a second time is the same conflict, open again.
    static func keep(_ conflict: ConflictRecord, in database: Database) throws {
        let arguments: StatementArguments = [
            conflict.id, Data(conflict.digest.bytes), conflict.document?.description,
            conflict.side?.rawValue, conflict.at, conflict.reason,
            try JSONEncoder().encode(conflict.fields),
            conflict.base.app.map { Data($0) }, conflict.base.group.map { Data($0) },
            conflict.other.map { Data($0) }, conflict.decided,
        ]
        try database.execute(
            sql: "INSERT OR REPLACE INTO conflict VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: arguments
        )
    }

    /// Whose it was is known for as long as its bytes may lie in the trash.
    static func decide(_ id: String, at: Int64, in database: Database) throws {
        try database.execute(
            sql:
                "UPDATE conflict SET decided = ?, baseApp = NULL, baseGroup = NULL, other = NULL WHERE id = ?",
            arguments: [at, id]
        )
        try database.execute(
            sql: "DELETE FROM conflict WHERE decided < ?",
            arguments: [at - Trash.maxAge.components.seconds * 1_000]
        )
    }

    package func conflicts() throws(JournalError) -> [ConflictRecord] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM conflict ORDER BY at, id").compactMap(
                Self.conflict
            )
        }
    }

    private static func conflict(_ row: Row) throws -> ConflictRecord? {
        guard let hash: Data = row["hash"], let digest = Digest(bytes: Array(hash)) else { return nil }
        let path: String? = row["path"]
        let side: String? = row["side"]
        let fields: Data = row["fields"]
        let (app, group, other): (Data?, Data?, Data?) = (row["baseApp"], row["baseGroup"], row["other"])
        var conflict = ConflictRecord(
            digest: digest,
            document: path.flatMap { RelativePath($0) },
            side: side.flatMap { Side(rawValue: $0) },
            at: row["at"],
            reason: row["reason"],
            fields: (try? JSONDecoder().decode([ConflictRecord.Field].self, from: fields)) ?? [],
            base: BothSides(app: app.map { Array($0) }, group: group.map { Array($0) }),
            other: other.map { Array($0) }
        )
        conflict.decided = row["decided"]
        return conflict
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] {
        try reading { try Self.events(in: $0, where: "TRUE ORDER BY id", []) }
    }
}
