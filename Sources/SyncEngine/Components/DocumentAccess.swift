package import Model

/// What is known, or pending, about the readers of a document on one side.
struct DocumentAccess: Sendable {
    /// Exists only while something may be unread.
    var tracker: AccessTracker?
    /// The number of exchanges that events have not reported yet.
    var unheard = 0
    /// Since when all events have arrived without deciding it.
    var undecidedSince: Duration?
    /// The content that the bridge published, until it is recorded: opening the file would look like a
    /// program's read.
    var own: OwnContent?
    /// The content that programs had last read or saved, if no file has it any more.
    var pinned: OwnContent?
    /// A program's last save that was merged, and its content with its conflicts settled.
    var settled: (save: Digest, content: [UInt8])?

    var isEmpty: Bool {
        tracker == nil && unheard == 0 && undecidedSince == nil && own == nil && pinned == nil
    }

    mutating func forgetReaders() { (tracker, pinned, settled) = (nil, nil, nil) }
}

/// A content that the bridge published or remembers.
package struct OwnContent: Sendable {
    package var bytes: [UInt8]
    package var digest: Digest
    /// The signature after publication; `nil` if a program may have accessed it by then.
    package var signature: Signature?

    package init(bytes: [UInt8], digest: Digest, signature: Signature? = nil) {
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
    }
}

/// A question about the base of a save, which needs all events up to now.
struct AccessQuestion: Sendable {
    /// The token sent for it, which comes back after all earlier events.
    var token: UInt64?
    /// About the document's current content, not only about a displaced one.
    var isOfDocument: Bool
    /// If there is no answer by then, the published content counts as read.
    var due: Duration
    /// Whether a token was sent for it, even if that one does not answer it any more.
    var wasSent = false
}
