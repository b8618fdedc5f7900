internal import GRDBSQLite
internal import Glibc
internal import Model
internal import Stores

extension DatabaseFault {
    /// The failure of a call of the library.
    init(of connection: OpaquePointer?, _ code: Int32, _ file: Location) {
        let systemError = unsafe sqlite3_system_errno(connection)
        let errno = systemError == 0 ? EIO : systemError
        switch code & 0xff {
        // PROTOCOL: too many others lock the write-ahead log.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy
        case SQLITE_NOTADB: self = .notADatabase
        case SQLITE_CORRUPT: self = .corrupt
        case SQLITE_FULL: self = .file(.system(errno: ENOSPC, .write, file))
        case SQLITE_READONLY where code == Extended.moved: self = .changing
        case SQLITE_READONLY: self = .readOnly(needsRecovery: Extended.recovery.contains(code))
        case SQLITE_CANTOPEN where code == Extended.symbolicLink:
            self = .file(.notRegular(file, .symbolicLink))
        case SQLITE_CANTOPEN: self = .file(.system(errno: errno, .open, file))
        case SQLITE_IOERR: self = .file(.system(errno: errno, Extended.call(code), file))
        default:
            let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? ""
            self = .failed(code: code, message: message)
        }
    }
}

/// Extended result codes, which are macros with operators.
private enum Extended {
    static let moved = SQLITE_READONLY | 4 << 8
    static let symbolicLink = SQLITE_CANTOPEN | 6 << 8
    /// RECOVERY, ROLLBACK, CANTINIT, DIRECTORY: even reading takes a write first.
    static let recovery = [1, 3, 5, 6].map { SQLITE_READONLY | $0 << 8 }
    private static let reading = [1, 2].map { SQLITE_IOERR | $0 << 8 }
    private static let syncing = [4, 5].map { SQLITE_IOERR | $0 << 8 }

    static func call(_ code: Int32) -> SystemCall {
        if reading.contains(code) { return .read }
        return syncing.contains(code) ? .sync : .write
    }
}
