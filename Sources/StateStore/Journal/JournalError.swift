/// Why the journal cannot be read or written.
package enum JournalError: Error, Sendable, Hashable {
    /// The file is not a journal, or is damaged: it can only be set aside.
    case broken(DatabaseFailure)
    /// The disk is full. The journal works again once there is room.
    case noRoom(DatabaseFailure)
    /// Another process has locked it. The journal works again once it is unlocked.
    case locked
    /// Another release wrote it, with another schema than the one that this release has.
    case otherSchema(Int, known: Int)
    /// The file was removed or replaced while the bridge was running.
    case replaced
    case database(DatabaseFailure)
    /// A failure that neither the bridge nor SQLite defines, with its message.
    case other(String)

    package var isBroken: Bool { if case .broken = self { true } else { false } }
    package var lacksRoom: Bool { if case .noRoom = self { true } else { false } }
    package var isLocked: Bool { self == .locked }
}

/// An error from SQLite.
package struct DatabaseFailure: Sendable, Hashable {
    /// The primary result code: the extended code would distinguish failures with the same message.
    package var code: Int32
    /// SQLite's message. It is shown, and never parsed.
    package var message: String?

    package init(code: Int32, message: String?) {
        self.code = code
        self.message = message
    }

    /// The system does not let this user open or write the file.
    package var isOfRights: Bool { Self.ofRights.contains(code) }
}
