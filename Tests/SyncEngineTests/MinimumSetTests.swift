import SyncEngine
import Synchronization
import Testing

/// The smallest remaining element, with insertions and removals.
@Suite struct MinimumSetTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the smallest element is known`(seed: UInt64) {
        var state = seed
        func drawn(below limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        var set = MinimumSet<Int>()
        var known: Set<Int> = []
        for _ in 0..<5_000 {
            let element = drawn(below: 60)
            if drawn(below: 5) < 2 {
                set.insert(element)
                known.insert(element)
            } else {
                set.remove(element)
                known.remove(element)
            }
            #expect(set.least == known.min() && set.isEmpty == known.isEmpty)
            #expect(set.small(9).allSatisfy(known.contains))
        }
    }

    @Test func `it needs no more comparisons than a heap`() {
        let tally = Tally()
        var set = MinimumSet<Counted>()
        let count = 4_096
        for number in (0..<count).reversed() { set.insert(Counted(number: number, tally: tally)) }
        for number in 0..<count { set.remove(Counted(number: number, tally: tally)) }
        #expect(set.isEmpty)
        // 12 levels up, 12 levels down with two comparisons each, and an occasional sort.
        #expect(tally.count < count * 12 * 5)
    }
}

private final class Tally: Sendable {
    private let comparisons = Atomic<Int>(0)
    var count: Int { comparisons.load(ordering: .relaxed) }
    func add() { comparisons.add(1, ordering: .relaxed) }
}

private struct Counted: Hashable, Comparable, Sendable {
    let number: Int
    let tally: Tally

    static func == (a: Self, b: Self) -> Bool { a.number == b.number }

    static func < (a: Self, b: Self) -> Bool {
        a.tally.add()
        return a.number < b.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
