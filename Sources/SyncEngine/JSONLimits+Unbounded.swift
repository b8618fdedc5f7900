import Documents

extension JSONLimits {
    /// For texts that were checked against the limits when they were read.
    static let unbounded = JSONLimits(maxBytes: .max, maxDepth: .max)
}
