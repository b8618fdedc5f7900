extension JSON {
    var text: NodeText { NodeText(bytes: bytes, nodes: nodes) }

    func kind(_ node: Int) -> JSONNode.Kind { nodes[node].kind }

    /// The range of a value in the text.
    func range(of node: Int) -> Range<Int> { Int(nodes[node].start)..<Int(nodes[node].end) }

    func slice(_ node: Int) -> [UInt8] { Array(bytes[range(of: node)]) }

    /// The content of a string or key, after unescaping.
    func string(_ node: Int) -> [UInt8] { text.string(node) }

    /// The keys and values of an object, in the order of the text.
    func members(of object: Int) -> NodeText.Members { text.members(of: object) }

    /// The elements of an array.
    func elements(of array: Int) -> NodeText.Elements { text.elements(of: array) }

    /// The value of `key` in an object; the first one if there are duplicates.
    func value(of key: [UInt8], in object: Int) -> Int? {
        guard kind(object) == .object else { return nil }
        for (node, value) in members(of: object) where isKey(node, key) { return value }
        return nil
    }

    func isKey(_ node: Int, _ key: [UInt8]) -> Bool {
        if nodes[node].traits.contains(.escaped) { return string(node) == key }
        return sameBytes(bytes, text.inner(of: node), key, 0..<key.count)
    }

    /// Counts lines and columns, so it is too slow for loops.
    package func position(ofOffset offset: Int) -> JSONPosition {
        var finder = PositionFinder(bytes)
        return finder.position(of: offset)
    }

    func position(of node: Int) -> JSONPosition { position(ofOffset: Int(nodes[node].start)) }

    /// Why this object must not be edited, if so: parsers may read it differently.
    func refusal(toEdit object: Int) -> JSONError? {
        let traits = nodes[object].traits
        if traits.contains(.duplicateKeys) {
            let keys = text.sortedKeys(of: object)
            for (earlier, later) in zip(keys, keys.dropFirst())
            where text.isSameString(earlier.node, text, later.node) {
                let key = String(decoding: string(later.node), as: UTF8.self)
                return .duplicateKey(position(of: later.node), key: key)
            }
        }
        if traits.contains(.loneKeys) {
            for (key, _) in members(of: object) where nodes[key].traits.contains(.loneSurrogate) {
                return .loneSurrogate(position(of: key))
            }
        }
        return nil
    }
}
