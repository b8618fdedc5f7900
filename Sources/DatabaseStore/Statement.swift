internal import GRDBSQLite
internal import Stores

/// A compiled statement.
@safe final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection

    init(_ handle: OpaquePointer, of connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    /// It cannot be used any more.
    func finalize() { unsafe _ = sqlite3_finalize(handle) }

    func reset() {
        unsafe _ = sqlite3_reset(handle)
        unsafe _ = sqlite3_clear_bindings(handle)
    }

    /// Whether there is another row.
    func step() throws(DatabaseFault) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.fault(code)
        }
    }

    /// Executes a statement without rows.
    func run() throws(DatabaseFault) {
        defer { reset() }
        _ = try step()
    }

    /// The result code for a value beyond the limit.
    static let tooBig = SQLITE_TOOBIG

    // MARK: Parameters, from 1

    func bind(_ number: Int32, _ text: String) throws(DatabaseFault) {
        try bind(number, Array(text.utf8), as: .text)
    }

    func bind(_ number: Int32, _ bytes: [UInt8], as type: Cell.Kind) throws(DatabaseFault) {
        // The library copies the bytes.
        let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = unsafe bytes.withUnsafeBytes { bytes in
            // A null pointer would be NULL.
            guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
                return type == .text
                    ? unsafe sqlite3_bind_text(handle, number, "", 0, copies)
                    : unsafe sqlite3_bind_zeroblob(handle, number, 0)
            }
            let count = UInt64(bytes.count)
            guard type == .text else {
                return unsafe sqlite3_bind_blob64(handle, number, start, count, copies)
            }
            let text = unsafe start.assumingMemoryBound(to: CChar.self)
            return unsafe sqlite3_bind_text64(handle, number, text, count, copies, UInt8(SQLITE_UTF8))
        }
        guard code == SQLITE_OK else { throw connection.fault(code) }
    }

    func bind(_ number: Int32, _ cell: DatabaseCell) throws(DatabaseFault) {
        let code: Int32
        switch cell {
        case .null: code = unsafe sqlite3_bind_null(handle, number)
        case .integer(let integer): code = unsafe sqlite3_bind_int64(handle, number, integer)
        case .real(let real): code = unsafe sqlite3_bind_double(handle, number, real)
        case .text(let text): return try bind(number, text)
        case .blob(let bytes): return try bind(number, bytes, as: .blob)
        }
        guard code == SQLITE_OK else { throw connection.fault(code) }
    }

    // MARK: Columns, from 0

    var columns: Int32 { unsafe sqlite3_column_count(handle) }

    func type(_ column: Int32) -> DatabaseType {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a blob, or of a text in UTF-8, as they are stored.
    func bytes(_ column: Int32) -> [UInt8] {
        let isText = type(column) == .text
        let start =
            unsafe isText
            ? UnsafeRawPointer(sqlite3_column_text(handle, column)) : sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe start.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}

/// A value of a document in a row.
struct Cell: Hashable {
    enum Kind {
        case text, blob
    }

    var kind: Kind
    var bytes: [UInt8]
}
