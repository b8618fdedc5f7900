import Documents
package import Model
import Replica
package import StateStore

/// What of a written document survives what.
package enum Durability: String, CaseIterable, Codable, Sendable {
    /// No fsync at all.
    case none
    /// The file is synced before it takes its name.
    case file
    /// The file, then its directory, for every document.
    case dir
    /// As `dir`, with one sync for all documents that wait together.
    case batch

    package var syncsFiles: Bool { self != .none }
    package var syncsDirectories: Bool { self == .dir || self == .batch }
}

/// How a document takes the place of another.
package enum CommitMode: String, CaseIterable, Codable, Sendable {
    /// The two swap places, and what came out is examined: no racing save is lost.
    case exchange
    /// Checked, then renamed over: for folders whose readers take an exchange for a deletion.
    case rename
}

package struct EngineSettings: Sendable, Hashable {
    package var durability: Durability
    package var commit: CommitMode
    /// Bytes; the largest document that is carried.
    package var maxDocument: Int
    /// Levels of nesting.
    package var maxDepth: Int
    /// How many documents may disappear from one side before the bridge halts.
    package var lossThreshold: LossThreshold
    package var trash: TrashLimits
    /// Bytes that undecided conflicts may take of the disk and of the journal.
    package var maxConflicts: Int64
    /// The version each side is made to speak; `nil`: what its own program last wrote, else the newest.
    package var pinnedVersions: BothSides<Int?>
    /// From now on the bridge works by the profile it is given, whatever the journal remembers.
    package var changesProfile: Bool
    /// A turn also says which documents it looked at without carrying anything, and why.
    package var tellsDeferrals: Bool

    package init(
        durability: Durability = .batch,
        commit: CommitMode = .exchange,
        maxDocument: Int = 8 << 20,
        maxDepth: Int = 512,
        lossThreshold: LossThreshold = LossThreshold(),
        trash: TrashLimits = TrashLimits(),
        maxConflicts: Int64 = TrashLimits().maxBytes,
        pinnedVersions: BothSides<Int?> = BothSides(app: nil, group: nil),
        changesProfile: Bool = false,
        tellsDeferrals: Bool = false
    ) {
        self.durability = durability
        self.commit = commit
        self.maxDocument = maxDocument
        self.maxDepth = maxDepth
        self.lossThreshold = lossThreshold
        self.trash = trash
        self.maxConflicts = maxConflicts
        self.pinnedVersions = pinnedVersions
        self.changesProfile = changesProfile
        self.tellsDeferrals = tellsDeferrals
    }
}

extension EngineSettings {
    var limits: JSONLimits { JSONLimits(maxBytes: maxDocument, maxDepth: maxDepth) }

    /// `made`: directories in it that earlier runs have made.
    func forReplica(made: Set<RelativePath> = []) -> ReplicaSettings {
        ReplicaSettings(
            maxBytes: maxDocument,
            exchanges: commit == .exchange,
            syncsDirectories: durability.syncsDirectories,
            madeDirectories: made
        )
    }

    /// `made`: directories that earlier runs have made.
    func begun(_ replicas: BothSides<any Replica>, made: [(Side, RelativePath)]) -> BothSides<any Replica> {
        var replicas = replicas
        for side in Side.allCases {
            replicas[side].begin(forReplica(made: Set(made.filter { $0.0 == side }.map(\.1))))
        }
        return replicas
    }
}
