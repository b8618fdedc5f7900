import Reconciliation

/// Documents that were given another name on one side: what disappears there while the same content appears
/// under a new name is no loss. The other side's file gets the new name, too, and the history goes on.
struct Moves: Sendable {
    private struct Newcomer {
        var digest: Digest
        var since: Duration
    }

    /// Documents that a side alone has, or had when they were first seen.
    private var newcomers: [RelativePath: Newcomer] = [:]
    /// By their new names, the names they had.
    private(set) var origins: [RelativePath: RelativePath] = [:]
    private var targets: [RelativePath: RelativePath] = [:]

    /// What has left its name, and is there under another one.
    var moved: some Collection<RelativePath> { targets.keys }

    func target(of old: RelativePath) -> RelativePath? { targets[old] }

    /// `missing`: what that side has lost, and what it was. `true`: that is where this comes from.
    mutating func appeared(
        _ path: RelativePath,
        _ digest: Digest,
        at now: Duration,
        missing: some Sequence<(path: RelativePath, digest: Digest?)>
    ) -> Bool {
        if newcomers[path]?.digest == digest { return false }
        forget(path)
        if newcomers.count >= 512 {
            newcomers = newcomers.filter { now - $0.value.since < Settler.patience || origins[$0.key] != nil }
        }
        newcomers[path] = Newcomer(digest: digest, since: now)
        let lost = missing.filter { $0.digest == digest && targets[$0.path] == nil }.map(\.path)
        guard let old = Self.likeliest(lost, for: path) else { return false }
        (origins[path], targets[old]) = (old, path)
        return true
    }

    /// `isSynced`: has been carried since it appeared. It may have been there beside this one. If not, both
    /// names count as documents, and of those no more than half are gone.
    mutating func disappeared(
        _ path: RelativePath,
        _ digest: Digest?,
        at now: Duration,
        isSynced: (RelativePath) -> Bool
    ) {
        guard targets[path] == nil, let digest, !newcomers.isEmpty else { return }
        let found = newcomers.filter { path, newcomer in
            newcomer.digest == digest && origins[path] == nil && now - newcomer.since < Settler.patience
                && !isSynced(path)
        }
        guard let new = Self.likeliest(found.keys, for: path) else { return }
        (origins[new], targets[path]) = (path, new)
    }

    /// It is no such document any more; or it is missing no longer.
    mutating func forget(_ path: RelativePath) {
        if newcomers.removeValue(forKey: path) != nil, let old = origins.removeValue(forKey: path) {
            targets[old] = nil
        }
        if let new = targets.removeValue(forKey: path) { origins[new] = nil }
    }

    /// Of several with one content, the one that has kept its last name; else the first.
    private static func likeliest(
        _ paths: some Sequence<RelativePath>,
        for path: RelativePath
    ) -> RelativePath? {
        paths.min { ($0.name == path.name ? 0 : 1, $0) < ($1.name == path.name ? 0 : 1, $1) }
    }
}
