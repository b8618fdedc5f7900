import Foundation
import GRDB
import Model

extension SQLiteJournal {
    /// Schema 4.
    static let intentTable = """
        CREATE TABLE IF NOT EXISTS intent (
            path TEXT PRIMARY KEY, side TEXT NOT NULL, appHash BLOB NOT NULL, groupHash BLOB NOT NULL,
            appVersion INTEGER, groupVersion INTEGER, newestVersion INTEGER,
            newest BLOB, app BLOB, "group" BLOB, boot TEXT NOT NULL) WITHOUT ROWID;
        """

    static func keep(_ intent: CreationIntent, in database: Database) throws {
        let arguments: StatementArguments = [
            intent.document.description, intent.side.rawValue,
            Data(intent.digests.app.bytes), Data(intent.digests.group.bytes),
            intent.versions.app, intent.versions.group, intent.version,
            intent.content.map { Data($0.newest) }, intent.content?.sides.app.map { Data($0) },
            intent.content?.sides.group.map { Data($0) }, intent.boot,
        ]
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO intent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: arguments)
    }

    package func intents() throws(JournalError) -> [CreationIntent] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM intent ORDER BY path").compactMap(Self.intent)
        }
    }

    private static func intent(_ row: Row) -> CreationIntent? {
        let hashes: BothSides<Data> = BothSides(app: row["appHash"], group: row["groupHash"])
        guard let path = RelativePath(row["path"]), let side = Side(rawValue: row["side"]),
            let app = Digest(bytes: Array(hashes.app)), let group = Digest(bytes: Array(hashes.group))
        else { return nil }
        return CreationIntent(
            document: path,
            side: side,
            digests: BothSides(app: app, group: group),
            versions: BothSides(app: row["appVersion"], group: row["groupVersion"]),
            version: row["newestVersion"],
            content: content(row),
            boot: row["boot"]
        )
    }
}
