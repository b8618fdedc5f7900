extension ExpressionCall {
    /// `nil` for a function that is not about lists.
    @inline(never)
    func listFunction(in run: inout Evaluator) throws(ExpressionError) -> Value? {
        switch function {
        case .map:
            var results: [Value] = []
            for element in try elements(1, in: &run) { results.append(try key(of: element, in: &run)) }
            return .array(results)
        case .sort, .sortBy:
            let elements = try elements(0, in: &run)
            return .array(sorted(elements, by: try keys(of: elements, in: &run)))
        case .max, .maxBy: return try extreme(in: &run, isMost: true)
        case .min, .minBy: return try extreme(in: &run, isMost: false)
        case .reverse:
            if let text = run.string(values[0]) {
                return .string(bytes(ofCodePoints: codePoints(text).reversed()))
            }
            guard let elements = try run.elements(of: values[0], at: link) else {
                throw wrongType(0, [.string, .array], found: run.kind(of: values[0]), in: run)
            }
            return .array(elements.reversed())
        case .take: return .array(Array(try elements(0, in: &run).prefix(try count(1, in: &run) ?? 0)))
        case .zip: return try zipped(in: &run)
        case .notNull: return values.first { !run.isNull($0) } ?? .null
        case .toArray: return run.kind(of: values[0]) == .array ? values[0] : .array(values)
        default: return nil
        }
    }

    /// What the expression of a call gives for an element; the element itself if there is none.
    private func key(of element: Value, in run: inout Evaluator) throws(ExpressionError) -> Value {
        guard let expression else { return element }
        return try run.settled(try run.evaluate(expression, on: element), at: expression)
    }

    private enum Keys {
        case numbers([ExactNumber])
        case strings([StringKey])
    }

    /// The keys by which a call compares elements: all numbers, or all strings.
    private func keys(of elements: [Value], in run: inout Evaluator) throws(ExpressionError) -> Keys {
        var (numbers, strings): ([ExactNumber], [StringKey]) = ([], [])
        for element in elements {
            let key = try key(of: element, in: &run)
            try run.charge(1, at: link)
            if strings.isEmpty, let number = try run.number(key, at: link) {
                numbers.append(number)
            } else if numbers.isEmpty, let string = run.string(key) {
                strings.append(StringKey(string))
            } else {
                let expected: [Kind] =
                    numbers.isEmpty ? strings.isEmpty ? [.number, .string] : [.string] : [.number]
                let isArgument = expression == nil
                throw run.fail(
                    link,
                    .type(
                        isArgument ? .argument(function, 0) : .key(function),
                        expected: isArgument ? [.numbers, .strings] : expected,
                        found: run.kind(of: key)
                    )
                )
            }
        }
        return strings.isEmpty ? .numbers(numbers) : .strings(strings)
    }

    private func sorted(_ elements: [Value], by keys: Keys) -> [Value] {
        switch keys {
        case .numbers(let keys): order(of: keys).map { elements[$0] }
        case .strings(let keys): order(of: keys).map { elements[$0] }
        }
    }

    /// The places of keys in their order; equal ones stay in theirs.
    private func order(of keys: [some Comparable]) -> [Int] {
        keys.indices.sorted { a, b in
            if keys[a] < keys[b] { return true }
            return a < b && !(keys[b] < keys[a])
        }
    }

    /// The first of the largest or smallest elements; null if there are none.
    private func extreme(in run: inout Evaluator, isMost: Bool) throws(ExpressionError) -> Value {
        let elements = try elements(0, in: &run)
        func best(_ keys: [some Comparable]) -> Value {
            guard var best = keys.indices.first else { return .null }
            for place in keys.indices where isMost ? keys[best] < keys[place] : keys[place] < keys[best] {
                best = place
            }
            return elements[best]
        }
        switch try keys(of: elements, in: &run) {
        case .numbers(let keys): return best(keys)
        case .strings(let keys): return best(keys)
        }
    }

    private func zipped(in run: inout Evaluator) throws(ExpressionError) -> Value {
        var lists: [[Value]] = []
        for place in 0..<values.count { lists.append(try elements(place, in: &run)) }
        let count = lists.map(\.count).min() ?? 0
        try run.charge(count * lists.count, at: link)
        return .array((0..<count).map { row in .array(lists.map { $0[row] }) })
    }
}

/// A string in the order of its code points.
private struct StringKey: Comparable {
    private let content: [UInt8]
    /// The first eight bytes, which mostly differ.
    private let first: UInt64

    init(_ content: [UInt8]) {
        self.content = content
        first =
            content.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } << (8 * UInt64(max(0, 8 - content.count)))
    }

    static func < (a: StringKey, b: StringKey) -> Bool {
        a.first == b.first ? a.content.lexicographicallyPrecedes(b.content) : a.first < b.first
    }
}
