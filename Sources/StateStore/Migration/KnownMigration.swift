package import Model

/// One migration as `migrate history` shows it: the runs that made it, and what became of its documents.
package struct KnownMigration: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable {
        case applied, finished
        case rolledBack
        case partlyRolledBack
        /// It was begun, and did not come to its end.
        case open
    }

    package struct Document: Codable, Sendable, Hashable {
        package var name: RelativePath
        package var side: Side
        package var from: Int
        package var to: Int
        package var state: State
    }

    /// Of its first run.
    package var id: Int
    /// When it was begun: milliseconds since 1970.
    package var at: Int64
    package var state: State
    package var documents: [Document]
}

extension MigrationHistory {
    /// The file of a run, in the state directory.
    package static func log(_ number: Int) -> String {
        "\(MigrationStore.directory)/\(number)\(MigrationStore.suffix)"
    }

    /// The migrations of these documents, the oldest first.
    package func migrations(of scope: OriginalsScope) -> [KnownMigration] {
        let (standing, ends) = (standing, ends)
        var known: [KnownMigration] = []
        var documents: [Int: [MigrationPlace: KnownMigration.Document]] = [:]
        for run in runs where run.kind == .apply {
            for entry in run.entries where scope.contains(entry.place) {
                let step = standing[entry.place]?.last { $0.run.first == run.first }
                let state: KnownMigration.State =
                    step.map { isFinished(entry.place, $0.run, ends) ? .finished : .applied } ?? .rolledBack
                documents[run.first, default: [:]][entry.place] = KnownMigration.Document(
                    name: entry.document,
                    side: entry.side,
                    from: entry.from,
                    to: entry.to,
                    state: state
                )
            }
            if !known.contains(where: { $0.id == run.first }) {
                known.append(KnownMigration(id: run.first, at: run.at, state: .applied, documents: []))
            }
        }
        let open = unfinished.flatMap { $0.kind == .apply ? $0.first : nil }
        return known.compactMap { migration in
            var migration = migration
            migration.documents = (documents[migration.id] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
            guard !migration.documents.isEmpty else { return nil }
            migration.state = migration.id == open ? .open : migration.stateOfDocuments
            return migration
        }
    }

    /// The steps that remain once these are rolled back: earlier ones of these documents, and those of
    /// others.
    package func remaining(after entries: [MigrationEntry], in scope: OriginalsScope) -> [MigrationEntry] {
        let (standing, ends) = (standing, ends)
        let taken = Set(entries.map(\.place))
        return standing.sorted { $0.key < $1.key }.compactMap { place, stack in
            guard scope.contains(place),
                let step = (taken.contains(place) ? stack.dropLast() : stack[...]).last,
                !isFinished(place, step.run, ends)
            else { return nil }
            return step.entry
        }
    }
}

extension KnownMigration {
    fileprivate var stateOfDocuments: State {
        let states = Set(documents.map(\.state))
        if states.contains(.rolledBack) { return states.count == 1 ? .rolledBack : .partlyRolledBack }
        return states == [.finished] ? .finished : .applied
    }
}
