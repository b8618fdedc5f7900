package import Model
package import StateStore
package import SyncEngine

/// A request for a migration, in this process or over the agent's socket.
package struct MigrationRequest: Codable, Sendable, Hashable {
    package enum Action: String, Codable, Sendable {
        /// What `apply` would do, computed on an overlay.
        case plan
        /// Only check whether it may start; `apply` follows.
        case look
        case apply, verify, rollback
        /// Delete what `rollback` needs.
        case finish
        /// Which migrations there were.
        case history
    }

    package var action: Action
    /// `nil`: the newest version of each document.
    package var to: Int?
    package var sides: [Side]
    package var allowLossy = false
    /// Leave what cannot be migrated as it is, and migrate the others.
    package var skipsBlocked = false
    /// Roll back also the documents that were edited since.
    package var force = false
    /// Do exactly this, or nothing.
    package var expected: ExpectedMigration?
    /// `apply` and `rollback` of a bridge end once nothing has moved for this long.
    package var patience = defaultPatience

    package init(_ action: Action, to: Int? = nil, sides: [Side] = Side.allCases) {
        self.action = action
        self.to = to
        self.sides = sides
    }
}

/// The findings and results of a migration. The documents of a container are reported one by one, and are not
/// included.
package struct MigrationReport: Codable, Sendable {
    package var items: [MigrationItem] = []
    package var rollback: [RollbackItem] = []
    package var drift: [LensDrift] = []
    /// A killed run exists; running again continues it.
    package var isUnfinished = false
    package var refusal: MigrationRefusal?
    /// Why the end of the migration could not be recorded.
    package var endFailure: Reported<MigrationFault>?
    /// The bridge stopped waiting: what is not in sync, and why. `nil` if all is.
    package var stalled: [SyncReport.Change]?
    /// The originals kept for `rollback`; after `finish`, the deleted ones.
    package var originals = KeptOriginals()
    /// The documents that can no longer be rolled back. Some of their originals may be kept for other
    /// documents.
    package var finishedDocuments = 0
    package var migrations: [KnownMigration] = []
    /// What an earlier migration did, which a `rollback` of the last one leaves.
    package var stillMigrated: [MigrationEntry] = []
    /// The files of runs that cannot be read, so that what they did is unknown.
    package var damagedLogs: [String] = []
    /// Digests of both containers before and after a dry run.
    package var treeBefore: Digest?
    package var treeAfter: Digest?

    package init() {}

    /// `nil`: nothing was finished, because a migration is not complete.
    init(finished: FinishedMigrations?) {
        isUnfinished = finished == nil
        guard let finished else { return }
        originals = finished.freed
        finishedDocuments = finished.documents
    }
}
