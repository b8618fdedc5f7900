import Model
import Replica

/// Actions of programs, people and the network.
extension KeyedStore {
    func save(_ path: RelativePath, _ bytes: [UInt8]) {
        let version = nextVersion()
        standing?.documents[path] = Entry(
            bytes: bytes,
            key: key(of: path),
            modified: version,
            changed: version
        )
    }

    func delete(_ path: RelativePath) {
        _ = nextVersion()
        standing?.documents[path] = nil
    }

    func read(_ path: RelativePath) -> [UInt8]? { standing?.documents[path]?.bytes }

    var documents: [RelativePath] { (standing?.documents.keys).map { $0.sorted() } ?? [] }

    // MARK: The store itself

    /// It is unreachable, or the user has signed out.
    func goAway() {
        if standing != nil { (away, standing) = (standing, nil) }
    }

    func comeBack() {
        if let back = away { (standing, away) = (back, nil) }
    }

    /// It is replaced by another one, empty and unmarked.
    func bringStranger() {
        goAway()
        standing = Contents(number: newNumber())
    }

    /// A copy of the current contents, for `restore`.
    func copy() -> Contents? { standing }

    /// A backup replaces it: the same documents and mark, but another store.
    func restore(_ copy: Contents) {
        var copy = copy
        copy.number = newNumber()
        (standing, away) = (copy, nil)
    }
}
