package import Model
package import StateStore
package import SyncEngine

/// What is asked of a migration, in this process or over the agent's socket.
package struct MigrationRequest: Codable, Sendable, Hashable {
    package enum Action: String, Codable, Sendable {
        /// What `apply` would do, tried on an overlay.
        case plan
        /// Only whether it may be begun: `apply` follows at once.
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
    /// Roll back what was edited since, too.
    package var force = false
    /// Do just this, or nothing.
    package var expected: ExpectedMigration?

    package init(_ action: Action, to: Int? = nil, sides: [Side] = Side.allCases) {
        self.action = action
        self.to = to
        self.sides = sides
    }
}

/// What a migration found and did. A container's documents are told one by one, and are not in it.
package struct MigrationReport: Codable, Sendable {
    package var items: [MigrationItem] = []
    package var rollback: [RollbackItem] = []
    package var drift: [LensDrift] = []
    /// A run that was killed; running again goes on with it.
    package var isUnfinished = false
    package var refusal: MigrationRefusal?
    /// Why it could not be noted that all of it is done.
    package var endFailure: Reported<MigrationFault>?
    /// What is kept for `rollback`; after `finish`, what was.
    package var originals = KeptOriginals()
    /// Those that can be rolled back no more since. Of what they held some may be kept for others.
    package var finishedDocuments = 0
    package var migrations: [KnownMigration] = []
    /// What an earlier migration did, which a `rollback` of the last one leaves.
    package var stillMigrated: [MigrationEntry] = []
    /// The files of runs that cannot be read, so that nobody knows what they did.
    package var damagedLogs: [String] = []
    /// Of everything that the containers hold, before and after a dry run.
    package var treeBefore: Digest?
    package var treeAfter: Digest?

    package init() {}

    /// `nil`: nothing was finished, for a migration is not at its end yet.
    init(finished: FinishedMigrations?) {
        isUnfinished = finished == nil
        guard let finished else { return }
        originals = finished.freed
        finishedDocuments = finished.documents
    }
}
