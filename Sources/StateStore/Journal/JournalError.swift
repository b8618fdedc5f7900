/// Why the journal cannot be read or written.
package enum JournalError: Error, Sendable, Hashable {
    /// The file is no journal, or a damaged one: it can only be set aside.
    case broken(DatabaseFailure)
    /// The disk that it lies on is full: it is as good as ever once there is room.
    case noRoom(DatabaseFailure)
    /// Another process has locked it: it is as good as ever once that lets go.
    case locked
    /// A later release has written it.
    case laterSchema(Int, known: Int)
    /// It was removed or replaced while the bridge ran.
    case replaced
    case database(DatabaseFailure)
    /// Neither the bridge nor SQLite has found it. What did says so in these words.
    case other(String)

    package var isBroken: Bool { if case .broken = self { true } else { false } }
    package var lacksRoom: Bool { if case .noRoom = self { true } else { false } }
    package var isLocked: Bool { self == .locked }
}

/// A failure as SQLite tells it.
package struct DatabaseFailure: Sendable, Hashable {
    /// The primary result code. The extended one would tell two failures apart that read alike.
    package var code: Int32
    /// In SQLite's own words: they are shown, and never taken apart.
    package var message: String?

    package init(code: Int32, message: String?) {
        self.code = code
        self.message = message
    }
}
