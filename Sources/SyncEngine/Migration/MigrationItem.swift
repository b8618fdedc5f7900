package import Documents
package import Model
package import StateStore

/// One document on one side, what a migration makes of it, and how far that came.
package struct MigrationItem: Sendable, Codable {
    package enum Outcome: Sendable, Hashable, Codable {
        /// Nothing was to be done, or nothing was done yet.
        case planned
        case done
        /// It is no more what was planned for.
        case drifted
        case failed(Reported<MigrationFault>)
    }

    package var document: RelativePath
    package var side: Side
    package var migration: DocumentMigration
    package var old: JSON?
    package var before: Digest?
    package var after: Digest?
    /// What came of a `verify`.
    package var check: MigrationCheck?
    package var outcome = Outcome.planned

    package init(document: RelativePath, side: Side, migration: DocumentMigration) {
        self.document = document
        self.side = side
        self.migration = migration
    }

    package var place: MigrationPlace { MigrationPlace(document: document, side: side) }

    /// Takes it up, down and up again, in memory.
    mutating func verify(to target: Int?, by rule: DocumentRule) {
        if let old { check = rule.check(migrationOf: old, to: target) }
    }

    /// There is something to write.
    package var isPending: Bool { migration.result != nil }

    /// It was to be written, and is not.
    package var isUndone: Bool {
        switch outcome {
        case .planned, .done: false
        case .drifted, .failed: true
        }
    }

    /// It is not to become what was planned, nor is it that already.
    func isOther(than planned: MigrationEntry?) -> Bool {
        isPending ? entry != planned : planned.map { $0.after != before } ?? false
    }

    package var entry: MigrationEntry? {
        guard isPending, let before, let after, let from = migration.from, let to = migration.to else {
            return nil
        }
        return MigrationEntry(
            document: document,
            side: side,
            from: from,
            to: to,
            before: before,
            after: after
        )
    }
}
