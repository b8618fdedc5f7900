/// Reads the sentences that journals up to schema 5 store instead of codes.
///
/// The literals here are how those releases worded a reason. They never change, whatever `text` becomes.
extension OverwriteReason {
    /// A sentence that does not identify one reason is kept as text.
    package init(oldText text: String) {
        let known = Self.plain[text] ?? Self.view(text)
        self = known ?? .changed(ChangeReason(oldText: text))
    }

    private static var plain: [String: OverwriteReason] {
        [
            "a person put something else over it": .replaced,
            "saved while another save was published": .savedMeanwhile,
            "lost a conflict that a person decided": .conflictDecided,
            "lost a conflict that was never decided": .conflictDropped,
        ]
    }

    private static func view(_ text: String) -> OverwriteReason? {
        func path(between start: String, and end: String) -> RelativePath? {
            OldText.part(of: text, between: start, and: end).flatMap { RelativePath($0) }
        }
        if let view = path(between: "the bridge published the view ", and: " over it") {
            return .viewPublished(view)
        }
        if let view = path(between: "the view ", and: " was taken away") { return .viewRemoved(view) }
        return path(between: "the bridge was killed while it published the view ", and: "")
            .map { .viewInterrupted($0) }
    }
}
