internal import CSQLite
internal import GRDBSQLite
internal import Model
internal import Stores

/// An open database: the library's calls without its pointers.
///
/// The library is called directly, and not through GRDB, which cannot open a database without creating a
/// missing one, nor refuse a symbolic link.
@safe final class Connection {
    private let handle: OpaquePointer
    /// For errors.
    let file: Location
    private var statements: [String: Statement] = [:]
    private var fullSync: Bool?

    /// How long a call waits for another program's lock.
    private static let milliseconds: Int32 = 5

    /// - Parameter path: without a symbolic link in any part.
    init(_ file: Location, at path: String) throws(DatabaseFault) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            defer { unsafe _ = sqlite3_close(opened) }
            throw unsafe DatabaseFault(of: opened, code, file)
        }
        unsafe self.handle = handle
        self.file = file
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Self.milliseconds)
        setCheckpoints(onClose: false)
        // The schema is the app's: it must not call functions with side effects.
        try execute("PRAGMA trusted_schema = OFF")
    }

    deinit {
        for statement in statements.values { statement.finalize() }
        unsafe _ = sqlite3_close(handle)
    }

    /// How long a call waits for another program's lock, if not a few milliseconds.
    func setPatience(milliseconds: Int) {
        unsafe sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    /// Whether closing it may move the content of `-wal` into the database. It must not if another file has
    /// the database's name by now.
    func setCheckpoints(onClose: Bool) {
        unsafe _ = sqlite_set_checkpoint_on_close(UnsafeMutableRawPointer(handle), onClose ? 1 : 0)
    }

    /// Whether another file, or none, has the name by which it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        return code != SQLITE_OK || moved != 0
    }

    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") != 0 }

    // MARK: Statements

    /// A statement is compiled once, and again after the schema has changed.
    func statement(_ sql: String) throws(DatabaseFault) -> Statement {
        if let known = statements[sql] { return known }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// A statement that the caller finalizes.
    func prepare(_ sql: String) throws(DatabaseFault) -> Statement {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &compiled, nil)
        guard code == SQLITE_OK, let statement = unsafe compiled else { throw fault(code) }
        return unsafe Statement(statement, of: self)
    }

    func execute(_ sql: String) throws(DatabaseFault) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// The first column of the only row.
    func number(_ sql: String) throws(DatabaseFault) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Whether it has a write-ahead log. To be called within a transaction.
    func hasLog() throws(DatabaseFault) -> Bool {
        let statement = try statement("PRAGMA journal_mode")
        defer { statement.reset() }
        return try statement.step() && statement.bytes(0) == Array("wal".utf8)
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    /// The largest value, in bytes, that is read.
    func setLimit(_ bytes: Int) {
        unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    }

    /// Whether a commit waits until the disk has it. Without a write-ahead log it always does, as a power cut
    /// could make the database corrupt.
    func setFullSync(_ isFull: Bool) throws(DatabaseFault) {
        guard isFull != fullSync else { return }
        try execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        fullSync = isFull
    }

    func fault(_ code: Int32) -> DatabaseFault { unsafe DatabaseFault(of: handle, code, file) }

    /// Copies its pages to an empty database.
    func copy(to target: Connection) throws(DatabaseFault) {
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.fault(unsafe sqlite3_errcode(target.handle))
        }
        let stepped = unsafe sqlite3_backup_step(backup, -1)
        let finished = unsafe sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE else { throw target.fault(stepped) }
        guard finished == SQLITE_OK else { throw target.fault(finished) }
    }
}

// MARK: - Transactions

extension Connection {
    enum Transaction: String {
        /// Reads one state of the database.
        case deferred = "BEGIN"
        /// Nobody else can write.
        case immediate = "BEGIN IMMEDIATE"
        /// Nobody else can read either, unless there is a write-ahead log.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// What to do with the transaction in the end.
    enum End<Value> {
        case commit(Value)
        case rollback(Value)
    }

    func transaction<Value>(
        _ kind: Transaction,
        _ body: () throws(DatabaseFault) -> End<Value>
    ) throws(DatabaseFault) -> Value {
        try statement(kind.rawValue).run()
        do throws(DatabaseFault) {
            switch try body() {
            case .commit(let value):
                try statement("COMMIT").run()
                return value
            case .rollback(let value):
                try statement("ROLLBACK").run()
                return value
            }
        } catch {
            // Fails only where the library has rolled back already.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}
