import FileSystem
import GRDB

extension DatabaseFailure {
    static let ofRights = Set(
        [ResultCode.SQLITE_PERM, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_AUTH].map(\.rawValue)
    )
}

extension JournalError {
    /// What SQLite's check of a database finds first; `nil` if it finds nothing.
    static func damage(in database: Database) throws -> JournalError? {
        let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        // The answer is a part of SQLite's interface.
        if found == "ok" { return nil }
        // Above what is damaged, SQLite writes a line that names the database.
        let message = found?.split(separator: "\n").last.map(String.init)
        return .broken(DatabaseFailure(code: ResultCode.SQLITE_CORRUPT.rawValue, message: message))
    }

    /// - Parameter path: the database in which the error occurred.
    init(_ error: any Error, at path: String) {
        if let known = error as? JournalError {
            self = known
            return
        }
        guard let error = error as? DatabaseError else {
            self = .other("\(error)")
            return
        }
        let code = error.resultCode
        let failure = DatabaseFailure(code: code.primaryResultCode.rawValue, message: error.message)
        if Self.isLock(code) {
            self = .locked
        } else if code == .SQLITE_NOTADB || code.primaryResultCode == .SQLITE_CORRUPT {
            self = .broken(failure)
        } else {
            self = Self.lacksRoom(code, at: path) ? .noRoom(failure) : .database(failure)
        }
    }

    /// The files beside the database need room, too. If there is none, SQLite reports a failed call, not a
    /// full disk.
    private static func lacksRoom(_ code: ResultCode, at path: String) -> Bool {
        switch code.primaryResultCode {
        case .SQLITE_FULL: true
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: DiskRoom.isUsedUp(at: path)
        default: false
        }
    }

    /// The second code: too many other connections, so that the WAL cannot be locked.
    private static func isLock(_ code: ResultCode) -> Bool {
        code.primaryResultCode == .SQLITE_BUSY || code.primaryResultCode == .SQLITE_PROTOCOL
    }
}
