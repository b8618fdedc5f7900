import Model
import Replica

/// A store of documents by key, all of them in one "file" whose version counts up with every write, as the
/// key-value store of a cloud has them. What programs and the network do to it is in `KeyedStore+World`.
///
/// It is shared: each replica, and each copy of one, is a session with it.
final class KeyedStore {
    /// One document, or what was put aside for one.
    struct Entry {
        var bytes: [UInt8]
        /// Of the document's key, also while it lies aside: so what was prepared is known again.
        var key: UInt64
        /// The version of the store by which these bytes came.
        var modified: Int64
        /// The version by which they got this name.
        var changed: Int64
        var isReadOnly = false
        /// Of a `PublicationMark`; a program that saves leaves none.
        var mark: [UInt8]?

        var digest: Digest { Digest(of: bytes) }
    }

    /// All that can be copied, lost and put back.
    struct Contents {
        /// Of no other store, and of no copy of this one.
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
        /// `nil` once it has arrived, or where it never does.
        var arrival: Duration?
        /// When something is known of it: it is answered, or was waited for long enough.
        let tellings: [Duration]
    }

    /// What stands there; `nil` while it is gone.
    var standing: Contents?
    var away: Contents?
    /// Goes up only, whatever becomes of the contents: no signature comes twice.
    private var version: Int64 = 0
    private var numbers: UInt64 = 1
    private var keys: [RelativePath: UInt64] = [:]
    /// By session: which store it was that the session has opened.
    private var opened: [UInt64?] = []
    private(set) var requests: [Request] = []
    private(set) var now: Duration = .zero

    /// What becomes of the next commit of that document.
    var fate: (RelativePath) -> CommitFate = { _ in .answered }
    /// Comes between what was looked at and what is committed or displaced.
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

    /// The same bytes by another name.
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

    /// What is under way arrives when its time has come, whoever says what time it is.
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

    /// Compares and swaps, atomically. What it replaces is what the sender has read, so nothing is lost
    /// with it. What was to create something stays aside where it did not.
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
