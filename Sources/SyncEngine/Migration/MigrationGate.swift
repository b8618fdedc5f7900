import Documents
import Model
package import StateStore

/// The counts in the last line of a plan.
package struct MigrationSummary: Sendable, Hashable, Codable {
    package var migrate = 0
    package var current = 0
    /// Documents that have the requested version, and violate its schema.
    package var invalid = 0
    package var newer = 0
    package var blocked = 0
    package var lossy = 0
    package var unversioned = 0
    package var done = 0
    package var failed = 0
    package var firstBlocked: MigrationRefusal?
    package var firstLossy: String?

    package init() {}

    /// `name` is the document's name as a person is shown it.
    package mutating func add(_ item: MigrationItem, as name: String? = nil) {
        let name = name ?? item.document.description
        switch item.migration.verdict {
        case .current: current += 1
        case .invalid: invalid += 1
        case .lossless: migrate += 1
        case .lossy:
            migrate += 1
            lossy += 1
            if firstLossy == nil { firstLossy = name }
        case .blocked(let block):
            blocked += 1
            if firstBlocked == nil { firstBlocked = .blocked(document: name, block, count: 1) }
        case .newer: newer += 1
        case .unversioned: unversioned += 1
        }
        switch item.outcome {
        case .planned: break
        case .done: done += 1
        case .drifted, .failed: failed += 1
        }
    }

    /// Why a migration is refused before it begins, if so.
    ///
    /// - Parameter skipsBlocked: Documents that cannot be migrated are left unchanged, and the others are
    ///   migrated.
    package func refusal(allowLossy: Bool, skipsBlocked: Bool, drift: [LensDrift]) -> MigrationRefusal? {
        if !drift.isEmpty { return .lenses(drift) }
        if !skipsBlocked, case .blocked(let document, let block, _)? = firstBlocked {
            return .blocked(document: document, block, count: blocked)
        }
        if lossy > 0, !allowLossy { return .lossy(document: firstLossy ?? "", count: lossy) }
        return nil
    }
}

/// The planned result for each document; the content of a plan file.
package struct ExpectedMigration: Sendable, Hashable, Codable {
    package var entries: [MigrationEntry]

    package init(entries: [MigrationEntry]) { self.entries = entries }

    package var byPlace: [MigrationPlace: MigrationEntry] {
        Dictionary(entries.map { ($0.place, $0) }) { first, _ in first }
    }
}

extension MigrationEntry {
    /// Why the document no longer matches the plan, if so. A document that already has the planned result
    /// matches.
    package func refusal(of item: MigrationItem?) -> MigrationRefusal? {
        guard let item, let digest = item.before else {
            return .moved(document: document.description, .unreadable)
        }
        if digest == after, !item.isPending { return nil }
        guard digest == before else {
            return .moved(document: document.description, .changed)
        }
        if item.after != after {
            return .moved(document: document.description, .otherResult)
        }
        return item.entry == self ? nil : .moved(document: document.description, .otherPlan)
    }
}
