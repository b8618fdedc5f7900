/// The text of a document with its nodes. It answers questions about nodes while the document is
/// incomplete, as the parser needs.
struct NodeText {
    let bytes: [UInt8]
    let nodes: [JSONNode]

    func kind(_ node: Int) -> JSONNode.Kind { nodes[node].kind }

    func range(of node: Int) -> Range<Int> { Int(nodes[node].start)..<Int(nodes[node].end) }

    /// The range of a string without its quotes.
    func inner(of node: Int) -> Range<Int> { Int(nodes[node].start) + 1..<Int(nodes[node].end) - 1 }

    /// The content of a string, see `unescaped`.
    func string(_ node: Int) -> [UInt8] {
        let inner = inner(of: node)
        return nodes[node].traits.contains(.escaped) ? unescaped(bytes, inner) : Array(bytes[inner])
    }

    /// How many code points the content of a string has.
    func length(ofString node: Int) -> Int {
        if nodes[node].traits.contains(.escaped) { return codePoints(string(node)[...]) }
        return codePoints(bytes[inner(of: node)])
    }

    private func codePoints(_ text: ArraySlice<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    /// Whether two strings have the same content.
    func isSameString(_ node: Int, _ other: NodeText, _ otherNode: Int) -> Bool {
        if (nodes[node].traits.union(other.nodes[otherNode].traits)).contains(.escaped) {
            return string(node) == other.string(otherNode)
        }
        return sameBytes(bytes, inner(of: node), other.bytes, other.inner(of: otherNode))
    }

    /// Strings with the same content have the same hash.
    func hash(ofString node: Int) -> UInt64 {
        if nodes[node].traits.contains(.escaped) {
            let text = string(node)
            return hashBytes(text, 0..<text.count)
        }
        return hashBytes(bytes, inner(of: node))
    }

    /// Compares the contents of two strings byte by byte.
    func precedes(_ node: Int, _ other: Int) -> Bool {
        if (nodes[node].traits.union(nodes[other].traits)).contains(.escaped) {
            return string(node).lexicographicallyPrecedes(string(other))
        }
        return bytes[inner(of: node)].lexicographicallyPrecedes(bytes[inner(of: other)])
    }

    /// The keys of an object in an order that depends only on their contents; duplicates stay in the order
    /// of the text.
    func sortedKeys(of object: Int) -> [SortedKey] {
        var keys: [SortedKey] = []
        var key = object + 1
        let end = Int(nodes[object].after)
        while key < end {
            keys.append(SortedKey(hash: hash(ofString: key), node: key))
            key = Int(nodes[key + 1].after)
        }
        keys.sort { a, b in
            if a.hash != b.hash { return a.hash < b.hash }
            if !isSameString(a.node, self, b.node) { return precedes(a.node, b.node) }
            return a.node < b.node
        }
        return keys
    }
}

extension NodeText {
    /// The keys and values of an object, in the order of the text.
    func members(of object: Int) -> Members {
        Members(nodes: nodes, upcoming: object + 1, end: Int(nodes[object].after))
    }

    struct Members: Sequence, IteratorProtocol {
        fileprivate let nodes: [JSONNode]
        fileprivate var upcoming: Int
        fileprivate let end: Int

        mutating func next() -> (key: Int, value: Int)? {
            guard upcoming < end else { return nil }
            let key = upcoming
            upcoming = Int(nodes[key + 1].after)
            return (key, key + 1)
        }
    }

    /// The elements of an array.
    func elements(of array: Int) -> Elements {
        Elements(nodes: nodes, upcoming: array + 1, end: Int(nodes[array].after))
    }

    struct Elements: Sequence, IteratorProtocol {
        fileprivate let nodes: [JSONNode]
        fileprivate var upcoming: Int
        fileprivate let end: Int

        mutating func next() -> Int? {
            guard upcoming < end else { return nil }
            defer { upcoming = Int(nodes[upcoming].after) }
            return upcoming
        }
    }
}

struct SortedKey {
    var hash: UInt64
    var node: Int
}

/// Whether two ranges have the same bytes.
func sameBytes(_ a: [UInt8], _ range: Range<Int>, _ b: [UInt8], _ other: Range<Int>) -> Bool {
    guard range.count == other.count else { return false }
    let shift = other.lowerBound - range.lowerBound
    for index in range where a[index] != b[index + shift] { return false }
    return true
}

/// FNV-1a, finalized, because hashes are added, so that their low bits must vary.
func hashBytes(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return mixed(hash)
}

/// The finalizer of splitmix64.
func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
}
