import Model
import Replica

/// What programs, people and the network do to a store.
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

    /// It cannot be reached, or somebody has signed out.
    func goAway() {
        if standing != nil { (away, standing) = (standing, nil) }
    }

    func comeBack() {
        if let back = away { (standing, away) = (back, nil) }
    }

    /// Another one, empty and unmarked, stands there.
    func bringStranger() {
        goAway()
        standing = Contents(number: newNumber())
    }

    /// As it is now, to be put back later.
    func copy() -> Contents? { standing }

    /// A backup takes its place: the same documents, the same mark, another store.
    func restore(_ copy: Contents) {
        var copy = copy
        copy.number = newNumber()
        (standing, away) = (copy, nil)
    }
}
