import Foundation
import GRDB
import Model

extension SQLiteJournal {
    static let publicationTable = """
        CREATE TABLE IF NOT EXISTS publication (
            path TEXT PRIMARY KEY, side TEXT NOT NULL, generation INTEGER NOT NULL,
            appHash BLOB NOT NULL, appVersion INTEGER, groupHash BLOB NOT NULL, groupVersion INTEGER,
            newest BLOB NOT NULL, app BLOB, "group" BLOB, newestVersion INTEGER) WITHOUT ROWID;
        """

    static func keep(_ intent: PublicationIntent, in database: Database) throws {
        let (record, content) = (intent.record, intent.content)
        let arguments: StatementArguments = [
            intent.document.description, intent.side.rawValue, record.generation,
            Data(record.sides.app.digest.bytes), record.sides.app.version,
            Data(record.sides.group.digest.bytes), record.sides.group.version,
            Data(content.newest), content.sides.app.map { Data($0) }, content.sides.group.map { Data($0) },
            record.version,
        ]
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO publication VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: arguments)
    }

    package func publications() throws(JournalError) -> [PublicationIntent] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM publication ORDER BY path")
                .compactMap(Self.publication)
        }
    }

    private static func publication(_ row: Row) -> PublicationIntent? {
        let hashes: BothSides<Data> = BothSides(app: row["appHash"], group: row["groupHash"])
        let versions: BothSides<Int?> = BothSides(app: row["appVersion"], group: row["groupVersion"])
        guard let path = RelativePath(row["path"]), let side = Side(rawValue: row["side"]),
            let app = Digest(bytes: Array(hashes.app)),
            let group = Digest(bytes: Array(hashes.group)), let content = content(row)
        else { return nil }
        let digests = BothSides(app: app, group: group)
        return PublicationIntent(
            document: path,
            side: side,
            record: DocumentRecord(
                generation: row["generation"],
                version: row["newestVersion"],
                sides: BothSides { side in
                    SideRecord(digest: digests[side], signature: nil, version: versions[side])
                }
            ),
            content: content
        )
    }
}
