package import Model

/// What is known, or has to be asked, of who has seen a document on one side.
struct DocumentAccess: Sendable {
    /// Only while something may be unread.
    var tracker: AccessTracker?
    /// So many exchanges has the queue not told of yet.
    var unheard = 0
    /// Since when the queue, although it is through, has not decided it.
    var undecidedSince: Duration?
    /// What the bridge itself published, until it is recorded: to open it would look as if somebody had read
    /// it.
    var own: OwnContent?
    /// What programs had last read or saved, where it is in no file any more.
    var pinned: OwnContent?

    var isEmpty: Bool {
        tracker == nil && unheard == 0 && undecidedSince == nil && own == nil && pinned == nil
    }

    mutating func forgetReaders() { (tracker, pinned) = (nil, nil) }
}

/// What the bridge has put into a document's place, or remembers of it.
package struct OwnContent: Sendable {
    package var bytes: [UInt8]
    package var digest: Digest
    /// Once it was there; `nil` where somebody had been there by then.
    package var signature: Signature?

    package init(bytes: [UInt8], digest: Digest, signature: Signature? = nil) {
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
    }
}

/// On what a save was made, which only the end of the kernel's queue tells.
struct AccessQuestion: Sendable {
    /// Sent for it; it comes back behind everything that was done before.
    var token: UInt64?
    /// About what stands there, and not only about what came out.
    var isOfDocument: Bool
    /// Without an answer by then what was published counts as seen.
    var due: Duration
}
