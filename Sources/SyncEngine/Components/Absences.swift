package import Model

/// What one side has lost of the documents of the base, and what of that is there under another name.
///
/// What disappears while the same content appears under a new name is no loss. The other side's file gets the
/// new name, too, and the history goes on.
package struct Absences: Sendable {
    /// Lost, but for what a person has allowed to go; and what it was.
    private var missing: [RelativePath: Digest] = [:]
    /// A person permits that they are deleted.
    private var allowed: Set<RelativePath> = []
    /// Documents that this side alone has, and that were never carried.
    private var newcomers: [RelativePath: Digest] = [:]
    /// By their new names, the names that documents had; and the other way round.
    private var origins: [RelativePath: RelativePath] = [:]
    private var targets: [RelativePath: RelativePath] = [:]
    /// New names that the other side cannot be given: they cross as new documents. What they were is no more
    /// lost for that.
    private var copied: Set<RelativePath> = []
    /// What is missing and has no new name, and the newcomers that had no old one.
    private var unexplained = ContentIndex()
    private var unclaimed = ContentIndex()

    package enum Appearance: Sendable { case known, moved, new }

    package init() {}

    /// Gone, and neither there under another name nor permitted to go.
    package var lostCount: Int { missing.count - targets.count }
    package var lost: [RelativePath] { missing.keys.filter { targets[$0] == nil }.sorted() }

    package func isMissing(_ path: RelativePath) -> Bool { missing[path] != nil }
    package func isLost(_ path: RelativePath) -> Bool { missing[path] != nil && targets[path] == nil }
    /// The new name of a missing document.
    package func target(of old: RelativePath) -> RelativePath? { targets[old] }
    /// The name that a newcomer had, if it is to be carried by it.
    package func origin(of new: RelativePath) -> RelativePath? {
        copied.contains(new) ? nil : origins[new]
    }
    /// It had another name, however it is carried.
    package func wasMoved(_ new: RelativePath) -> Bool { origins[new] != nil }
    package var isEmpty: Bool { missing.isEmpty }

    /// It is carried as a new document.
    package mutating func copy(_ new: RelativePath) { copied.insert(new) }

    /// A document of the base is not there any more.
    ///
    /// What was carried since it appeared is no new name of it: it may have been there beside this one. If
    /// not, both names count as documents, and of those no more than half are gone.
    package mutating func lose(_ path: RelativePath, _ digest: Digest) {
        guard missing[path] == nil, !allowed.contains(path) else { return }
        missing[path] = digest
        unexplained.insert(path, digest)
        explain(path, digest)
    }

    /// A document that nobody knows yet is there, and on this side alone.
    package mutating func appear(_ path: RelativePath, _ digest: Digest) -> Appearance {
        if newcomers[path] == digest { return .known }
        forget(newcomer: path)
        newcomers[path] = digest
        unclaimed.insert(path, digest)
        guard let old = unexplained.likeliest(digest, for: path) else { return .new }
        link(old, path, digest)
        return .moved
    }

    /// It is there, or gone from both sides: what a person permitted was another deletion. `true` if it was
    /// missing.
    package mutating func end(absenceOf path: RelativePath) -> Bool {
        allowed.remove(path)
        return suspend(absenceOf: path)
    }

    /// It is held, and not deleted as long as it is.
    package mutating func suspend(absenceOf path: RelativePath) -> Bool {
        guard let digest = missing.removeValue(forKey: path) else { return false }
        guard let new = targets.removeValue(forKey: path) else {
            unexplained.remove(path, digest)
            return true
        }
        guard origins[new] == path else { return true }
        origins[new] = nil
        copied.remove(new)
        unclaimed.insert(new, digest)
        return true
    }

    /// It is no newcomer any more, or no document.
    package mutating func forget(newcomer path: RelativePath) {
        guard let digest = newcomers.removeValue(forKey: path) else { return }
        copied.remove(path)
        guard let old = origins.removeValue(forKey: path) else { return unclaimed.remove(path, digest) }
        targets[old] = nil
        unexplained.insert(old, digest)
        explain(old, digest)
    }

    /// What became of it is agreed on. What it was stays explained by it.
    package mutating func settle(_ path: RelativePath) {
        _ = end(absenceOf: path)
        copied.remove(path)
        guard let digest = newcomers.removeValue(forKey: path) else { return }
        if origins.removeValue(forKey: path) == nil { unclaimed.remove(path, digest) }
    }

    /// A person lets go what is lost now. What was only moved is still to be carried as that.
    package mutating func allowLosses() {
        for path in lost { allow(path) }
    }

    /// A person deletes it.
    package mutating func allow(_ path: RelativePath) {
        allowed.insert(path)
        _ = suspend(absenceOf: path)
    }

    private mutating func explain(_ old: RelativePath, _ digest: Digest) {
        if let new = unclaimed.likeliest(digest, for: old) { link(old, new, digest) }
    }

    private mutating func link(_ old: RelativePath, _ new: RelativePath, _ digest: Digest) {
        unexplained.remove(old, digest)
        unclaimed.remove(new, digest)
        (targets[old], origins[new]) = (new, old)
    }
}
