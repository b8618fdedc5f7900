extension JSON {
    /// Whether both are equal by value: numbers exactly, strings and keys unescaped, members in any order.
    package func isEqual(to other: JSON) -> Bool {
        bytes == other.bytes || isEqual(JSON.root, to: other, JSON.root)
    }

    /// Whether two values are equal by value.
    func isEqual(_ node: Int, to other: JSON, _ otherNode: Int) -> Bool {
        text.isEqual(node, to: other.text, otherNode)
    }
}

extension NodeText {
    /// Whether two values are equal by value. Members with the same name are compared in their order.
    func isEqual(_ node: Int, to other: NodeText, _ otherNode: Int) -> Bool {
        var pairs = [(node, otherNode)]
        while let (mine, its) = pairs.popLast() {
            guard kind(mine) == other.kind(its) else { return false }
            switch kind(mine) {
            case .true, .false, .null: continue
            case .number: guard isEqualNumber(mine, other, its) else { return false }
            case .string: guard isSameString(mine, other, its) else { return false }
            case .array: guard pairElements(of: mine, other, its, &pairs) else { return false }
            case .object: guard pairMembers(of: mine, other, its, &pairs) else { return false }
            }
        }
        return true
    }

    private func isEqualNumber(_ node: Int, _ other: NodeText, _ otherNode: Int) -> Bool {
        let mine = range(of: node)
        let its = other.range(of: otherNode)
        if sameBytes(bytes, mine, other.bytes, its) { return true }
        return ExactDecimal(bytes, mine) == ExactDecimal(other.bytes, its)
    }

    /// `false` if one array is longer.
    private func pairElements(
        of node: Int,
        _ other: NodeText,
        _ otherNode: Int,
        _ pairs: inout [(Int, Int)]
    ) -> Bool {
        var mine = elements(of: node)
        var its = other.elements(of: otherNode)
        while true {
            switch (mine.next(), its.next()) {
            case (let a?, let b?): pairs.append((a, b))
            case (nil, nil): return true
            default: return false
            }
        }
    }

    /// `false` if the keys differ.
    private func pairMembers(
        of node: Int,
        _ other: NodeText,
        _ otherNode: Int,
        _ pairs: inout [(Int, Int)]
    ) -> Bool {
        let before = pairs.count
        var mine = members(of: node)
        var its = other.members(of: otherNode)
        while true {
            switch (mine.next(), its.next()) {
            case (let a?, let b?):
                guard isSameString(a.key, other, b.key) else {
                    // The keys may be the same in another order.
                    pairs.removeLast(pairs.count - before)
                    return pairSortedMembers(of: node, other, otherNode, &pairs)
                }
                pairs.append((a.value, b.value))
            case (nil, nil): return true
            default: return false
            }
        }
    }

    private func pairSortedMembers(
        of node: Int,
        _ other: NodeText,
        _ otherNode: Int,
        _ pairs: inout [(Int, Int)]
    ) -> Bool {
        let mine = sortedKeys(of: node)
        let its = other.sortedKeys(of: otherNode)
        guard mine.count == its.count else { return false }
        for (a, b) in zip(mine, its) {
            guard a.hash == b.hash, isSameString(a.node, other, b.node) else { return false }
            pairs.append((a.node + 1, b.node + 1))
        }
        return true
    }
}
