/// The code that the journal stores. A change has the same code as among the events; no code has two
/// meanings.
extension OverwriteReason {
    package var code: String {
        switch self {
        case .changed(let reason): reason.code
        case .replaced: "replaced"
        case .deleted: "deleted-by-hand"
        case .savedMeanwhile: "saved-meanwhile"
        case .conflictDecided: "conflict-decided"
        case .conflictDropped: "conflict-dropped"
        case .viewPublished(let path): ReasonCode.text(["view-published", path.description])
        case .viewRemoved(let path): ReasonCode.text(["view-removed", path.description])
        case .viewInterrupted(let path): ReasonCode.text(["view-interrupted", path.description])
        }
    }

    /// An unknown code, for example of a later release, is shown as it is.
    package init(code: String) {
        self = Self.read(ReasonCode.fields(of: code)) ?? .changed(ChangeReason(code: code))
    }

    private static func read(_ fields: [String]) -> OverwriteReason? {
        let path = fields.count == 2 ? RelativePath(fields[1]) : nil
        return switch (fields[0], fields.count) {
        case ("replaced", 1): .replaced
        case ("deleted-by-hand", 1): .deleted
        case ("saved-meanwhile", 1): .savedMeanwhile
        case ("conflict-decided", 1): .conflictDecided
        case ("conflict-dropped", 1): .conflictDropped
        case ("view-published", 2): path.map { .viewPublished($0) }
        case ("view-removed", 2): path.map { .viewRemoved($0) }
        case ("view-interrupted", 2): path.map { .viewInterrupted($0) }
        default: nil
        }
    }
}
