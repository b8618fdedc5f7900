/// Parses JSON (RFC 8259) into an array of nodes: strictly, in one pass, without recursion.
struct JSONParser {
    let input: ByteReader
    /// The same bytes as an array, for code that need not be fast.
    let bytes: [UInt8]
    private(set) var nodes: [JSONNode] = []
    private(set) var hasByteOrderMark = false
    /// Where the text has something that other parsers may read differently; at most `JSON.mostWarnings`.
    var oddities: [Oddity] = []
    var index = 0

    private let maxDepth: Int
    /// The containers that are not closed yet, the innermost last.
    private var open: [OpenContainer] = []

    struct Oddity {
        var offset: Int
        var kind: JSONWarning.Kind
    }

    private struct OpenContainer {
        var node: Int
        var isObject: Bool
        var members = 0
        var traits: JSONNode.Traits = []
    }

    init(_ input: ByteReader, of bytes: [UInt8], maxDepth: Int) {
        self.input = input
        self.bytes = bytes
        self.maxDepth = maxDepth
        nodes.reserveCapacity(input.count / 8 + 1)
    }

    mutating func parse() throws(JSONFault) {
        if input[0] == 0xEF, input[1] == 0xBB, input[2] == 0xBF {
            hasByteOrderMark = true
            index = 3
            addOddity(at: 0, .byteOrderMark)
        }
        repeat { try parseValue() } while try parseSeparator()
        skipSpace()
        guard index == input.count else { throw expected("the end of the text") }
    }

    /// Parses one scalar or empty container, with the opening brackets before it.
    private mutating func parseValue() throws(JSONFault) {
        while true {
            skipSpace()
            switch input[index] {
            case UInt8(ascii: "\""):
                return try parseString()
            case UInt8(ascii: "{"):
                try begin(isObject: true)
                skipSpace()
                if input[index] == UInt8(ascii: "}") { return finish() }
                try parseKey(orElse: "a key or `}`")
            case UInt8(ascii: "["):
                try begin(isObject: false)
                skipSpace()
                if input[index] == UInt8(ascii: "]") { return finish() }
                // An error such as that of `[,` names the missing value, since that is the mistake.
                guard beginsValue(input[index]) else { throw expected("a value or `]`") }
            default:
                return try parseLiteral()
            }
        }
    }

    /// Closes the containers that end after a value; returns whether another value follows.
    private mutating func parseSeparator() throws(JSONFault) -> Bool {
        while let innermost = open.last {
            skipSpace()
            let byte = input[index]
            if byte == UInt8(ascii: ",") {
                index &+= 1
                skipSpace()
                if innermost.isObject {
                    try parseKey(orElse: "a key")
                }
                return true
            }
            guard byte == (innermost.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw expected(innermost.isObject ? "`,` or `}`" : "`,` or `]`")
            }
            finish()
        }
        return false
    }

    private mutating func begin(isObject: Bool) throws(JSONFault) {
        guard open.count < maxDepth else { throw JSONFault(index, .tooDeep(limit: maxDepth)) }
        open.append(OpenContainer(node: nodes.count, isObject: isObject))
        append(isObject ? .object : .array, from: index, to: index)
        index &+= 1
    }

    private mutating func finish() {
        index &+= 1
        guard let closed = open.popLast() else { return }
        nodes[closed.node].end = UInt32(truncatingIfNeeded: index)
        nodes[closed.node].after = UInt32(truncatingIfNeeded: nodes.count)
        var traits = closed.traits
        if closed.members > 1, addDuplicates(in: closed.node, members: closed.members) {
            traits.insert(.duplicateKeys)
        }
        nodes[closed.node].traits = traits
    }

    private mutating func parseKey(orElse wish: String) throws(JSONFault) {
        guard input[index] == UInt8(ascii: "\"") else { throw expected(wish) }
        try parseString()
        let last = open.count - 1
        open[last].members &+= 1
        if nodes[nodes.count - 1].traits.contains(.loneSurrogate) {
            open[last].traits.insert(.loneKeys)
        }
        skipSpace()
        guard input[index] == UInt8(ascii: ":") else { throw expected("`:`") }
        index &+= 1
    }

    @inline(__always)
    mutating func append(
        _ kind: JSONNode.Kind,
        from start: Int,
        to end: Int,
        traits: JSONNode.Traits = []
    ) {
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                after: UInt32(truncatingIfNeeded: nodes.count &+ 1),
                kind: kind,
                traits: traits
            )
        )
    }

    @inline(__always)
    mutating func skipSpace() {
        while true {
            let byte = input[index]
            guard byte <= 0x20 else { return }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            index &+= 1
        }
    }

    func expected(_ wish: String) -> JSONFault { JSONFault(index, .unexpected(expected: wish)) }

    mutating func addOddity(at offset: Int, _ kind: JSONWarning.Kind) {
        if oddities.count < JSON.mostWarnings { oddities.append(Oddity(offset: offset, kind: kind)) }
    }

    /// The oddities, with their positions.
    func warnings() -> [JSONWarning] {
        guard !oddities.isEmpty else { return [] }
        var finder = PositionFinder(bytes)
        return oddities.sorted { $0.offset < $1.offset }.map {
            JSONWarning(kind: $0.kind, position: finder.position(of: $0.offset))
        }
    }
}
