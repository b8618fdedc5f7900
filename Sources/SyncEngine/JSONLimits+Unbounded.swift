import Documents

extension JSONLimits {
    /// For what was within the limits when it was taken in.
    static let unbounded = JSONLimits(maxBytes: .max, maxDepth: .max)
}
