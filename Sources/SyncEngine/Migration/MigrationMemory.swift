package import Documents
package import Model
package import StateStore

/// What migrations by one profile have left in a state directory: the logs of their runs, and what documents
/// held before.
package struct MigrationMemory {
    package let state: StateDirectory
    package let profile: Profile?

    package init(_ state: StateDirectory, profile: Profile?) {
        (self.state, self.profile) = (state, profile)
    }

    private var profileName: String { profile?.id ?? "" }

    /// What was migrated by this profile.
    package func history() throws(FileError) -> MigrationHistory {
        try state.migrationHistory().of(profile: profileName)
    }

    // MARK: Runs

    /// The next run, of no document yet.
    func newRun(_ kind: MigrationRun.Kind, after history: MigrationHistory, at now: Moment) -> MigrationRun {
        MigrationRun(
            number: history.nextNumber,
            kind: kind,
            first: history.nextNumber,
            at: now.unixMilliseconds,
            profile: profileName
        )
    }

    /// A run that is about to begin with these documents, or that goes on with one that was killed.
    package func newRun(
        _ entries: [MigrationEntry],
        after history: MigrationHistory,
        at now: Moment
    ) -> MigrationRun {
        var run = newRun(.apply, after: history, at: now)
        if let killed = history.unfinished, killed.kind == .apply { run.first = killed.first }
        for entry in entries {
            let rule = profile?.rule(for: entry.document.description)
            for list in rule?.lensLists(from: entry.from, to: entry.to) ?? []
            where !run.lenses.contains(where: { $0.rule == list.rule && $0.version == list.version }) {
                run.lenses.append(list)
            }
        }
        return run
    }

    // MARK: Finishing

    /// Deletes what `rollback` needs of these documents of the profile's, and what of it lies in the trash;
    /// `nil` where a migration is not at its end yet, for it may have to be rolled back.
    package func finish(
        _ scope: OriginalsScope,
        _ discards: inout Discards,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        let history = try history()
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
        let own = all.of(profile: profileName).originals(of: scope)
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

/// What `finish` has let go.
package struct FinishedMigrations: Sendable {
    package var documents: Int
    package var freed: KeptOriginals
}
