import Glibc
import Model

/// The first bytes of a journal's file, which tell what wrote it.
package enum JournalHeader {
    /// Throws why this release cannot use the journal, as far as its header shows that. Nothing is locked,
    /// and no file appears beside it. A missing or empty journal is a new one.
    package static func check(_ path: String) throws(JournalError) {
        let header = try bytes(path)
        if header.isEmpty { return }
        guard header.count == length, header.starts(with: magic) else {
            throw .broken(DatabaseFailure(code: notADatabase, message: "not an SQLite database"))
        }
        // `PRAGMA user_version`, with its highest byte first.
        let schema = header[60..<64].reduce(0) { $0 << 8 | Int($1) }
        guard schema == 0 || schema == JournalSchema.number else {
            throw .otherSchema(schema, known: JournalSchema.number)
        }
    }

    private static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    /// SQLITE_NOTADB.
    private static let notADatabase: Int32 = 26

    private static func bytes(_ path: String) throws(JournalError) -> [UInt8] {
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else {
            if errno == ENOENT { return [] }
            throw .other(systemMessage(errno))
        }
        defer { close(opened) }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .other("not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = unsafe pread(opened, &bytes, length, 0)
        guard count >= 0 else { throw .other(systemMessage(errno)) }
        return Array(bytes.prefix(count))
    }
}
