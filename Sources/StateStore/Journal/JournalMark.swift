import Glibc

/// The newest event of a journal, stored a second time beside it.
///
/// A journal restored from a backup has older generations and cursors. It lacks the event that is stored
/// here, so it is treated as a new instance.
final class JournalMark: Sendable {
    private let descriptor: Int32
    private static let size = 64

    /// Does nothing for a journal in memory, or where the file cannot be created.
    init(ofJournal path: String) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let name = directory + "newest-event"
        descriptor = path == ":memory:" ? -1 : unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether this can be the journal whose event was stored. True if none was stored.
    func admits(_ instance: String, _ newest: Int64) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = descriptor < 0 ? 0 : unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return true }
        let fields = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let noted = Int64(fields[1]) else { return true }
        return fields[0] == instance && noted <= newest
    }

    /// One write over the same bytes, which needs no room on the disk. If it fails, the older value stays.
    func record(_ instance: String, _ newest: Int64) {
        guard descriptor >= 0 else { return }
        let text = Array("\(instance) \(newest)".utf8.prefix(Self.size - 1))
        let line = text + Array(repeating: UInt8(ascii: " "), count: Self.size - 1 - text.count) + [10]
        _ = unsafe pwrite(descriptor, line, line.count, 0)
    }
}
