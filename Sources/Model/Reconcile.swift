/// What one document needs, given what both sides last agreed on and what each holds now.
package enum Verdict: Hashable, Sendable {
    /// All three agree.
    case settled
    /// The sides agree with each other but not with the base, which must learn it.
    case adopt
    /// One side changed; the other takes its content (or its absence).
    case propagate(from: Side)
    /// Both sides changed, differently, and neither is a mere deletion.
    case conflict
}

/// Judges one document. `nil` means absent.
///
/// This is the whole of two-way synchronization; everything else is here to feed it the truth
/// and to carry out its answer.
package func reconcile<Content: Equatable>(base: Content?, app: Content?, group: Content?) -> Verdict {
    if app == group { return app == base ? .settled : .adopt }
    if group == base { return .propagate(from: .app) }
    if app == base { return .propagate(from: .group) }
    // Both changed. An edit outlives a deletion: nothing new is lost by restoring it.
    if app == nil { return .propagate(from: .group) }
    if group == nil { return .propagate(from: .app) }
    return .conflict
}
