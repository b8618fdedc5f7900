/// The wording in the history, on the command line and over HTTP.
extension OverwriteReason {
    package var text: String {
        switch self {
        case .changed(let reason): reason.text
        case .replaced: "a person replaced it"
        case .deleted: "a person deleted it"
        case .savedMeanwhile: "saved while the bridge published another save"
        case .conflictDecided: "lost a conflict that a person resolved"
        case .conflictDropped: "lost a conflict that nobody resolved"
        case .viewPublished(let path): "the bridge overwrote it with the view \(path)"
        case .viewRemoved(let path): "the bridge removed the view \(path)"
        case .viewInterrupted(let path): "the bridge was killed while publishing the view \(path)"
        }
    }
}
