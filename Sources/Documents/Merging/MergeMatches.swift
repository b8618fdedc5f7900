/// Which entries of three tables correspond to each other, and their order in the result.
struct MergeMatches {
    private(set) var baseOfApp: [Int?]
    private(set) var groupOfApp: [Int?]
    private(set) var baseOfGroup: [Int?]
    private(set) var appOfGroup: [Int?]

    init(base: MergeTable?, app: MergeTable, group: MergeTable) {
        baseOfApp = Self.matches(of: app, in: base)
        groupOfApp = Self.matches(of: app, in: group)
        baseOfGroup = Self.matches(of: group, in: base)
        appOfGroup = [Int?](repeating: nil, count: group.entries.count)
        for (index, match) in groupOfApp.enumerated() {
            if let match { appOfGroup[match] = index }
        }
    }

    private static func matches(of table: MergeTable, in other: MergeTable?) -> [Int?] {
        guard let other else { return [Int?](repeating: nil, count: table.entries.count) }
        var guess = 0
        return table.entries.indices.map { index in
            let found = other.find(index, of: table, guess: guess)
            if let found { guess = found + 1 }
            return found
        }
    }

    /// Treats an entry of the app's and one of the group's as two different elements.
    mutating func separate(app: Int, group: Int) {
        groupOfApp[app] = nil
        appOfGroup[group] = nil
    }

    /// Whether only the group changed the order of the elements that all three have.
    var isReorderedByGroup: Bool {
        let common = baseOfApp.indices.filter { baseOfApp[$0] != nil && groupOfApp[$0] != nil }
        let inBase = common.compactMap { baseOfApp[$0] }
        guard inBase == inBase.sorted() else { return false }
        let inGroup = common.compactMap { groupOfApp[$0] }
        return inGroup != inGroup.sorted()
    }

    /// The remaining items of the app and the added items of the group, in order.
    ///
    /// The app's order applies, or the group's with `followingGroup`. An item that only one side has
    /// follows the item that it follows on that side.
    func arrange(
        _ mine: [Draft.Item?],
        _ theirs: [(index: Int, item: Draft.Item)],
        followingGroup: Bool
    ) -> [Draft.Item] {
        guard followingGroup else {
            let anchors = Self.anchors(appOfGroup)
            return Self.weave(mine, theirs.map { ($0.item, anchors[$0.index]) })
        }
        let anchors = Self.anchors(groupOfApp)
        var order = [Draft.Item?](repeating: nil, count: appOfGroup.count)
        for (index, match) in appOfGroup.enumerated() { order[index] = match.flatMap { mine[$0] } }
        for their in theirs { order[their.index] = their.item }
        let own = mine.indices.compactMap { index in
            groupOfApp[index] == nil ? mine[index].map { ($0, anchors[index]) } : nil
        }
        return Self.weave(order, own)
    }

    /// For each entry, the index in the other list of the nearest entry before it that both lists have; -1
    /// for the beginning.
    private static func anchors(_ matches: [Int?]) -> [Int] {
        var last = -1
        return matches.map { match in
            defer { last = match ?? last }
            return last
        }
    }

    private static func weave(_ order: [Draft.Item?], _ guests: [(Draft.Item, Int)]) -> [Draft.Item] {
        var after = [[Draft.Item]](repeating: [], count: order.count + 1)
        for (guest, anchor) in guests { after[anchor + 1].append(guest) }
        var result = after[0]
        for (index, item) in order.enumerated() {
            if let item { result.append(item) }
            result += after[index + 1]
        }
        return result
    }
}
