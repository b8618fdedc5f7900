import Documents
import Foundation
import Testing

/// Random documents with every kind of merge rule.
@Suite("Laws of merge rules")
struct MergeRuleLawTests {
    private func rule() throws -> DocumentRule {
        let yaml = """
            profile: p
            documents:
              d.json:
                identity: {/items: {field: id, renumber: true}}
                merge:
                  /stamp: newest
                  /most: max
                  /least: min
                  /visits: sum
                  /tags: set
                  /count: {derived: {count: /items/*}}
                  /total: {derived: {sum: /items/*/cents}}
                  /mine: {mine: group}
            """
        return try Profile(yaml: yaml, file: "p").rule(for: "d.json")
    }

    @Test("the changes of both sides apply without conflict, and derived fields match them")
    func bothSides() throws {
        let rule = try rule()
        for seed in 0..<600 as Range<UInt64> {
            var random = Seeded(seed)
            let base = Tally.drawn(&random)
            let app = base.edited(&random, ids: 0)
            let group = base.edited(&random, ids: 1)
            let merge = try rule.merge(base: base.json, app: app.json, group: group.json)
            let note = Comment("seed \(seed): \(base.text) \(app.text) \(group.text): \(merge.result.string)")
            #expect(merge.conflicts.isEmpty, note)
            #expect(merge.result.isEqual(to: try base.merged(app, group, merge.result).json), note)
            // Swapping the sides changes only the fields with `mine`, the order and new numbers.
            let swapped = try rule.merge(base: base.json, app: group.json, group: app.json)
            let expected = try group.merged(base: base, app, swapped.result).json
            #expect(swapped.conflicts.isEmpty && swapped.result.isEqual(to: expected), note)
            // A second merge changes nothing.
            let again = try rule.merge(base: merge.result, app: merge.result, group: merge.result)
            #expect(again.result.bytes == merge.result.bytes, note)
        }
    }

    @Test("a change of only one side is the result, whatever it is")
    func oneSide() throws {
        let rule = try rule()
        for seed in 0..<500 as Range<UInt64> {
            var random = Seeded(seed)
            let base = Tally.drawn(&random)
            var new = base.edited(&random, ids: 0)
            if random.chance(30) { new.count += 1 }
            let note = Comment("seed \(seed)")
            let one = try rule.merge(base: base.json, app: new.json, group: base.json)
            #expect(try one.result.bytes == new.json.bytes && one.conflicts.isEmpty, note)
            let other = try rule.merge(base: base.json, app: base.json, group: new.json)
            #expect(other.result.isEqual(to: try new.json) && other.conflicts.isEmpty, note)
        }
    }
}

/// A document as a program has it in memory.
private struct Tally: Hashable, Codable {
    var stamp: Int
    var most: Int
    var least: Int
    var visits: Int
    var tags: [Int]
    /// Identified by their texts, which are unique.
    var items: [Item]
    var count: Int
    var mine: Int

    struct Item: Hashable, Codable {
        var id: Int
        var text: String
        var cents: Int
    }

    static func drawn(_ random: inout Seeded) -> Tally {
        let count = random.below(5)
        var tally = Tally(
            stamp: 100,
            most: random.below(10),
            least: random.below(10),
            visits: random.below(10),
            tags: (0..<10).filter { _ in random.chance(40) },
            items: (0..<count).map { Item(id: $0 + 1, text: "b\($0)", cents: random.below(100)) },
            count: 0,
            mine: 0
        )
        tally.count = count
        return tally
    }

    /// Each side edits its own elements; an added one gets the next ID.
    func edited(_ random: inout Seeded, ids side: Int) -> Tally {
        var new = self
        new.stamp += 1 + random.below(5)
        if random.chance(60) { new.most += random.below(4) }
        if random.chance(60) { new.least -= random.below(4) }
        if random.chance(60) { new.visits += random.below(5) - 1 }
        for _ in 0..<random.below(4) {
            let tag = random.below(14)
            if let index = new.tags.firstIndex(of: tag) {
                new.tags.remove(at: index)
            } else {
                new.tags.append(tag)
            }
        }
        for index in new.items.indices where index % 2 == side && random.chance(40) {
            new.items[index].cents += 1
        }
        new.items.removeAll { $0.id % 2 == side && random.chance(20) }
        // A number that was assigned is not assigned again.
        for number in 0..<random.below(3) {
            let next = (items + new.items).map(\.id).max() ?? 0
            new.items.append(Item(id: next + 1, text: "\(side)-\(number)", cents: random.below(100)))
        }
        new.count = new.items.count
        if random.chance(40) { new.mine = side + 1 }
        return new
    }

    /// The expected result; order and new numbers are taken from `result`, if they are valid.
    func merged(_ app: Tally, _ group: Tally, _ result: JSON) throws -> Tally {
        func one(_ path: KeyPath<Tally, Int>, _ both: (Int, Int) -> Int) -> Int {
            let (a, g, b) = (app[keyPath: path], group[keyPath: path], self[keyPath: path])
            return a == b ? g : g == b ? a : both(a, g)
        }
        var new = self
        new.stamp = one(\.stamp, max)
        new.most = one(\.most, max)
        new.least = one(\.least, min)
        new.visits = app.visits + group.visits - visits
        new.mine = one(\.mine) { $1 }
        let tags = Set(self.tags)
        let all = Set(app.tags).union(group.tags).union(tags)
        let kept = all.filter { tag in
            tags.contains(tag) ? app.tags.contains(tag) && group.tags.contains(tag) : true
        }
        new.tags = try Self.read(result).tags
        #expect(Set(new.tags) == kept && new.tags.count == kept.count)
        let items = try Self.read(result).items
        var expected: [String: Int] = [:]
        for item in app.items + group.items {
            let old = self.items.first { $0.text == item.text }
            let isInBoth = [app, group].allSatisfy { $0.items.contains { $0.text == item.text } }
            // If one side deleted an element, the other's edit stays.
            if let old, !isInBoth, old == item { continue }
            if let known = expected[item.text], item == old {
                expected[item.text] = known
            } else {
                expected[item.text] = item.cents
            }
        }
        #expect(Dictionary(items.map { ($0.text, $0.cents) }) { a, _ in a } == expected)
        #expect(Set(items.map(\.id)).count == items.count)
        new.items = items
        new.count = items.count
        return new
    }

    /// The expected result for swapped sides.
    func merged(base: Tally, _ other: Tally, _ result: JSON) throws -> Tally {
        try base.merged(self, other, result)
    }

    var text: String {
        let items = items.map { #"{"id":\#($0.id),"text":"\#($0.text)","cents":\#($0.cents)}"# }
        return #"{"stamp":\#(stamp),"most":\#(most),"least":\#(least),"visits":\#(visits),"tags":\#(tags),"#
            + #""items":[\#(items.joined(separator: ","))],"count":\#(count),"#
            + #""total":\#(self.items.reduce(0) { $0 + $1.cents }),"mine":\#(mine)}"#
    }

    var json: JSON { get throws { try JSON(text) } }

    private static func read(_ json: JSON) throws -> Tally {
        try JSONDecoder().decode(Tally.self, from: Data(json.bytes))
    }
}
