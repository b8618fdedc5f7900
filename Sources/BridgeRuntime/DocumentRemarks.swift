import Documents
import Model
import SyncEngine

/// What `status` says of a document beside its state.
struct DocumentRemarks {
    private let names: LookalikeNames?
    /// By their names. A running agent has parted them already.
    private let linked: Set<RelativePath>

    init(_ profile: Profile?, _ planned: [PlannedChange]) {
        names = profile.map(LookalikeNames.init)
        linked = Set(planned.filter { $0.reason == .done(.linked) }.compactMap { RelativePath($0.document) })
    }

    func added(to document: BridgeStatus.Document) -> BridgeStatus.Document {
        var document = document
        document.looksLike = names?.name(like: document.name)
        if RelativePath(document.name).map(linked.contains) == true { document.isLinked = true }
        return document
    }
}
