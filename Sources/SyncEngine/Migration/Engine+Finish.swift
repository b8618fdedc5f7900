import Documents
package import Model
package import StateStore

/// What `finish` has let go.
package struct FinishedMigrations: Sendable {
    package var documents: Int
    package var freed: KeptOriginals
}

extension Engine {
    /// Deletes what `rollback` needs of these documents of the profile's, and what of it lies in the trash;
    /// `nil` where a migration is not at its end yet, for it may have to be rolled back.
    package mutating func finishMigrations(
        _ scope: OriginalsScope,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        let history = try migrationHistory()
        guard history.unfinished == nil else { return nil }
        let entries = history.unfinished(in: scope)
        // First: a part of the old bytes brings back a part of the documents.
        try noteFinished(entries, after: history, at: now)
        let all = try state.migrationHistory()
        let (isMeant, needed) = (self.isMeant(scope, of: all), all.neededOriginals)
        let isFree = { (digest: Digest?) in isMeant(digest) && !(digest.map(needed.contains) ?? false) }
        for digest in try state.originalDigests() where isFree(digest) {
            try discards.drop(digest, in: state)
        }
        let freed = try state.originals(dropping: true, where: isFree)
        return FinishedMigrations(documents: entries.count, freed: freed)
    }

    /// What is kept of these documents of the profile's.
    package func originals(of scope: OriginalsScope) throws(FileError) -> KeptOriginals {
        try state.originals(where: isMeant(scope, of: state.migrationHistory()))
    }

    /// What no run tells of was left by one that was killed before it began: it goes with all of a profile's.
    private func isMeant(_ scope: OriginalsScope, of all: MigrationHistory) -> (Digest?) -> Bool {
        let own = all.of(profile: profile?.id ?? "").originals(of: scope)
        let known = all.originals(of: OriginalsScope())
        return { digest in
            guard let digest, known.contains(digest) else { return scope.isWhole }
            return own.contains(digest)
        }
    }

    private func noteFinished(
        _ entries: [MigrationEntry],
        after history: MigrationHistory,
        at now: Moment
    ) throws(FileError) {
        guard !entries.isEmpty else { return }
        let run = newRun(.finish, after: history, at: now)
        let log = try state.begin(run)
        defer { log.close() }
        try log.note(entries)
        try state.end(run)
    }
}
