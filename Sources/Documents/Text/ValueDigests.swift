/// A document with a digest for every value. Equal values have equal digests, so that most differences are
/// found without comparing the contents on every level.
struct DigestedJSON {
    let json: JSON
    private let text: NodeText
    /// The digest of each node, keys included.
    let digests: [UInt64]

    init(_ json: JSON) {
        self.json = json
        text = json.text
        var digests = [UInt64](repeating: 0, count: text.nodes.count)
        // The nodes inside a node have higher indexes.
        for node in text.nodes.indices.reversed() {
            digests[node] = Self.digest(of: node, in: text, digests)
        }
        self.digests = digests
    }

    func isSame(_ node: Int, _ other: DigestedJSON, _ otherNode: Int) -> Bool {
        digests[node] == other.digests[otherNode] && text.isEqual(node, to: other.text, otherNode)
    }

    private static func digest(of node: Int, in text: NodeText, _ digests: [UInt64]) -> UInt64 {
        switch text.kind(node) {
        case .null: 1
        case .true: 2
        case .false: 3
        case .number: mixed(ExactDecimal.hash(of: text.bytes, text.range(of: node)) &+ 4)
        case .string: text.hash(ofString: node)
        case .array:
            mixed(text.elements(of: node).reduce(5) { mixed($0) &+ digests[$1] })
        case .object:
            // It is a sum, because the order of members does not matter.
            mixed(
                text.members(of: node).reduce(6) {
                    $0 &+ mixed(digests[$1.key] &+ mixed(digests[$1.value]))
                }
            )
        }
    }
}

extension ExactDecimal {
    /// The hash of a number, given its text. Numbers of equal value have equal hashes.
    static func hash(of bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0
        var hasBegun = false
        var pendingZeros = 0
        var fraction = 0
        var isFraction = false
        for index in range {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                return ExactDecimal(bytes, range).hash
            } else if byte != UInt8(ascii: "-") {
                if isFraction { fraction += 1 }
                if byte == UInt8(ascii: "0") {
                    pendingZeros += hasBegun ? 1 : 0
                } else {
                    hasBegun = true
                    while pendingZeros > 0 {
                        hash = addDigit(UInt8(ascii: "0"), to: hash)
                        pendingZeros -= 1
                    }
                    hash = addDigit(byte, to: hash)
                }
            }
        }
        guard hasBegun else { return 0 }
        return hash &+ mixed(UInt64(bitPattern: Int64(pendingZeros - fraction)))
    }

    /// The sign is ignored, because numbers that differ only by it are rare.
    private var hash: UInt64 {
        guard !isZero else { return 0 }
        let hash = digits.reduce(0) { Self.addDigit($1, to: $0) }
        switch exponent {
        case .small(let value): return hash &+ mixed(UInt64(bitPattern: Int64(value)))
        case .huge(_, let digits): return hash &+ hashBytes(digits, 0..<digits.count)
        }
    }

    private static func addDigit(_ digit: UInt8, to hash: UInt64) -> UInt64 {
        (hash ^ UInt64(digit)) &* 0x100_0000_01B3
    }
}
