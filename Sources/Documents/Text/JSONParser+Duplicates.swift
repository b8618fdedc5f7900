extension JSONParser {
    /// Objects with up to this many members are searched pair by pair, others by sorting their keys, so
    /// that the time stays nearly proportional to the size of the text.
    private static let fewMembers = 12

    /// Records every duplicate key of `object`.
    mutating func addDuplicates(in object: Int, members: Int) -> Bool {
        members <= Self.fewMembers ? addFewDuplicates(in: object) : addManyDuplicates(in: object)
    }

    private mutating func addFewDuplicates(in object: Int) -> Bool {
        var found = false
        var key = Int(nodes[object + 2].after)
        while key < nodes.count {
            var earlier = object + 1
            while earlier < key {
                if isSameKey(earlier, key) {
                    found = true
                    addDuplicate(key)
                    break
                }
                earlier = Int(nodes[earlier + 1].after)
            }
            key = Int(nodes[key + 1].after)
        }
        return found
    }

    private mutating func addManyDuplicates(in object: Int) -> Bool {
        let text = NodeText(bytes: bytes, nodes: nodes)
        let keys = text.sortedKeys(of: object)
        var again: [Int] = []
        for (earlier, later) in zip(keys, keys.dropFirst())
        where earlier.hash == later.hash && text.isSameString(earlier.node, text, later.node) {
            again.append(later.node)
        }
        // If there are more than can be reported, the first ones in the text are.
        for key in again.sorted() { addDuplicate(key) }
        return !again.isEmpty
    }

    private mutating func addDuplicate(_ key: Int) {
        guard oddities.count < JSON.mostWarnings else { return }
        let text = NodeText(bytes: bytes, nodes: nodes)
        addOddity(
            at: Int(nodes[key].start),
            .duplicateKey(String(decoding: text.string(key), as: UTF8.self))
        )
    }

    @inline(__always)
    private func isSameKey(_ a: Int, _ b: Int) -> Bool {
        let first = nodes[a]
        let second = nodes[b]
        if first.traits.union(second.traits).contains(.escaped) {
            let text = NodeText(bytes: bytes, nodes: nodes)
            return text.isSameString(a, text, b)
        }
        let length = first.end &- first.start
        guard length == second.end &- second.start else { return false }
        var left = Int(first.start) &+ 1
        var right = Int(second.start) &+ 1
        let end = Int(first.end)
        while left < end {
            if input[left] != input[right] { return false }
            left &+= 1
            right &+= 1
        }
        return true
    }
}
