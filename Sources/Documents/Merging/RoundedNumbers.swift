/// Finds the numbers of a save that its program did not edit, but only rounded when it read the base.
struct RoundedNumbers {
    private let save: JSON
    private let base: JSON
    private let rules: MergeRules
    private let reading: NumberReading
    private var pending: [Pair] = []
    private var steps = PathSteps()
    private var found: [Found] = []

    /// Two values in the same place.
    private struct Pair {
        var save: Int
        var base: Int
        var step: Int?
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
        pending.append(Pair(save: node, base: original, step: steps.add(token, to: step)))
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

    private mutating func pairElements(of pair: Pair) {
        let place = steps.pointer(pair.step)
        let key = rules.elementKey(of: place)
        let array = (save: pair.save, base: pair.base)
        for same in ElementPairs.all(of: array, in: save, since: base, by: key, as: reading) {
            add(same.save, same.base, Array(String(same.index).utf8), in: pair.step)
        }
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
        return (json, inOrder.map { steps.pointer($0.step).description })
    }
}
