package import Model

/// A message of the watching program other than a hint: in order, but possibly late.
package enum WatchMessage: Hashable, Sendable {
    case evidence(AccessEvent, Side, RelativePath)
    case lost
    case token(UInt64)
}
