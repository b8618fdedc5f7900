package import Documents
package import Model
package import StateStore

/// One document of one side, what a migration makes of it, and its progress.
package struct MigrationItem: Sendable, Codable {
    package enum Outcome: Sendable, Hashable, Codable {
        /// Nothing had to be done, or nothing is done yet.
        case planned
        case done
        /// It differs from the plan.
        case drifted
        case failed(Reported<MigrationFault>)
    }

    package var document: RelativePath
    package var side: Side
    package var migration: DocumentMigration
    package var old: JSON?
    package var before: Digest?
    package var after: Digest?
    /// The result of `migrate verify`.
    package var check: MigrationCheck?
    package var outcome = Outcome.planned

    package init(document: RelativePath, side: Side, migration: DocumentMigration) {
        self.document = document
        self.side = side
        self.migration = migration
    }

    package var place: MigrationPlace { MigrationPlace(document: document, side: side) }

    /// Migrates it, migrates it back and migrates it again, in memory.
    mutating func verify(to target: Int?, by rule: DocumentRule) {
        if let old { check = rule.check(migrationOf: old, to: target) }
    }

    /// Whether there is something to write.
    package var isPending: Bool { migration.result != nil }

    /// Whether it was to be written and is not.
    package var isUndone: Bool {
        switch outcome {
        case .planned, .done: false
        case .drifted, .failed: true
        }
    }

    /// Whether it neither has nor will have the planned result.
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
