/// What a migration would make of one document. Value in, value out: nothing is read or written.
package struct DocumentMigration: Sendable {
    package enum Verdict: Sendable, Hashable {
        /// It is of the version that was asked for.
        case current
        /// It is of that version, and breaks its schema: left as it is.
        case invalid(MigrationBlock)
        /// The way back would give the same document.
        case lossless
        /// What the other version cannot say.
        case lossy([Loss])
        /// It cannot be migrated.
        case blocked(MigrationBlock)
        /// Newer than the profile knows: never rewritten.
        case newer(Int)
        /// The profile knows no versions of it.
        case unversioned
    }

    package var verdict: Verdict
    package var from: Int?
    package var to: Int?
    /// What is done, one step after the other.
    package var lenses: [MigrationStep] = []
    /// `nil` where nothing changes, or nothing may.
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
    /// `to`: `nil` for the newest version.
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
        if !passesInvalid, let violation = violations(of: document, version: from).first {
            let block = MigrationBlock.breaksSchema(version: from, violation)
            if from == to { return DocumentMigration(verdict: .invalid(block), from: from, to: to) }
            return blocked(block)
        }
        if from == to { return DocumentMigration(verdict: .current, from: from, to: to) }
        do throws(DocumentError) {
            let made: Migration = try migration(of: document, from: from, to: to)
            if !passesInvalid, let violation = violations(of: made.document, version: to).first {
                return blocked(.wouldBreakSchema(version: to, violation))
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

/// Whether a document comes through a migration and back.
package enum MigrationCheck: Sendable, Hashable, Codable {
    /// Up, down and up again: the same each time. `isExact`: byte for byte.
    case same(isExact: Bool)
    /// What does not come back.
    case lossy([Loss])
    /// It comes up as another document the second time: the lenses are at fault.
    case differs([String])
    /// There is nothing to try: why.
    case nothing(DocumentMigration.Verdict)
}

extension DocumentRule {
    /// Takes a document up, down and up again, in memory.
    package func check(migrationOf document: JSON, to target: Int? = nil) -> MigrationCheck {
        let up = migration(of: document, to: target)
        guard let first = up.result, let from = up.from, let to = up.to else { return .nothing(up.verdict) }
        do throws(DocumentError) {
            let down = try translate(first, from: to, to: from, agreed: nil, example: document)
            let again = try translate(down, from: from, to: to, agreed: nil, example: first)
            let patch = JSONPatch.diff(from: first, to: again)
            if !patch.isEmpty, case .lossless = up.verdict {
                return .differs(patch.places)
            }
            if case .lossy(let losses) = up.verdict { return .lossy(losses) }
            return .same(isExact: down.bytes == document.bytes && again.bytes == first.bytes)
        } catch {
            return .nothing(.blocked(.noWayBack(error)))
        }
    }
}
