package import Model

/// The contents that programs put under the names of known documents recently.
///
/// Many programs write a file beside the document and rename it over the document. If the bridge had synced
/// that file meanwhile, its name disappears, but its content does not: it is the document's now. One
/// replacement accounts for one name that disappeared.
package struct RecentReplacements: Sendable {
    /// Long enough for the disappearance of the other name, which waits until nothing else disappears.
    package static let span = DebounceQueue.patienceWithMany

    private var names = RecentNames(for: span)
    private var digests: [RelativePath: Digest] = [:]
    /// Of those that account for no other name.
    private var unclaimed = ContentIndex()
    /// The documents that replaced others, by the names that disappeared.
    private var claims: [RelativePath: RelativePath] = [:]

    package init() {}

    /// Whether the document that this one was renamed over still has the content.
    package func have(_ digest: Digest, of old: RelativePath) -> Bool {
        claims[old].map { digests[$0] == digest } ?? false
    }

    /// Whether a document that got this content recently accounts for this missing one.
    package mutating func claim(_ digest: Digest, for old: RelativePath) -> Bool {
        if have(digest, of: old) { return true }
        guard let new = unclaimed.likeliest(digest, for: old) else { return false }
        unclaimed.remove(new, digest)
        claims[old] = new
        return true
    }

    /// It is no longer missing.
    package mutating func release(_ old: RelativePath) {
        guard let new = claims.removeValue(forKey: old), let digest = digests[new] else { return }
        unclaimed.insert(new, digest)
    }

    package mutating func add(_ path: RelativePath, _ digest: Digest, at now: Duration) {
        if digests[path] != digest {
            forget(path)
            digests[path] = digest
            unclaimed.insert(path, digest)
        }
        names.add(path, at: now)
    }

    /// The document is gone, or its content is unknown.
    package mutating func forget(_ path: RelativePath) {
        names.remove(path)
        if let digest = digests.removeValue(forKey: path) { unclaimed.remove(path, digest) }
    }

    package mutating func pass(to now: Duration) {
        for path in names.pass(to: now) { forget(path) }
    }
}
