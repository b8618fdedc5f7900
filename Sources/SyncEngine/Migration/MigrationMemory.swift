package import Documents
package import Model
package import StateStore

/// The records of a profile's migrations in a state directory: the logs of the runs, and the original bytes
/// of the documents.
package struct MigrationMemory {
    package let state: StateDirectory
    package let profile: Profile?

    package init(_ state: StateDirectory, profile: Profile?) {
        (self.state, self.profile) = (state, profile)
    }

    private var profileName: String { profile?.id ?? "" }

    /// The migrations by this profile.
    package func history() throws(FileError) -> MigrationHistory {
        try state.migrationHistory().of(profile: profileName)
    }

    // MARK: Runs

    /// The next run, without documents.
    func newRun(_ kind: MigrationRun.Kind, after history: MigrationHistory, at now: Moment) -> MigrationRun {
        MigrationRun(
            number: history.nextNumber,
            kind: kind,
            first: history.nextNumber,
            at: now.unixMilliseconds,
            profile: profileName
        )
    }

    /// The next run, with these documents. It continues a run that was killed.
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

    /// Deletes the original bytes of these documents of the profile, which `rollback` needs, and their
    /// copies in the trash; `nil` while a migration is unfinished, because it may have to be rolled back.
    package func finish(
        _ scope: OriginalsScope,
        _ discards: inout Discards,
        at now: Moment
    ) throws(FileError) -> FinishedMigrations? {
        let history = try history()
        guard history.unfinished == nil else { return nil }
        let entries = history.unfinished(in: scope)
        // This comes first: with only some of the original bytes, only some documents could be rolled back.
        try recordFinished(entries, after: history, at: now)
        let all = try state.migrationHistory()
        let (isMeant, needed) = (self.isMeant(scope, of: all), all.neededOriginals)
        let isFree = { (digest: Digest?) in isMeant(digest) && !(digest.map(needed.contains) ?? false) }
        for digest in try state.originalDigests() where isFree(digest) {
            try discards.drop(digest, in: state)
        }
        let freed = try state.originals(dropping: true, where: isFree)
        return FinishedMigrations(documents: entries.count, freed: freed)
    }

    /// The original bytes that are kept of these documents of the profile.
    package func originals(of scope: OriginalsScope) throws(FileError) -> KeptOriginals {
        let all = try state.migrationHistory()
        let (isMeant, needed) = (self.isMeant(scope, of: all), all.neededOriginals)
        var kept = try state.originals(where: isMeant)
        kept.needed =
            try state.originals { digest in isMeant(digest) && digest.map(needed.contains) ?? false }.files
        return kept
    }

    /// Which original bytes belong to the scope. Bytes without a run come from one that was killed before
    /// it began; they belong to the scope of all documents.
    private func isMeant(_ scope: OriginalsScope, of all: MigrationHistory) -> (Digest?) -> Bool {
        let own = all.of(profile: profileName).originals(of: scope)
        let known = all.originals(of: OriginalsScope())
        return { digest in
            guard let digest, known.contains(digest) else { return scope.isWhole }
            return own.contains(digest)
        }
    }

    private func recordFinished(
        _ entries: [MigrationEntry],
        after history: MigrationHistory,
        at now: Moment
    ) throws(FileError) {
        guard !entries.isEmpty else { return }
        let run = newRun(.finish, after: history, at: now)
        let log = try state.begin(run)
        defer { log.close() }
        try log.record(entries)
        try state.end(run)
    }
}

/// What `finish` deleted.
package struct FinishedMigrations: Sendable {
    package var documents: Int
    package var freed: KeptOriginals
}

extension MigrationHistory {
    /// What the sides were pinned to before the migration that a next run continues: it has pinned them.
    var pinsBeforeUnfinished: [MigrationPlace: Int?] {
        guard let run = unfinished, run.kind == .apply else { return [:] }
        return Dictionary(run.entries.map { ($0.place, $0.pin) }) { first, _ in first }
    }
}
