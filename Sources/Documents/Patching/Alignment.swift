/// Finds the elements that two lists have in common, in order: a longest common subsequence if that can be
/// found in bounded time, else a shorter one.
enum Alignment {
    /// The number of edits up to which the longest common subsequence is searched for. Beyond that, only
    /// elements that occur once in each list are matched.
    private static let mostEdits = 256

    struct Match: Equatable {
        var first: Int
        var second: Int
    }

    static func matches(_ a: [UInt64], _ b: [UInt64]) -> [Match] {
        var start = 0
        while start < a.count, start < b.count, a[start] == b[start] { start += 1 }
        var ends = (a.count, b.count)
        while ends.0 > start, ends.1 > start, a[ends.0 - 1] == b[ends.1 - 1] {
            ends.0 -= 1
            ends.1 -= 1
        }
        let middle = (a[start..<ends.0], b[start..<ends.1])
        let inner = shortest(middle.0, middle.1) ?? unique(middle.0, middle.1)
        return (0..<start).map { Match(first: $0, second: $0) } + inner
            + zip(ends.0..<a.count, ends.1..<b.count).map { Match(first: $0, second: $1) }
    }

    /// Myers' algorithm; `nil` if it would take too many edits.
    private static func shortest(_ a: ArraySlice<UInt64>, _ b: ArraySlice<UInt64>) -> [Match]? {
        if a.isEmpty || b.isEmpty { return [] }
        let limit = min(mostEdits, a.count + b.count)
        var reach = [Int](repeating: 0, count: 2 * limit + 3)
        var trace: [[Int]] = []
        for edits in 0...limit {
            trace.append(Array(reach[(limit + 1 - edits)...(limit + 1 + edits)]))
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let index = limit + 1 + diagonal
                let isDown =
                    diagonal == -edits || (diagonal != edits && reach[index - 1] < reach[index + 1])
                var x = isDown ? reach[index + 1] : reach[index - 1] + 1
                while x < a.count, x - diagonal < b.count,
                    a[a.startIndex + x] == b[b.startIndex + x - diagonal]
                { x += 1 }
                reach[index] = x
                if x >= a.count, x - diagonal >= b.count {
                    return walkBack(trace, a, b)
                }
            }
        }
        return nil
    }

    /// The matches on the path found, from its end to its beginning.
    private static func walkBack(
        _ trace: [[Int]],
        _ a: ArraySlice<UInt64>,
        _ b: ArraySlice<UInt64>
    ) -> [Match] {
        var matches: [Match] = []
        var x = a.count
        var y = b.count
        for (edits, reach) in trace.enumerated().reversed() {
            let diagonal = x - y
            // The furthest position on a diagonal with one edit less.
            func reached(_ diagonal: Int) -> Int { reach[edits + diagonal] }
            var from = (x: 0, y: 0)
            if edits > 0 {
                let isDown =
                    diagonal == -edits
                    || (diagonal != edits && reached(diagonal - 1) < reached(diagonal + 1))
                let before = isDown ? diagonal + 1 : diagonal - 1
                from = (reached(before), reached(before) - before)
            }
            while x > from.x, y > from.y {
                x -= 1
                y -= 1
                matches.append(Match(first: a.startIndex + x, second: b.startIndex + y))
            }
            (x, y) = from
        }
        return matches.reversed()
    }

    /// Elements that occur once in each list, as far as their order is the same.
    private static func unique(_ a: ArraySlice<UInt64>, _ b: ArraySlice<UInt64>) -> [Match] {
        let inSecond = places(b)
        let inFirst = places(a)
        var pairs: [Match] = []
        for index in a.indices where inFirst[a[index]] == .some(.some(index)) {
            if case .some(.some(let other)) = inSecond[a[index]] {
                pairs.append(Match(first: index, second: other))
            }
        }
        return longestIncreasing(pairs)
    }

    /// The index of each element that occurs once; `nil` for the others.
    private static func places(_ list: ArraySlice<UInt64>) -> [UInt64: Int?] {
        var places: [UInt64: Int?] = [:]
        for index in list.indices {
            let isNew = places[list[index]] == nil
            places[list[index]] = .some(isNew ? index : nil)
        }
        return places
    }

    private static func longestIncreasing(_ pairs: [Match]) -> [Match] {
        // For each chain length, the last pair of the best chain; for each pair, the pair before it.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (number, pair) in pairs.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].second < pair.second { low = middle + 1 } else { high = middle }
            }
            before[number] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = number } else { ends.append(number) }
        }
        var chain: [Match] = []
        var next = ends.last
        while let number = next {
            chain.append(pairs[number])
            next = before[number]
        }
        return chain.reversed()
    }
}
