/// The result that a migration would have for one document. A pure value: nothing is read or written.
package struct DocumentMigration: Sendable {
    package enum Verdict: Sendable, Hashable {
        /// It already has the requested version.
        case current
        /// It already has the requested version, but violates its schema; it stays as it is.
        case invalid(MigrationBlock)
        /// The result alone can be migrated back, and gives an equal value.
        case lossless
        /// The requested version cannot represent everything.
        case lossy([Loss])
        /// It cannot be migrated.
        case blocked(MigrationBlock)
        /// It has a newer version than the profile knows, and is never rewritten.
        case newer(Int)
        /// The profile has no versions of it.
        case unversioned
    }

    package var verdict: Verdict
    package var from: Int?
    package var to: Int?
    /// The steps, in order.
    package var lenses: [MigrationStep] = []
    /// `nil` if nothing changes, or the migration is not possible.
    package var result: JSON?

    package init(
        verdict: Verdict,
        from: Int? = nil,
        to: Int? = nil,
        lenses: [MigrationStep] = [],
        result: JSON? = nil
    ) {
        self.verdict = verdict
        self.from = from
        self.to = to
        self.lenses = lenses
        self.result = result
    }
}

extension DocumentRule {
    /// - Parameter target: `nil` for the newest version.
    package func migration(of document: JSON, to target: Int? = nil) -> DocumentMigration {
        switch version(of: document) {
        case .unversioned: return DocumentMigration(verdict: .unversioned)
        case .newer(let number): return DocumentMigration(verdict: .newer(number), from: number)
        case .unreadable(let fault):
            return DocumentMigration(verdict: .blocked(.unknownVersion(fault)))
        case .known(let from): return migration(of: document, from: from, to: target ?? newest ?? from)
        }
    }

    private func migration(of document: JSON, from: Int, to: Int) -> DocumentMigration {
        func blocked(_ block: MigrationBlock) -> DocumentMigration {
            DocumentMigration(
                verdict: .blocked(block),
                from: from,
                to: to,
                lenses: shownSteps(from: from, to: to)
            )
        }
        if !passesInvalid, let violation = firstViolation(of: document, version: from) {
            let block = MigrationBlock.breaksSchema(version: from, violation)
            if from == to { return DocumentMigration(verdict: .invalid(block), from: from, to: to) }
            return blocked(block)
        }
        if from == to { return DocumentMigration(verdict: .current, from: from, to: to) }
        do throws(DocumentError) {
            let made: Migration = try migration(of: document, from: from, to: to)
            if !passesInvalid, let violation = firstViolation(of: made.document, version: to) {
                return blocked(.wouldBreakSchema(version: to, violation))
            }
            try VersionCheck(by: self).check(made.document, from: from, to: to)
            // A document without any of the fields in which the versions differ is of both.
            if made.document.bytes == document.bytes {
                return DocumentMigration(verdict: .current, from: from, to: to)
            }
            return DocumentMigration(
                verdict: made.losses.isEmpty ? .lossless : .lossy(made.losses),
                from: from,
                to: to,
                lenses: made.lenses,
                result: made.document
            )
        } catch {
            return blocked(.untranslatable(error))
        }
    }
}

/// Whether a document survives a migration and the way back.
package enum MigrationCheck: Sendable, Hashable, Codable {
    /// Migrating, migrating back and migrating again gives the same each time, from the respective result
    /// alone. `isExact`: byte for byte.
    case same(isExact: Bool)
    /// The way back does not restore these values.
    case lossy([Loss])
    /// The second migration gives another document: the lenses are at fault.
    case differs([String])
    /// There is nothing to check, for this reason.
    case nothing(DocumentMigration.Verdict)
}

extension DocumentRule {
    /// Migrates a document, migrates it back and migrates it again, in memory.
    package func check(migrationOf document: JSON, to target: Int? = nil) -> MigrationCheck {
        let up = migration(of: document, to: target)
        guard let first = up.result, let from = up.from, let to = up.to else { return .nothing(up.verdict) }
        if case .lossy(let losses) = up.verdict { return .lossy(losses) }
        do throws(DocumentError) {
            let down = try translate(first, from: to, to: from, agreed: nil)
            let again = try translate(down, from: from, to: to, agreed: nil)
            let patch = JSONPatch.diff(from: first, to: again)
            if !patch.isEmpty { return .differs(patch.places) }
            return .same(isExact: down.bytes == document.bytes && again.bytes == first.bytes)
        } catch {
            return .nothing(.blocked(.noWayBack(error)))
        }
    }
}
