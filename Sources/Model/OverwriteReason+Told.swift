/// What older releases have kept of it: only the words.
extension OverwriteReason {
    /// Where it is not certain which fact was meant the words stay what they are.
    package init(told text: String) {
        let known = Self.plain + Self.views(told: text)
        self =
            known.first { $0.text.utf8.elementsEqual(text.utf8) } ?? .changed(ChangeReason(told: text))
    }

    private static var plain: [OverwriteReason] {
        [.replaced, .savedMeanwhile, .conflictDecided, .conflictDropped]
    }

    private static func views(told text: String) -> [OverwriteReason] {
        func path(between start: String, and end: String) -> RelativePath? {
            ToldText.part(of: text, between: start, and: end).flatMap { RelativePath($0) }
        }
        return [
            path(between: "the bridge published the view ", and: " over it").map { .viewPublished($0) },
            path(between: "the view ", and: " was taken away").map { .viewRemoved($0) },
            path(between: "the bridge was killed while it published the view ", and: "")
                .map { .viewInterrupted($0) },
        ].compactMap(\.self)
    }
}
