package import Documents
package import Model
import Replica
package import StateStore

/// When a written document is flushed to disk (`fsync(2)`).
package enum Durability: String, CaseIterable, Codable, Sendable {
    /// Nothing.
    case none
    /// The file, before it is renamed.
    case file
    /// The file, then its directory, for every document.
    case dir
    /// Like `dir`, with one sync for all documents of a batch.
    case batch

    package var syncsFiles: Bool { self != .none }
    package var syncsDirectories: Bool { self == .dir || self == .batch }
}

/// How a document is replaced.
package enum CommitMode: String, CaseIterable, Codable, Sendable {
    /// Exchange the two files and examine the displaced one: no racing save is lost.
    case exchange
    /// Check, then rename: for directories whose readers take an exchange for a deletion.
    case rename
}

package struct EngineSettings: Sendable, Hashable {
    package var durability: Durability
    package var commit: CommitMode
    /// The size limit of documents, in bytes.
    package var maxDocument: Int
    /// The limit of nesting in a document.
    package var maxDepth: Int
    /// How many directories a document's name may have.
    package var maxDirectories: Int
    /// How many documents may disappear from one side before the bridge halts.
    package var lossThreshold: LossThreshold
    package var trash: TrashLimits
    /// The limit of unresolved conflicts, in bytes on disk and in the journal.
    package var maxConflicts: Int64
    /// The version that each side is pinned to; `nil`: the version that it has, or else the newest.
    package var pinnedVersions: BothSides<Int?>
    /// Use the given profile even if the journal has another one.
    package var changesProfile: Bool
    /// Which documents are synced; a profile restricts them further.
    package var filter: DocumentFilter
    /// That of daily reloads, if the profile has none; `nil`: UTC.
    package var zone: JSONExpression.Zone?
    /// A turn also reports which documents it looked at without carrying anything, and why.
    package var reportsDeferrals: Bool

    package init(
        durability: Durability = .batch,
        commit: CommitMode = .exchange,
        maxDocument: Int = 8 << 20,
        maxDepth: Int = 512,
        maxDirectories: Int = 64,
        lossThreshold: LossThreshold = LossThreshold(),
        trash: TrashLimits = TrashLimits(),
        maxConflicts: Int64 = TrashLimits().maxBytes,
        pinnedVersions: BothSides<Int?> = BothSides(app: nil, group: nil),
        changesProfile: Bool = false,
        filter: DocumentFilter = DocumentFilter(),
        reportsDeferrals: Bool = false
    ) {
        self.durability = durability
        self.commit = commit
        self.maxDocument = maxDocument
        self.maxDepth = maxDepth
        self.maxDirectories = maxDirectories
        self.lossThreshold = lossThreshold
        self.trash = trash
        self.maxConflicts = maxConflicts
        self.pinnedVersions = pinnedVersions
        self.changesProfile = changesProfile
        self.filter = filter
        self.reportsDeferrals = reportsDeferrals
    }
}

extension EngineSettings {
    var limits: JSONLimits { JSONLimits(maxBytes: maxDocument, maxDepth: maxDepth) }

    /// Why a document with this name cannot be synced, whatever it contains.
    func obstacle(toName path: RelativePath) -> Problem? {
        path.depth > maxDirectories ? .tooManyDirectories(path.depth, limit: maxDirectories) : nil
    }

    /// `made`: directories in it that earlier runs made.
    func forReplica(made: Set<RelativePath> = []) -> ReplicaSettings {
        ReplicaSettings(
            maxBytes: maxDocument,
            exchanges: commit == .exchange,
            syncsFiles: durability.syncsFiles,
            syncsDirectories: durability.syncsDirectories,
            madeDirectories: made
        )
    }

    /// `made`: directories that earlier runs made.
    func begun(_ replicas: BothSides<any Replica>, made: [(Side, RelativePath)]) -> BothSides<any Replica> {
        var replicas = replicas
        for side in Side.allCases {
            replicas[side].begin(forReplica(made: Set(made.filter { $0.0 == side }.map(\.1))))
        }
        return replicas
    }
}
