import Foundation
import GRDB
import Model

extension SQLiteJournal {
    static let intentTable = """
        CREATE TABLE IF NOT EXISTS intent (
            path TEXT PRIMARY KEY, side TEXT NOT NULL, change TEXT NOT NULL, origin TEXT,
            generation INTEGER NOT NULL, appHash BLOB NOT NULL, appVersion INTEGER,
            groupHash BLOB NOT NULL, groupVersion INTEGER, newestVersion INTEGER,
            newest BLOB, app BLOB, "group" BLOB, boot TEXT NOT NULL) WITHOUT ROWID;
        """

    static func keep(_ intent: CommitIntent, in database: Database) throws {
        let (record, content) = (intent.record, intent.content)
        let arguments: StatementArguments = [
            intent.document.description, intent.side.rawValue, intent.change.word, intent.change.origin,
            record.generation, Data(record.sides.app.digest.bytes), record.sides.app.version,
            Data(record.sides.group.digest.bytes), record.sides.group.version, record.version,
            content.map { Data($0.newest) }, content?.sides.app.map { Data($0) },
            content?.sides.group.map { Data($0) }, intent.boot,
        ]
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO intent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: arguments)
    }

    package func intents() throws(JournalError) -> [CommitIntent] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM intent ORDER BY path").compactMap(Self.intent)
        }
    }

    private static func intent(_ row: Row) -> CommitIntent? {
        let hashes: BothSides<Data> = BothSides(app: row["appHash"], group: row["groupHash"])
        let versions: BothSides<Int?> = BothSides(app: row["appVersion"], group: row["groupVersion"])
        guard let path = RelativePath(row["path"]), let side = Side(rawValue: row["side"]),
            let change = CommitIntent.Change(row["change"], origin: row["origin"]),
            let app = Digest(bytes: Array(hashes.app)), let group = Digest(bytes: Array(hashes.group))
        else { return nil }
        let digests = BothSides(app: app, group: group)
        let record = DocumentRecord(
            generation: row["generation"],
            version: row["newestVersion"],
            sides: BothSides { SideRecord(digest: digests[$0], signature: nil, version: versions[$0]) }
        )
        let content = content(row)
        return CommitIntent(
            document: path,
            side: side,
            change,
            record: record,
            content: content,
            boot: row["boot"]
        )
    }
}

extension CommitIntent.Change {
    fileprivate init?(_ word: String, origin: String?) {
        switch word {
        case "created": self = .created
        case "replaced": self = .replaced
        case "renamed":
            guard let origin = origin.flatMap({ RelativePath($0) }) else { return nil }
            self = .renamed(from: origin)
        default: return nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .created: "created"
        case .replaced: "replaced"
        case .renamed: "renamed"
        }
    }

    fileprivate var origin: String? {
        if case .renamed(let origin) = self { origin.description } else { nil }
    }
}
