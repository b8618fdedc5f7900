import Foundation
import GRDB
import Model

/// The events on their way to the app: SQLite in WAL mode, `synchronous=FULL`, so that an event is on the
/// disk before `push` returns.
///
/// Any number of processes may have it open, with or without an agent. It is not a part of the journal,
/// which is set aside if it is damaged.
package final class EventQueue: Sendable {
    private let database: DatabaseQueue
    private let path: String
    private let rules: EventRules

    package enum Pushed: Sendable, Hashable {
        case appended(QueuedEvent)
        /// The event that the queue has or had.
        case repeated(QueuedEvent)
        case otherContent
        case full
    }

    /// - Parameter path: `nil` for a queue in memory.
    package init(path: String?, rules: EventRules = EventRules()) throws(JournalError) {
        (self.path, self.rules) = (path ?? ":memory:", rules)
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        while true {
            do {
                database = try Self.opened(path)
                return
            } catch {
                // While one process creates the file, SQLite refuses the others without waiting.
                let error = JournalError(error, at: self.path)
                guard error.isLocked, ContinuousClock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// How long a process waits for the others, in seconds.
    private static let patience = 20.0

    private static func opened(_ path: String?) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let queue =
            try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
            ?? DatabaseQueue(configuration: configuration)
        try queue.writeWithoutTransaction { database in
            if try version(of: database) == schema { return }
            try database.inTransaction(.immediate) {
                try createTables(in: database)
                return .commit
            }
        }
        return queue
    }

    private static let schema = 2

    private static func version(of database: Database) throws -> Int {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= schema else { throw JournalError.otherSchema(version, known: schema) }
        return version
    }

    private static func createTables(in database: Database) throws {
        // Another process may have created them since the first look.
        let version = try version(of: database)
        if version == schema { return }
        try database.execute(
            sql: """
                CREATE TABLE clock (time INTEGER NOT NULL, wall INTEGER NOT NULL);
                PRAGMA user_version = \(schema);
                """
        )
        if version > 0 { return }
        try database.execute(
            sql: """
                CREATE TABLE event (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, content BLOB NOT NULL,
                    kind TEXT NOT NULL, name TEXT NOT NULL, data TEXT, size INTEGER NOT NULL,
                    at INTEGER NOT NULL, acknowledged INTEGER);
                CREATE INDEX waiting ON event (seq, size) WHERE acknowledged IS NULL;
                CREATE INDEX past ON event (acknowledged) WHERE acknowledged IS NOT NULL;
                """
        )
    }

    /// Closes the file. Later calls fail.
    package func close() { try? database.close() }

    /// - Parameter now: in milliseconds since 1970.
    package func push(_ event: NewEvent, at now: Int64) throws(JournalError) -> Pushed {
        try writing { database in
            let sql = "DELETE FROM event WHERE acknowledged < ?"
            let time = try passTime(to: now, in: database)
            try database.execute(sql: sql, arguments: [rules.forgets(before: time)])
            let known = try Row.fetchOne(
                database,
                sql: "SELECT seq, at, content FROM event WHERE id = ?",
                arguments: [event.id]
            )
            let content = known.flatMap { (row: Row) -> Digest? in
                let bytes: Data = row[2]
                return Digest(bytes: Array(bytes))
            }
            switch rules.verdict(on: event, known: content, try Self.load(of: database)) {
            case .otherContent: return .otherContent
            case .full: return .full
            case .repetition:
                return .repeated(QueuedEvent(event, seq: known?[0] ?? 0, at: known?[1] ?? now))
            case .append: return .appended(try Self.append(event, at: now, to: database))
            }
        }
    }

    private func passTime(to wall: Int64, in database: Database) throws -> Int64 {
        let last = try Row.fetchOne(database, sql: "SELECT time, wall FROM clock")
        let time = rules.time(after: last.map { (time: $0[0], wall: $0[1]) }, wall: wall)
        try database.execute(sql: "DELETE FROM clock")
        try database.execute(sql: "INSERT INTO clock VALUES (?, ?)", arguments: [time, wall])
        return time
    }

    private static func load(of database: Database) throws -> EventRules.Load {
        let sql = "SELECT count(*), total(size) FROM event WHERE acknowledged IS NULL"
        let row = try Row.fetchOne(database, sql: sql)
        let bytes: Double = row?[1] ?? 0
        return EventRules.Load(count: row?[0] ?? 0, bytes: Int(bytes))
    }

    private static func append(_ event: NewEvent, at now: Int64, to database: Database) throws
        -> QueuedEvent
    {
        try database.execute(
            sql: """
                INSERT INTO event (id, content, kind, name, data, size, at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                event.id, Data(event.content.bytes), event.kind, event.name, event.data, event.size, now,
            ]
        )
        return QueuedEvent(event, seq: database.lastInsertedRowID, at: now)
    }

    /// The events that are not acknowledged, oldest first.
    ///
    /// - Parameters:
    ///   - seq: Only those after this number.
    ///   - limit: At most this many; `nil` for all.
    package func waiting(after seq: Int64 = 0, limit: Int? = nil) throws(JournalError) -> [QueuedEvent] {
        do {
            return try database.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT id, seq, kind, name, data, at FROM event
                        WHERE acknowledged IS NULL AND seq > ? ORDER BY seq LIMIT ?
                        """,
                    arguments: [seq, limit ?? -1]
                )
                return rows.map {
                    QueuedEvent(id: $0[0], seq: $0[1], kind: $0[2], name: $0[3], data: $0[4], at: $0[5])
                }
            }
        } catch {
            throw JournalError(error, at: path)
        }
    }

    /// Reads all of the database, as a damaged page is not found by those who do not need it.
    package func check() throws(JournalError) {
        do {
            if let damage = try database.read(JournalError.damage) { throw damage }
        } catch {
            throw JournalError(error, at: path)
        }
    }

    package func isFull() throws(JournalError) -> Bool {
        do { return rules.isFull(try database.read(Self.load)) } catch {
            throw JournalError(error, at: path)
        }
    }

    /// Marks all these events, or none if one of them is unknown.
    ///
    /// - Returns: the unknown one.
    package func acknowledge(_ ids: [String], at now: Int64) throws(JournalError) -> String? {
        try writing { database in
            for id in ids {
                let sql = "SELECT 1 FROM event WHERE id = ?"
                guard try Int.fetchOne(database, sql: sql, arguments: [id]) != nil else { return id }
            }
            let time = try passTime(to: now, in: database)
            for id in ids {
                try database.execute(
                    sql: """
                        UPDATE event SET acknowledged = ?, data = NULL WHERE id = ? AND acknowledged IS NULL
                        """,
                    arguments: [time, id]
                )
            }
            return nil
        }
    }

    /// Immediate: what is read in the transaction is still true when it writes.
    private func writing<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do {
            return try database.writeWithoutTransaction { database in
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { preconditionFailure("the transaction has run") }
                return value
            }
        } catch {
            throw JournalError(error, at: path)
        }
    }
}

extension QueuedEvent {
    fileprivate init(_ event: NewEvent, seq: Int64, at: Int64) {
        self.init(id: event.id, seq: seq, kind: event.kind, name: event.name, data: event.data, at: at)
    }
}
