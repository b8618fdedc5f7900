package import Documents
import Model

extension DocumentRule {
    /// The value that a document's bytes stand for. An asset is never parsed: its value is its hash, so that
    /// two are equal if their bytes are.
    package func value(of bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSON {
        guard isAsset else { return try JSON(parsing: bytes, limits: limits) }
        return try JSON(parsing: Array("\"\(Digest(of: bytes))\"".utf8))
    }
}
