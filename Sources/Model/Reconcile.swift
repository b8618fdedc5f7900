/// What one document needs, given its base and the content of each side.
package enum Verdict: Hashable, Sendable {
    /// All three are equal.
    case settled
    /// The sides are equal, but differ from the base, which must be updated.
    case adopt
    /// One side changed; the other gets its content, or its deletion.
    case propagate(from: Side)
    /// Both sides changed differently, and neither deleted the document.
    case conflict
}

/// The three-way comparison of one document. `nil` means absent.
///
/// Two-way sync is this function; all other code provides its input and carries out its result.
package func reconcile<Content: Equatable>(base: Content?, app: Content?, group: Content?) -> Verdict {
    if app == group { return app == base ? .settled : .adopt }
    if group == base { return .propagate(from: .app) }
    if app == base { return .propagate(from: .group) }
    // Both changed. An edit wins over a deletion: restoring a document loses nothing.
    if app == nil { return .propagate(from: .group) }
    if group == nil { return .propagate(from: .app) }
    return .conflict
}
