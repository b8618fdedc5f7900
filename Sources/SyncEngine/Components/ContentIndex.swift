package import Model

/// An index of names by the digest of their content.
package struct ContentIndex: Sendable {
    /// Most contents have one name. A bridge has an entry per document, so this representation is small.
    private var single: [Digest: RelativePath] = [:]
    private var several: [Digest: Namesakes] = [:]

    private struct Namesakes: Sendable {
        var all = MinimumSet<RelativePath>()
        /// By the last part of the path.
        var byName: [RelativePath: MinimumSet<RelativePath>] = [:]

        mutating func insert(_ path: RelativePath) {
            all.insert(path)
            byName[path.lastName, default: MinimumSet()].insert(path)
        }

        mutating func remove(_ path: RelativePath) {
            all.remove(path)
            let name = path.lastName
            byName[name]?.remove(path)
            if byName[name]?.isEmpty == true { byName[name] = nil }
        }
    }

    package init() {}

    package mutating func insert(_ path: RelativePath, _ digest: Digest) {
        if several[digest] != nil {
            several[digest]?.insert(path)
        } else if let other = single[digest] {
            guard other != path else { return }
            single[digest] = nil
            var both = Namesakes()
            both.insert(other)
            both.insert(path)
            several[digest] = both
        } else {
            single[digest] = path
        }
    }

    package mutating func remove(_ path: RelativePath, _ digest: Digest) {
        if single[digest] == path { single[digest] = nil }
        several[digest]?.remove(path)
        if several[digest]?.all.isEmpty == true { several[digest] = nil }
    }

    /// Of several names with that content, the one with the same last part; otherwise the first.
    package func likeliest(_ digest: Digest, for path: RelativePath) -> RelativePath? {
        if let one = single[digest] { return one }
        guard let equals = several[digest] else { return nil }
        return equals.byName[path.lastName]?.least ?? equals.all.least
    }

    /// The most likely names, at most `limit` of each kind; the same ones in every run.
    package func likely(_ digest: Digest, for path: RelativePath, limit: Int) -> [RelativePath] {
        if let one = single[digest] { return [one] }
        guard let equals = several[digest] else { return [] }
        var found = equals.byName[path.lastName].map { Array($0.small(limit)) } ?? []
        for other in equals.all.small(limit) where !found.contains(other) { found.append(other) }
        return found
    }
}

extension RelativePath {
    /// As a path, which is compared byte by byte.
    fileprivate var lastName: RelativePath { RelativePath(name) ?? self }
}
