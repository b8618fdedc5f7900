import Documents
import Model
package import StateStore

/// What is counted at the foot of a plan.
package struct MigrationSummary: Sendable, Hashable, Codable {
    package var migrate = 0
    package var current = 0
    /// Of the version that was asked for, and breaking its schema.
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

    /// `name`: as a person is told of it.
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

    /// What keeps a migration from being begun.
    ///
    /// `skipsBlocked`: what cannot be migrated is left as it is, and the others are migrated.
    package func refusal(allowLossy: Bool, skipsBlocked: Bool, drift: [LensDrift]) -> MigrationRefusal? {
        if !drift.isEmpty { return .lenses(drift) }
        if !skipsBlocked, case .blocked(let document, let block, _)? = firstBlocked {
            return .blocked(document: document, block, count: blocked)
        }
        if lossy > 0, !allowLossy { return .lossy(document: firstLossy ?? "", count: lossy) }
        return nil
    }
}

/// What was planned, by the place of each document; what a plan file holds.
package struct ExpectedMigration: Sendable, Hashable, Codable {
    package var entries: [MigrationEntry]

    package init(entries: [MigrationEntry]) { self.entries = entries }

    package var byPlace: [MigrationPlace: MigrationEntry] {
        Dictionary(entries.map { ($0.place, $0) }) { first, _ in first }
    }
}

extension MigrationEntry {
    /// Is this document still what it was planned for, or already what it was to become?
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
