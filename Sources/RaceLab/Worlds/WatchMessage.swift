package import Model

/// What the helper's queue says beside hints: never out of order, only late.
package enum WatchMessage: Hashable, Sendable {
    case evidence(AccessEvent, Side, RelativePath)
    case lost
    case token(UInt64)
}
