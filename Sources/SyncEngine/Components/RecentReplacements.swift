package import Model

/// The contents that programs put under the names of known documents recently.
///
/// Many programs write a file beside the document and rename it over the document. If the bridge had synced
/// that file meanwhile, its name disappears, but its content does not: it is the document's now.
package struct RecentReplacements: Sendable {
    /// Long enough for the disappearance of the other name, which waits until nothing else disappears.
    package static let span = DebounceQueue.patienceWithMany

    private var names = RecentNames(for: span)
    private var digests: [RelativePath: Digest] = [:]
    private var contents = ContentIndex()

    package init() {}

    /// Whether a document still has a content that it got recently.
    package func have(_ digest: Digest) -> Bool { contents.contains(digest) }

    package mutating func add(_ path: RelativePath, _ digest: Digest, at now: Duration) {
        if digests[path] != digest {
            forget(path)
            digests[path] = digest
            contents.insert(path, digest)
        }
        names.add(path, at: now)
    }

    /// The document is gone, or its content is unknown.
    package mutating func forget(_ path: RelativePath) {
        names.remove(path)
        if let digest = digests.removeValue(forKey: path) { contents.remove(path, digest) }
    }

    package mutating func pass(to now: Duration) {
        for path in names.pass(to: now) { forget(path) }
    }
}
