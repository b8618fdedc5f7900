import Model
import Replica

/// A store of documents by key, in one "file" whose version increases with every write, like the key-value
/// store of a cloud. `KeyedStore+World` has the actions of programs and the network.
///
/// It is shared: each replica, and each copy of one, is a session with it.
final class KeyedStore {
    /// One document, or a content prepared or displaced for one.
    struct Entry {
        var bytes: [UInt8]
        /// Belongs to the document's key, also while the content lies aside, so that a prepared content is
        /// recognized.
        var key: UInt64
        /// The version of the store with which these bytes were written.
        var modified: Int64
        /// The version with which they got this name.
        var changed: Int64
        var isReadOnly = false
        /// The bytes of a `PublicationMark`; a program's save has none.
        var mark: [UInt8]?

        var digest: Digest { Digest(of: bytes) }
    }

    /// Everything that can be copied, lost and restored.
    struct Contents {
        /// Unique for each store and each copy.
        var number: UInt64
        var mark: String?
        var documents: [RelativePath: Entry] = [:]
        /// Prepared and displaced contents, which no reader sees.
        var aside: [RelativePath: Entry] = [:]
    }

    /// A commit that was sent and not answered at once.
    struct Request {
        let session: Int
        let staged: Staged
        let entry: Entry
        let expected: Digest?
        /// `nil` once it has arrived, or if it never does.
        var arrival: Duration?
        /// When something is known of it: an answer or the timeout.
        let tellings: [Duration]
    }

    /// The current contents; `nil` while the store is missing.
    var standing: Contents?
    var away: Contents?
    /// Only increases, so that no signature is used twice.
    private var version: Int64 = 0
    private var numbers: UInt64 = 1
    private var keys: [RelativePath: UInt64] = [:]
    /// The store that each session has opened.
    private var opened: [UInt64?] = []
    private(set) var requests: [Request] = []
    private(set) var now: Duration = .zero

    /// The outcome of the next commit of a document.
    var fate: (RelativePath) -> CommitFate = { _ in .answered }
    /// Called between a read and the commit or displacement.
    var meanwhile: (RelativePath) -> Void = { _ in }

    init() { standing = Contents(number: 1) }

    // MARK: Sessions

    func newSession() -> Int {
        opened.append(standing?.number)
        return opened.count - 1
    }

    func isOpen(_ session: Int) -> Bool { standing != nil && standing?.number == opened[session] }

    func hasOpened(_ session: Int) -> Bool { opened[session] != nil }

    func open(_ session: Int) { opened[session] = standing?.number }

    // MARK: Minting

    func newNumber() -> UInt64 {
        numbers += 1
        return numbers
    }

    func nextVersion() -> Int64 {
        version += 1
        return version
    }

    func key(of path: RelativePath) -> UInt64 {
        if let key = keys[path] { return key }
        let key = UInt64(keys.count + 1)
        keys[path] = key
        return key
    }

    func signature(of entry: Entry) -> Signature {
        Signature(
            device: standing?.number ?? 0,
            inode: entry.key,
            size: Int64(entry.bytes.count),
            modified: entry.modified,
            changed: entry.changed
        )
    }

    /// The same bytes under another name.
    func renamed(_ entry: Entry, for document: RelativePath) -> Entry {
        var entry = entry
        entry.key = key(of: document)
        entry.changed = nextVersion()
        return entry
    }

    // MARK: Requests

    func send(_ request: Request) {
        requests.append(request)
        arrive()
    }

    /// Pending requests arrive when their time has come, whichever session advances the time.
    func advance(to time: Duration) {
        now = max(now, time)
        arrive()
    }

    private func arrive() {
        let due = requests.indices.filter { place in requests[place].arrival.map { $0 <= now } ?? false }
        for place in due {
            requests[place].arrival = nil
            swap(requests[place])
        }
    }

    /// Compares and swaps, atomically. It replaces only what the sender has read, so nothing is lost. A
    /// failed creation leaves its prepared content aside.
    private func swap(_ request: Request) {
        let path = request.staged.target.path
        guard var contents = standing, contents.number == request.staged.signature.device,
            contents.documents[path]?.digest == request.expected
        else { return }
        contents.documents[path] = renamed(request.entry, for: path)
        contents.aside[request.staged.temporary.path] = nil
        standing = contents
    }
}
