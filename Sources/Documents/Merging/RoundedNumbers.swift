/// Finds the numbers of a save that its program did not edit, but only rounded when it read the base.
struct RoundedNumbers {
    private let save: JSON
    private let base: JSON
    private let rules: MergeRules
    private let reading: NumberReading
    private var pending: [Pair] = []
    private var steps: [Step] = []
    private var found: [Found] = []

    /// Two values in the same place.
    private struct Pair {
        var save: Int
        var base: Int
        var step: Int?
    }

    private struct Step {
        var parent: Int?
        var token: [UInt8]
    }

    private struct Found {
        var number: Int
        var original: Int
        var step: Int?
    }

    /// The save with the base's numbers; `nil` if none was rounded.
    static func restored(
        _ save: JSON,
        since base: JSON,
        _ rules: MergeRules,
        _ reading: NumberReading
    ) -> (json: JSON, pointers: [String])? {
        guard reading.isCoarser(thanNumbersOf: save) || reading.isCoarser(thanNumbersOf: base) else {
            return nil
        }
        var search = RoundedNumbers(save: save, base: base, rules: rules, reading: reading)
        search.run()
        return search.restored()
    }

    private init(save: JSON, base: JSON, rules: MergeRules, reading: NumberReading) {
        self.save = save
        self.base = base
        self.rules = rules
        self.reading = reading
    }

    private mutating func run() {
        pending = [Pair(save: JSON.root, base: JSON.root)]
        while let pair = pending.popLast() {
            guard save.kind(pair.save) == base.kind(pair.base) else { continue }
            switch save.kind(pair.save) {
            case .number:
                if reading.isRounded(save.slice(pair.save), from: base.slice(pair.base)) {
                    found.append(Found(number: pair.save, original: pair.base, step: pair.step))
                }
            case .object: pairMembers(of: pair)
            case .array: pairElements(of: pair)
            default: continue
            }
        }
    }

    private mutating func add(_ node: Int, _ original: Int, _ token: [UInt8], in step: Int?) {
        steps.append(Step(parent: step, token: token))
        pending.append(Pair(save: node, base: original, step: steps.count - 1))
    }

    private mutating func pairMembers(of pair: Pair) {
        guard save.refusal(toEdit: pair.save) == nil, base.refusal(toEdit: pair.base) == nil else { return }
        var originals: [[UInt8]: Int] = [:]
        for member in base.members(of: pair.base) { originals[base.string(member.key)] = member.value }
        for member in save.members(of: pair.save) {
            let key = save.string(member.key)
            if let original = originals[key] { add(member.value, original, key, in: pair.step) }
        }
    }

    /// Elements with an identity are found by it, even if the identity is a number that was rounded; all
    /// others by their index.
    private mutating func pairElements(of pair: Pair) {
        let place = pointer(pair.step)
        let key = rules.tuples.contains(place) ? nil : rules.identity(of: place).key
        let mine = Array(save.elements(of: pair.save))
        let originals = Array(base.elements(of: pair.base))
        let labels = originals.map { Self.label(of: $0, in: base, by: key) }
        let byLabel = Dictionary(grouping: labels.indices.filter { labels[$0] != nil }) { index in
            labels[index].map { Label($0, in: base, as: reading) }
        }
        var groups: [Label?: [Int]] = [:]
        for (index, element) in mine.enumerated() {
            let token = Array(String(index).utf8)
            guard let label = Self.label(of: element, in: save, by: key) else {
                if index < originals.count { add(element, originals[index], token, in: pair.step) }
                continue
            }
            groups[Label(label, in: save, as: reading), default: []].append(index)
        }
        for (label, indexes) in groups {
            // Which of several numbers was rounded to the same one is told by their order.
            guard let candidates = byLabel[label], candidates.count == indexes.count else { continue }
            for (index, original) in zip(indexes, candidates) {
                add(mine[index], originals[original], Array(String(index).utf8), in: pair.step)
            }
        }
    }

    /// What identifies an element: a field of an object, or a number itself.
    private static func label(of element: Int, in json: JSON, by key: [UInt8]?) -> Int? {
        if json.kind(element) == .number { return key == nil ? nil : element }
        guard let key, json.kind(element) == .object, let label = json.value(of: key, in: element),
            json.kind(label) == .string || json.kind(label) == .number
        else { return nil }
        return label
    }

    /// Numbers that a program cannot tell apart are the same.
    private enum Label: Hashable {
        case text([UInt8])
        case double(Double)
        case float(Float)
        case number(ExactDecimal)

        init(_ node: Int, in json: JSON, as reading: NumberReading) {
            guard json.kind(node) == .number else {
                self = .text(json.string(node))
                return
            }
            let text = String(decoding: json.slice(node), as: UTF8.self)
            switch reading {
            case .double: self = Double(text).map { .double($0) } ?? .number(ExactDecimal(json.slice(node)))
            case .float: self = Float(text).map { .float($0) } ?? .number(ExactDecimal(json.slice(node)))
            }
        }
    }

    private func pointer(_ step: Int?) -> JSONPointer {
        var tokens: [[UInt8]] = []
        var next = step
        while let number = next {
            tokens.append(steps[number].token)
            next = steps[number].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }

    private func restored() -> (json: JSON, pointers: [String])? {
        guard !found.isEmpty else { return nil }
        let inOrder = found.sorted { $0.number < $1.number }
        var text: [UInt8] = []
        var end = 0
        for number in inOrder {
            let range = save.range(of: number.number)
            text += save.bytes[end..<range.lowerBound]
            text += base.slice(number.original)
            end = range.upperBound
        }
        text += save.bytes[end...]
        guard let json = try? JSON(parsing: text, limits: .unbounded) else { return nil }
        return (json, inOrder.map { pointer($0.step).description })
    }
}
