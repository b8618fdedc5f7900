/// Limits of what is parsed.
package struct JSONLimits: Sendable, Hashable {
    /// The largest size of a text, in bytes.
    package var maxBytes: Int
    /// The most levels of nesting.
    package var maxDepth: Int

    package init(maxBytes: Int = 8 << 20, maxDepth: Int = 512) {
        self.maxBytes = maxBytes
        self.maxDepth = maxDepth
    }

    /// Throws `.tooLarge`.
    package func check(_ bytes: [UInt8]) throws(JSONError) {
        // Offsets are stored in 32 bits.
        let limit = min(maxBytes, Int(UInt32.max) - 1)
        guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
    }

    /// For texts that were checked against the limits before.
    package static let unbounded = JSONLimits(maxBytes: .max, maxDepth: .max)
}

/// A JSON document with its exact text: the bytes, and a tree of nodes that refer to them.
///
/// Values are decoded only when they are needed, so that nothing is lost: numbers are text, keys are bytes,
/// and order and white space stay as they are.
package struct JSON: Sendable {
    /// One reference, because documents are copied often.
    private let reading: Reading

    private final class Reading: Sendable {
        let bytes: [UInt8]
        let limits: JSONLimits
        let nodes: [JSONNode]
        let hasByteOrderMark: Bool
        let warnings: [JSONWarning]

        init(_ bytes: [UInt8], _ limits: JSONLimits, _ parser: JSONParser) {
            self.bytes = bytes
            self.limits = limits
            nodes = parser.nodes
            hasByteOrderMark = parser.hasByteOrderMark
            warnings = parser.warnings()
        }
    }

    package var bytes: [UInt8] { reading.bytes }
    /// At most `mostWarnings`, in the order of the text.
    package var warnings: [JSONWarning] { reading.warnings }
    /// The limits it was parsed with, which also apply to edited copies.
    var limits: JSONLimits { reading.limits }
    var nodes: [JSONNode] { reading.nodes }
    var hasByteOrderMark: Bool { reading.hasByteOrderMark }

    package static let mostWarnings = 100
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try limits.check(bytes)
        reading = try unsafe bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            var parser = JSONParser(unsafe ByteReader(buffer), of: bytes, maxDepth: limits.maxDepth)
            do throws(JSONFault) {
                try parser.parse()
            } catch {
                throw error.located(in: bytes)
            }
            return Reading(bytes, limits, parser)
        }
    }

    /// The node of the document itself.
    static var root: Int { 0 }
}

/// Encodes a document as a string with its whole text.
extension JSON: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        try self.init(parsing: Array(text.utf8), limits: .unbounded)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: bytes, as: UTF8.self))
    }
}
