import FileSystem
import Foundation
import GRDB
package import Model
import Synchronization

/// The journal on disk: SQLite in WAL mode, `synchronous=NORMAL`.
///
/// The WAL grows to 16 MB before a checkpoint, which takes two syncs that block everything else. After a
/// power cut, the last transactions may be missing, but the database is consistent; the bridge recovers them,
/// as both sides are then equal and are adopted as the base.
package final class SQLiteJournal: Journal, Sendable {
    package var instance: String { name.withLock { $0 } }
    private let name: Mutex<String>
    private let database: DatabaseQueue
    private let mark: JournalMark
    private let path: String
    private let recent = Mutex(RecentContents())

    /// Opens or creates it. A new one gets the instance `newInstance`.
    package init(path: String, newInstance: String) throws(JournalError) {
        self.path = path
        do {
            database = try DatabaseQueue(path: path, configuration: Self.configuration)
            let mark = JournalMark(ofJournal: path)
            self.mark = mark
            name = try Mutex(
                database.write { database in
                    try JournalSchema.prepare(database)
                    // From here on, waiting for a lock would block the bridge, so the caller retries.
                    try database.execute(sql: "PRAGMA busy_timeout = 50")
                    let sql = "SELECT value FROM meta WHERE key = 'instance'"
                    let newest = try Self.newestEvent(database)
                    if let known = try String.fetchOne(database, sql: sql), mark.admits(known, newest) {
                        return known
                    }
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO meta VALUES ('instance', ?)",
                        arguments: [newInstance]
                    )
                    return newInstance
                }
            )
        } catch {
            throw JournalError(error, at: path)
        }
    }

    static func newestEvent(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(try database.cachedStatement(sql: "SELECT max(id) FROM event")) ?? 0
    }

    /// Called after the transaction, so that the stored event is never newer than the journal.
    func markNewest(_ event: Int64) { mark.record(instance, event) }

    /// Called after the transaction too, before `markNewest`.
    func remember(_ entries: [JournalEntry]) {
        recent.withLock { recent in for entry in entries { recent.record(entry) } }
    }

    func rename(to instance: String) { name.withLock { $0 = instance } }

    /// Checkpoints the WAL and closes the file. Later calls fail.
    package func close() {
        // If the checkpoint fails, the next start does it.
        try? database.close()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        // The previous process may still be closing it.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            _ = try JournalSchema.version(of: database)
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = NORMAL;
                    PRAGMA wal_autocheckpoint = 4000;
                    PRAGMA cache_size = -512;
                    PRAGMA temp_store = MEMORY;
                    """
            )
        }
        return configuration
    }

    package func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)] {
        try reading { database in
            var records: [(RelativePath, DocumentRecord)] = []
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT path, generation, appHash, appSignature, appVersion,
                        groupHash, groupSignature, groupVersion, newestVersion
                    FROM document WHERE appHash IS NOT NULL ORDER BY path
                    """
            )
            while let row = try rows.next() {
                guard let path = RelativePath(row[0]), let app = Self.side(row, at: 2),
                    let group = Self.side(row, at: 5)
                else { continue }
                let sides = BothSides(app: app, group: group)
                records.append((path, DocumentRecord(generation: row[1], version: row[8], sides: sides)))
            }
            return records
        }
    }

    private static func side(_ row: Row, at column: Int) -> SideRecord? {
        guard let hash: Data = row[column], let digest = Digest(bytes: Array(hash)) else { return nil }
        let signature: Data? = row[column + 1]
        return SideRecord(
            digest: digest,
            signature: signature.flatMap { Signature(packed: Array($0)) },
            version: row[column + 2]
        )
    }

    package func madeDirectories() throws(JournalError) -> [(Side, RelativePath)] {
        try reading { database in
            try Row.fetchAll(database, sql: "SELECT side, path FROM directory ORDER BY side, path").compactMap
            { row in
                guard let side = Side(rawValue: row[0]), let path = RelativePath(row[1]) else { return nil }
                return (side, path)
            }
        }
    }

    package func content(of document: RelativePath) throws(JournalError) -> BaseContent? {
        if let content = recent.withLock({ $0[document] }) { return content }
        return try reading { database in
            let statement = try database.cachedStatement(
                sql: #"SELECT newest, app, "group" FROM document WHERE path = ? AND newest IS NOT NULL"#
            )
            let row = try Row.fetchOne(statement, arguments: [document.description])
            return row.flatMap(Self.content)
        }
    }

    /// The columns of a content; `nil` if the row has none.
    static func content(_ row: Row) -> BaseContent? {
        guard let newest: Data = row["newest"] else { return nil }
        let sides: BothSides<Data?> = BothSides(app: row["app"], group: row["group"])
        return BaseContent(newest: Array(newest), sides: sides.map { $0.map { Array($0) } })
    }

    package func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64 {
        try lastGenerations(of: [document])[document] ?? 0
    }

    /// In one transaction: one by one, locking would cost more than the queries.
    package func lastGenerations(
        of documents: [RelativePath]
    ) throws(JournalError) -> [RelativePath: Int64] {
        try reading { database in
            var generations: [RelativePath: Int64] = [:]
            try database.inTransaction(.deferred) {
                let statement = try database.cachedStatement(
                    sql: "SELECT generation FROM document WHERE path = ?"
                )
                let floor = try Int64.fetchOne(
                    database,
                    sql: "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generationFloor'"
                )
                for document in documents {
                    let known = try Int64.fetchOne(statement, arguments: [document.description])
                    generations[document] = known ?? floor
                }
                return .commit
            }
            return generations
        }
    }

    package func lastNotice() throws(JournalError) -> Int64 {
        try reading { try Int64.fetchOne($0, sql: "SELECT max(lastNotice) FROM event") ?? 0 }
    }

    package func value(of key: String) throws(JournalError) -> String? {
        try reading { try String.fetchOne($0, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key]) }
    }

    package func values(
        withPrefix prefix: String
    ) throws(JournalError) -> [(key: String, value: String)] {
        try reading { database in
            let sql = "SELECT key, value FROM meta WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key"
            return try Row.fetchAll(database, sql: sql, arguments: [prefix]).map { ($0[0], $0[1]) }
        }
    }

    /// Without a transaction: no other process writes while this one holds the process lock.
    func reading<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do { return try database.unsafeRead(body) } catch { throw JournalError(error, at: path) }
    }

    func writing(_ body: (Database) throws -> Void) throws(JournalError) {
        do { try database.write(body) } catch { throw JournalError(error, at: path) }
    }
}
