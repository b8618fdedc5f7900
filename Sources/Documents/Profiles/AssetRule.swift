/// What a profile says about files that are not JSON, such as images: they are synced whole and never parsed.
package struct AssetRule: Sendable, Hashable {
    /// The largest size, in bytes; `nil`: that of documents.
    package var limit: Int?
}

extension DocumentRule {
    package var isAsset: Bool { asset != nil }

    /// Throws if no document could have these bytes.
    package func check(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
        guard let asset else {
            _ = try JSON(parsing: bytes, limits: limits)
            return
        }
        try JSONLimits(maxBytes: min(limits.maxBytes, asset.limit ?? .max)).check(bytes)
    }
}
