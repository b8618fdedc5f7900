package import Model

/// What a kind shows although no reload brought it.
extension ReloadPolicy {
    /// The kind shows this document already, as far as is known.
    ///
    /// - Returns: the notice of the kind's state, if it knew the document and is in another state now.
    package mutating func know(
        _ document: RelativePath,
        of kind: String,
        as shown: Projection,
        at now: Int64
    ) -> [ReloadGrant] {
        let isKnown = projection(of: document, in: kind) != nil
        let told = judging(document, of: kind, at: now) { $0.know(document, as: shown, $1, at: now) }
        return isKnown ? told : []
    }

    /// The kind no longer shows this document.
    package mutating func drop(_ document: RelativePath, from kind: String, at now: Int64) -> [ReloadGrant] {
        judging(document, of: kind, at: now) { $0.drop(document, $1, at: now) }
    }

    private mutating func judging(
        _ document: RelativePath,
        of kind: String,
        at now: Int64,
        _ body: (inout KindState, KindRules) -> Void
    ) -> [ReloadGrant] {
        let before = state(of: kind)?.shownState
        update(kind, at: now, body)
        if before == state(of: kind)?.shownState { return [] }
        return [ReloadGrant(kind: kind, at: now, cause: .time, documents: [document])]
    }
}
