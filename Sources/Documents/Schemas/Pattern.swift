/// A regular expression as JSON Schema defines it: ECMA-262 over code points, which may match anywhere in
/// the text.
///
/// The standard library's regular expressions match grapheme clusters by canonical equivalence, and
/// backtrack. This implementation reads the text once. Back-references and look-around are not supported,
/// and are refused.
struct Pattern: Sendable {
    indirect enum Tree: Sendable {
        case empty
        case one(CodePoints)
        case sequence([Tree])
        case choice([Tree])
        case repeated(Tree, least: Int, most: Int?)
        case start, end
        case wordEdge(Bool)
    }

    private enum Step: Sendable {
        case one(CodePoints)
        case fork(Int, Int)
        case jump(Int)
        case start, end
        case wordEdge(Bool)
        case found
    }

    let text: String
    private var steps: [Step] = []

    /// The most steps that repetitions may expand to.
    static let mostSteps = 20_000

    init(_ text: String) throws(PatternError) {
        self.text = text
        var parser = PatternParser(text)
        let tree = try parser.parse()
        guard Self.size(of: tree) < Self.mostSteps else {
            throw PatternError(offset: 0, reason: .tooLarge)
        }
        emit(tree)
        steps.append(.found)
    }

    /// The number of steps. It saturates far above the limit.
    private static func size(of tree: Tree) -> Int {
        let most = 1 << 30
        switch tree {
        case .empty: return 0
        case .one, .start, .end, .wordEdge: return 1
        case .sequence(let parts): return parts.reduce(0) { min(most, $0 + size(of: $1)) }
        case .choice(let parts): return parts.reduce(0) { min(most, $0 + size(of: $1) + 2) }
        case .repeated(let part, let least, let most):
            let times = min(1 << 20, max(1, most ?? least + 1))
            return min(1 << 30, (size(of: part) + 2) * times)
        }
    }

    private mutating func emit(_ tree: Tree) {
        switch tree {
        case .empty: break
        case .one(let set): steps.append(.one(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .wordEdge(let isEdge): steps.append(.wordEdge(isEdge))
        case .sequence(let parts): for part in parts { emit(part) }
        case .choice(let parts): emit(choice: parts)
        case .repeated(let part, let least, let most):
            for _ in 0..<least { emit(part) }
            if let most {
                emit(part, atMost: most - least)
            } else {
                let fork = steps.count
                steps.append(.fork(fork + 1, 0))
                emit(part)
                steps.append(.jump(fork))
                steps[fork] = .fork(fork + 1, steps.count)
            }
        }
    }

    private mutating func emit(_ part: Tree, atMost times: Int) {
        var forks: [Int] = []
        for _ in 0..<max(0, times) {
            forks.append(steps.count)
            steps.append(.fork(steps.count + 1, 0))
            emit(part)
        }
        for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
    }

    private mutating func emit(choice parts: [Tree]) {
        var exits: [Int] = []
        for (number, part) in parts.enumerated() {
            guard number < parts.count - 1 else {
                emit(part)
                continue
            }
            let fork = steps.count
            steps.append(.fork(fork + 1, 0))
            emit(part)
            exits.append(steps.count)
            steps.append(.jump(0))
            steps[fork] = .fork(fork + 1, steps.count)
        }
        for exit in exits { steps[exit] = .jump(steps.count) }
    }

    /// Whether a part of `text` matches. `text` is the result of `unescaped` for a JSON string.
    ///
    /// A text of `n` code points takes at most `n` times the number of the pattern's steps. These are taken
    /// from `budget`; the result is `nil` once it is used up.
    func fits(_ text: [UInt8], budget: inout Int) -> Bool? {
        let codes = codePoints(text)
        budget -= steps.count
        var run = Run(seen: [Int](repeating: -1, count: steps.count), budget: budget)
        defer { budget = run.budget }
        var current: [Int] = []
        for index in 0...codes.count {
            // A match may begin anywhere, so an attempt begins at each code point.
            if follow(0, codes, index, &current, &run) { return true }
            guard index < codes.count else { return false }
            var next: [Int] = []
            for step in current {
                guard case .one(let set) = steps[step] else { continue }
                run.budget -= set.ranges.count
                if set.contains(codes[index]), follow(step + 1, codes, index + 1, &next, &run) { return true }
            }
            guard run.budget >= 0 else { return nil }
            current = next
        }
        return false
    }

    private struct Run {
        /// The index at which each step was last reached: reaching it once per index suffices.
        var seen: [Int]
        var budget: Int
    }

    /// Follows the steps that read nothing, up to those that wait for a code point; `true` if the end of
    /// the pattern is reached.
    private func follow(
        _ first: Int,
        _ codes: [UInt32],
        _ index: Int,
        _ waiting: inout [Int],
        _ run: inout Run
    ) -> Bool {
        var pending = [first]
        while let step = pending.popLast() {
            run.budget -= 1
            if run.seen[step] == index { continue }
            run.seen[step] = index
            switch steps[step] {
            case .one: waiting.append(step)
            case .fork(let a, let b): pending += [b, a]
            case .jump(let target): pending.append(target)
            case .start: if index == 0 { pending.append(step + 1) }
            case .end: if index == codes.count { pending.append(step + 1) }
            case .wordEdge(let isEdge):
                let before = index > 0 && CodePoints.word.contains(codes[index - 1])
                let after = index < codes.count && CodePoints.word.contains(codes[index])
                if (before != after) == isEdge { pending.append(step + 1) }
            case .found: return true
            }
        }
        return false
    }
}

/// A set of code points.
struct CodePoints: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isNegated = false

    func contains(_ code: UInt32) -> Bool { ranges.contains { $0.contains(code) } != isNegated }

    static let digit = CodePoints(ranges: [0x30...0x39])
    static let word = CodePoints(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = CodePoints(ranges: [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let lineEnd = CodePoints(ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

    var negated: CodePoints { CodePoints(ranges: ranges, isNegated: !isNegated) }

    /// The ranges, with a negation resolved.
    var positive: [ClosedRange<UInt32>] {
        guard isNegated else { return ranges }
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = max(next, range.upperBound + 1)
        }
        if next <= 0x10FFFF { result.append(next...0x10FFFF) }
        return result
    }
}

/// The code points of the result of `unescaped`; half a surrogate pair is one.
func codePoints(_ text: [UInt8]) -> [UInt32] {
    var codes: [UInt32] = []
    codes.reserveCapacity(text.count)
    for byte in text {
        if byte & 0xC0 == 0x80, let last = codes.last {
            codes[codes.count - 1] = last << 6 | UInt32(byte & 0x3F)
        } else {
            let bits: UInt8 = byte < 0x80 ? 0x7F : byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07
            codes.append(UInt32(byte & bits))
        }
    }
    return codes
}
