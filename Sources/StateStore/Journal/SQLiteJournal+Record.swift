import Foundation
import GRDB
package import Model

extension SQLiteJournal {
    package func record(_ entries: [JournalEntry]) throws(JournalError) {
        guard !entries.isEmpty else { return }
        var newest: Int64?
        try writing { database in
            for entry in entries { try Self.apply(entry, to: database) }
            let isEventful = entries.contains(where: \.isToBeNoted)
            newest = isEventful ? try Self.newestEvent(database) : nil
        }
        remember(entries)
        for case .value(let name, JournalKey.instance) in entries { rename(to: name) }
        if let newest { markNewest(newest) }
    }

    private static func apply(_ entry: JournalEntry, to database: Database) throws {
        switch entry {
        case .agreed(let path, let record, let content): try agree(path, record, content, in: database)
        case .touched(let path, let record): try touch(path, record, in: database)
        case .gone(let path, let generation): try forget(path, generation, in: database)
        case .event(let event): try append(event, in: database)
        case .madeDirectory(let side, let path):
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO directory VALUES (?, ?)")
                .execute(arguments: [side.rawValue, path.description])
        case .removedDirectory(let side, let path):
            try database.cachedStatement(sql: "DELETE FROM directory WHERE side = ? AND path = ?")
                .execute(arguments: [side.rawValue, path.description])
        case .conflict(let conflict): try keep(conflict, in: database)
        case .decided(let id):
            try database.execute(sql: "DELETE FROM conflict WHERE id = ?", arguments: [id])
        case .overwritten(let content): try keep(content, in: database)
        case .intent(let intent): try keep(intent, in: database)
        case .settledIntent(let path):
            try database.cachedStatement(sql: "DELETE FROM intent WHERE path = ?")
                .execute(arguments: [path.description])
        case .value(let value, let key):
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)")
                .execute(arguments: [key, value])
        case .dropped(let digests):
            let statement = try database.cachedStatement(sql: "DELETE FROM overwritten WHERE hash = ?")
            for digest in digests { try statement.execute(arguments: [Data(digest.bytes)]) }
        }
    }

    private static func agree(
        _ path: RelativePath,
        _ record: DocumentRecord,
        _ content: BaseContent,
        in database: Database
    ) throws {
        let arguments: StatementArguments = [
            path.description, record.generation,
            Data(record.sides.app.digest.bytes), record.sides.app.signature.map { Data($0.packed) },
            record.sides.app.version,
            Data(record.sides.group.digest.bytes), record.sides.group.signature.map { Data($0.packed) },
            record.sides.group.version,
            Data(content.newest), content.sides.app.map { Data($0) }, content.sides.group.map { Data($0) },
            record.version,
        ]
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: arguments)
    }

    private static func touch(_ path: RelativePath, _ record: DocumentRecord, in database: Database) throws {
        let sql = """
            UPDATE document SET appHash = ?, appSignature = ?, groupHash = ?, groupSignature = ? WHERE path = ?
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            Data(record.sides.app.digest.bytes), record.sides.app.signature.map { Data($0.packed) },
            Data(record.sides.group.digest.bytes), record.sides.group.signature.map { Data($0.packed) },
            path.description,
        ])
    }

    private static func forget(_ path: RelativePath, _ generation: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO document (path, generation) VALUES (?, ?)")
            .execute(arguments: [path.description, generation])
    }

    private static func append(_ event: JournalEvent, in database: Database) throws {
        let arguments: StatementArguments = [
            event.document.description, event.generation, event.cause.rawValue, event.what.code,
            event.hashes.app.map { Data($0.bytes) }, event.hashes.group.map { Data($0.bytes) },
            event.at, event.firstNotice, event.firstNotice + Int64(event.kinds.count) - 1,
            event.kinds.map(\.asField).joined(separator: "\n"),
        ]
        try database.cachedStatement(
            sql: """
                INSERT INTO event
                (path, generation, cause, what, appHash, groupHash, at, firstNotice, lastNotice, kinds)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: arguments)
        let newest = database.lastInsertedRowID
        if newest % 1_000 == 0 {
            try database.execute(
                sql: "DELETE FROM event WHERE id <= ?",
                arguments: [newest - Int64(JournalLimits.events)]
            )
            try forgetDeletions(in: database)
        }
    }

    /// Drops the generations of all but the newest deleted documents. The highest dropped one is used for all
    /// of them, since a generation never decreases.
    private static func forgetDeletions(in database: Database) throws {
        let last = try Int64.fetchOne(
            database,
            sql: "SELECT rowid FROM document WHERE appHash IS NULL ORDER BY rowid DESC LIMIT 1 OFFSET ?",
            arguments: [JournalLimits.deletions]
        )
        guard let last else { return }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO meta SELECT 'generationFloor', max(generation) FROM (
                    SELECT generation FROM document WHERE appHash IS NULL AND rowid <= ?
                    UNION ALL SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generationFloor')
                """,
            arguments: [last]
        )
        try database.execute(
            sql: "DELETE FROM document WHERE appHash IS NULL AND rowid <= ?",
            arguments: [last]
        )
    }

    package func events(of document: RelativePath) throws(JournalError) -> [JournalEvent] {
        try reading { database in
            try Self.events(in: database, where: "path = ? ORDER BY id", [document.description])
        }
    }

    package func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]? {
        try reading { database in
            let sql = "SELECT min(firstNotice) FROM event WHERE lastNotice >= firstNotice"
            let oldest = try Int64.fetchOne(database, sql: sql)
            if let oldest, oldest > sequence + 1 { return nil }
            return try Self.events(
                in: database,
                where: "lastNotice > ? AND lastNotice >= firstNotice ORDER BY id",
                [sequence]
            )
        }
    }

    static func events(
        in database: Database,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [JournalEvent] {
        let columns = "path, generation, cause, what, appHash, groupHash, at, firstNotice, kinds"
        return try Row.fetchAll(
            database,
            sql: "SELECT \(columns) FROM event WHERE \(condition)",
            arguments: arguments
        ).compactMap { row in
            guard let document = RelativePath(row[0]) else { return nil }
            let app: Data? = row[4]
            let group: Data? = row[5]
            let kinds: String = row[8]
            return JournalEvent(
                document: document,
                generation: row[1],
                cause: Cause(rawValue: row[2]) ?? .app,
                what: ChangeReason(code: row[3]),
                hashes: BothSides(
                    app: app.flatMap { Digest(bytes: Array($0)) },
                    group: group.flatMap { Digest(bytes: Array($0)) }
                ),
                at: row[6],
                firstNotice: row[7],
                kinds: Array(kinds.utf8).split(separator: UInt8(ascii: "\n")).map { String(field: $0) }
            )
        }
    }
}

extension JournalEntry {
    /// Whether it is also stored in the file beside the journal.
    fileprivate var isToBeNoted: Bool {
        switch self {
        case .event, .value(_, JournalKey.instance): true
        default: false
        }
    }
}

extension Signature {
    /// Five words, little-endian.
    var packed: [UInt8] {
        [device, inode, UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
            .flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }

    init?(packed bytes: [UInt8]) {
        guard bytes.count == 40 else { return nil }
        func word(_ index: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[8 * index + $1]) << (8 * UInt64($1)) }
        }
        self.init(
            device: word(0),
            inode: word(1),
            size: Int64(bitPattern: word(2)),
            modified: Int64(bitPattern: word(3)),
            changed: Int64(bitPattern: word(4))
        )
    }
}
