/// The history says it in these words, on the command line and over HTTP alike.
extension OverwriteReason {
    package var text: String {
        switch self {
        case .changed(let reason): reason.text
        case .replaced: "a person put something else over it"
        case .deleted: "a person deleted it"
        case .savedMeanwhile: "saved while another save was published"
        case .conflictDecided: "lost a conflict that a person decided"
        case .conflictDropped: "lost a conflict that was never decided"
        case .viewPublished(let path): "the bridge published the view \(path) over it"
        case .viewRemoved(let path): "the view \(path) was taken away"
        case .viewInterrupted(let path): "the bridge was killed while it published the view \(path)"
        }
    }
}
