package import Model

/// The documents of the base that are missing on one side, and those of them that exist there under another
/// name.
///
/// If a document disappears while the same content appears under a new name, it was renamed. The other side's
/// file is renamed as well, and the document keeps its history.
package struct Absences: Sendable {
    /// The missing documents that a person has not allowed to be deleted, with their contents.
    private var missing: [RelativePath: Digest] = [:]
    /// Documents that a person allowed to be deleted.
    private var allowed: Set<RelativePath> = []
    /// New documents that only this side has.
    private var newDocuments: [RelativePath: Digest] = [:]
    /// The old names of renamed documents by their new names; and the reverse.
    private var origins: [RelativePath: RelativePath] = [:]
    private var targets: [RelativePath: RelativePath] = [:]
    /// New names that cannot be used on the other side: these are synced as new documents. Their old
    /// documents no longer count as lost.
    private var copied: Set<RelativePath> = []
    /// The old names of renamed documents that were edited before the rename was synced, by their new names.
    /// Each is a deletion and a new document, and the old one is excused.
    private var edited: [RelativePath: RelativePath] = [:]
    /// Missing documents without a new name that do not count as lost.
    private var excused: Set<RelativePath> = []
    private var replacements = RecentReplacements()
    /// Missing documents without a new name, and new documents without an old one.
    private var unexplained = ContentIndex()
    private var unclaimed = ContentIndex()
    /// New documents with an old name.
    private var claimed = ContentIndex()

    package enum Appearance: Sendable { case known, moved, new }

    package init() {}

    /// The number of missing documents that were neither renamed, nor excused, nor allowed to be deleted.
    package var lostCount: Int { missing.count - targets.count - excused.count }
    package var lost: [RelativePath] { missing.keys.filter(isLost).sorted() }

    package func isMissing(_ path: RelativePath) -> Bool { missing[path] != nil }
    package func isLost(_ path: RelativePath) -> Bool {
        missing[path] != nil && targets[path] == nil && !excused.contains(path)
    }
    /// It is missing because it was renamed over another document, which still has this content.
    package func isKept(_ digest: Digest, of path: RelativePath) -> Bool {
        missing[path] != nil && replacements.have(digest, of: path)
    }
    /// The new name of a missing document, while the rename is still to be synced.
    package func target(of old: RelativePath) -> RelativePath? {
        targets[old].flatMap { origins[$0] == old ? $0 : nil }
    }
    /// The old name of a new document, if the other side is to be renamed as well.
    package func origin(of new: RelativePath) -> RelativePath? {
        copied.contains(new) ? nil : origins[new]
    }
    /// Whether it was renamed, whether or not it is synced as a rename.
    package func wasMoved(_ new: RelativePath) -> Bool { origins[new] != nil }
    package var isEmpty: Bool { missing.isEmpty }

    /// New names of missing documents with that content, whose renames are still to be synced.
    package func targets(holding digest: Digest, likeliestFor new: RelativePath, limit: Int) -> [RelativePath]
    {
        claimed.likely(digest, for: new, limit: limit)
    }

    /// Syncs it as a new document.
    package mutating func copy(_ new: RelativePath) { copied.insert(new) }

    /// A document of the base is missing.
    ///
    /// A new document that was synced before does not count as its new name: the two may have existed side by
    /// side. If they did not, both names count as documents, of which no more than half are missing.
    ///
    /// It is excused if it is new, or if a known document got its content recently: then a program renamed
    /// it over that one; or if its new name was edited before the rename was synced.
    package mutating func lose(_ path: RelativePath, _ digest: Digest, isNew: Bool = false) {
        guard !allowed.contains(path) else { return }
        replacements.forget(path)
        if missing.updateValue(digest, forKey: path) == nil {
            unexplained.insert(path, digest)
            explain(path, digest)
        }
        if targets[path] == nil, replacements.claim(digest, for: path) || isNew { excused.insert(path) }
    }

    /// A program put this content under the name of a known document. `true` if that excuses a missing one.
    package mutating func replace(_ path: RelativePath, with digest: Digest, at now: Duration) -> Bool {
        replacements.add(path, digest, at: now)
        guard let old = unexplained.likeliest(digest, for: path), replacements.claim(digest, for: old) else {
            return false
        }
        return excused.insert(old).inserted
    }

    /// It no longer counts as lost. `false` if it is not missing, or was renamed.
    @discardableResult
    package mutating func excuse(_ path: RelativePath) -> Bool {
        guard missing[path] != nil, targets[path] == nil else { return false }
        excused.insert(path)
        return true
    }

    package mutating func pass(to now: Duration) { replacements.pass(to: now) }

    /// A new document exists, on this side only.
    package mutating func appear(_ path: RelativePath, _ digest: Digest) -> Appearance {
        if newDocuments[path] == digest { return .known }
        let origin = origins[path] ?? edited[path]
        forget(newDocument: path)
        newDocuments[path] = digest
        unclaimed.insert(path, digest)
        guard let old = unexplained.likeliest(digest, for: path) else {
            if let origin, excuse(origin) { edited[path] = origin }
            return .new
        }
        link(old, path, digest)
        return .moved
    }

    /// It exists, or is deleted on both sides: a permission was for another deletion. `true` if it was
    /// missing.
    package mutating func end(absenceOf path: RelativePath) -> Bool {
        allowed.remove(path)
        return suspend(absenceOf: path)
    }

    /// It is held, so it is not deleted for now.
    package mutating func suspend(absenceOf path: RelativePath) -> Bool {
        guard let digest = missing.removeValue(forKey: path) else { return false }
        excused.remove(path)
        replacements.release(path)
        guard let new = targets.removeValue(forKey: path) else {
            unexplained.remove(path, digest)
            return true
        }
        guard origins[new] == path else { return true }
        origins[new] = nil
        copied.remove(new)
        claimed.remove(new, digest)
        unclaimed.insert(new, digest)
        return true
    }

    /// It is no longer a new document, or not a document.
    package mutating func forget(newDocument path: RelativePath) {
        guard let digest = newDocuments.removeValue(forKey: path) else { return }
        copied.remove(path)
        if let old = edited.removeValue(forKey: path) { excused.remove(old) }
        guard let old = origins.removeValue(forKey: path) else { return unclaimed.remove(path, digest) }
        claimed.remove(path, digest)
        targets[old] = nil
        unexplained.insert(old, digest)
        explain(old, digest)
    }

    /// A new base was recorded. The old name stays explained by it.
    package mutating func settle(_ path: RelativePath) {
        _ = end(absenceOf: path)
        copied.remove(path)
        guard let digest = newDocuments.removeValue(forKey: path) else { return }
        edited[path] = nil
        unclaimed.remove(path, digest)
        claimed.remove(path, digest)
        origins[path] = nil
    }

    /// A person allows the missing documents to be deleted. Renamed documents are still synced as renames.
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
        claimed.insert(new, digest)
        excused.remove(old)
        (targets[old], origins[new]) = (new, old)
    }
}
