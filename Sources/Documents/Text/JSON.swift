/// How much is read at most.
package struct JSONLimits: Sendable, Hashable {
    /// Bytes of a text.
    package var maxBytes: Int
    /// Levels of nesting.
    package var maxDepth: Int

    package init(maxBytes: Int = 8 << 20, maxDepth: Int = 512) {
        self.maxBytes = maxBytes
        self.maxDepth = maxDepth
    }

    /// For texts that were checked against the limits when they were read.
    package static let unbounded = JSONLimits(maxBytes: .max, maxDepth: .max)
}

/// An exact document: the bytes of a JSON text and the tree over them.
///
/// Nothing is decoded that need not be, so nothing is lost: numbers are their own text, keys are bytes,
/// and order and white space are as they were read.
package struct JSON: Sendable {
    /// One reference, since documents are handed on all the time.
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
    /// What it was read with, and what an edited copy of it must keep to.
    var limits: JSONLimits { reading.limits }
    var nodes: [JSONNode] { reading.nodes }
    var hasByteOrderMark: Bool { reading.hasByteOrderMark }

    package static let mostWarnings = 100
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        // Offsets are kept in 32 bits.
        let limit = min(limits.maxBytes, Int(UInt32.max) - 1)
        guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
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

/// As the text that it is, whole, within another document.
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
