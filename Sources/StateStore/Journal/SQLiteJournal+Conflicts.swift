import Foundation
import GRDB
import Model

extension SQLiteJournal {
    /// Schema 2.
    static let conflictTables = """
        CREATE TABLE IF NOT EXISTS conflict (
            id TEXT PRIMARY KEY, hash BLOB NOT NULL, path TEXT, side TEXT, at INTEGER NOT NULL,
            reason TEXT NOT NULL, fields BLOB NOT NULL, baseApp BLOB, baseGroup BLOB, other BLOB)
            WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS overwritten (
            hash BLOB NOT NULL, path TEXT NOT NULL, side TEXT NOT NULL, reason TEXT NOT NULL,
            at INTEGER NOT NULL, PRIMARY KEY (hash, path)) WITHOUT ROWID;
        """

    /// The same copy again is the same conflict, reopened.
    static func keep(_ conflict: ConflictRecord, in database: Database) throws {
        let arguments: StatementArguments = [
            conflict.id, Data(conflict.digest.bytes), conflict.document?.description,
            conflict.side?.rawValue, conflict.at, conflict.reason.code,
            try JSONEncoder().encode(conflict.fields),
            conflict.base.app.map { Data($0) }, conflict.base.group.map { Data($0) },
            conflict.other.map { Data($0) },
        ]
        try database.execute(
            sql: "INSERT OR REPLACE INTO conflict VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: arguments
        )
    }

    /// Kept as long as its bytes are in the trash.
    static func keep(_ content: OverwrittenContent, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO overwritten VALUES (?, ?, ?, ?, ?)",
            arguments: [
                Data(content.digest.bytes), content.document.description, content.side.rawValue,
                content.reason.code, content.at,
            ]
        )
    }

    package func overwritten() throws(JournalError) -> [OverwrittenContent] {
        try reading { database in
            let sql = "SELECT hash, path, side, reason, at FROM overwritten ORDER BY at, hash"
            return try Row.fetchAll(database, sql: sql).compactMap { row in
                let hash: Data = row[0]
                guard let digest = Digest(bytes: Array(hash)), let path = RelativePath(row[1]),
                    let side = Side(rawValue: row[2])
                else { return nil }
                return OverwrittenContent(
                    digest: digest,
                    document: path,
                    side: side,
                    reason: OverwriteReason(code: row[3]),
                    at: row[4]
                )
            }
        }
    }

    package func conflicts() throws(JournalError) -> [ConflictRecord] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM conflict ORDER BY at, id").compactMap(
                Self.conflict
            )
        }
    }

    package func conflictIndex() throws(JournalError) -> [ConflictRecord.Entry] {
        try reading { database in
            let sql = """
                SELECT id, path, side,
                    ifnull(length(baseApp), 0) + ifnull(length(baseGroup), 0) + ifnull(length(other), 0)
                FROM conflict ORDER BY at, id
                """
            return try Row.fetchAll(database, sql: sql).map { row in
                let (path, side): (String?, String?) = (row[1], row[2])
                return ConflictRecord.Entry(
                    id: row[0],
                    document: path.flatMap { RelativePath($0) },
                    side: side.flatMap { Side(rawValue: $0) },
                    bytes: row[3]
                )
            }
        }
    }

    private static func conflict(_ row: Row) throws -> ConflictRecord? {
        guard let hash: Data = row["hash"], let digest = Digest(bytes: Array(hash)) else { return nil }
        let path: String? = row["path"]
        let side: String? = row["side"]
        let fields: Data = row["fields"]
        let (app, group, other): (Data?, Data?, Data?) = (row["baseApp"], row["baseGroup"], row["other"])
        var record = ConflictRecord(
            digest: digest,
            document: path.flatMap { RelativePath($0) },
            side: side.flatMap { Side(rawValue: $0) },
            at: row["at"],
            reason: ChangeReason(code: row["reason"]),
            fields: (try? JSONDecoder().decode([ConflictRecord.Field].self, from: fields)) ?? [],
            base: BothSides(app: app.map { Array($0) }, group: group.map { Array($0) }),
            other: other.map { Array($0) }
        )
        // Older releases made the ID from the bytes alone, and the file is named after it.
        record.id = row["id"]
        return record
    }

    package func allEvents() throws(JournalError) -> [JournalEvent] {
        try reading { try Self.events(in: $0, where: "TRUE ORDER BY id", []) }
    }
}
