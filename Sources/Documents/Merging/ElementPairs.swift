/// The elements of an array in a save, with the same ones in the base.
struct ElementPairs {
    struct Pair {
        /// The element's index in the save.
        var index: Int
        var save: Int
        var base: Int
        /// It has the identity of the other, or its index in lists of the same length.
        var isCertain = true
    }

    private let save: JSON
    private let base: JSON
    /// The field that identifies an element; `nil`: its index does.
    private let key: [UInt8]?
    private let reading: NumberReading

    /// Elements with an identity are found by it, even if it is a number that was rounded; those without by
    /// their index among all.
    static func all(
        of array: (save: Int, base: Int),
        in save: JSON,
        since base: JSON,
        by key: [UInt8]?,
        as reading: NumberReading
    ) -> [Pair] {
        ElementPairs(save: save, base: base, key: key, reading: reading).pairs(array.save, array.base)
    }

    private func pairs(_ array: Int, _ original: Int) -> [Pair] {
        let (elements, originals) = (Array(save.elements(of: array)), Array(base.elements(of: original)))
        let byLabel = Dictionary(grouping: originals.indices) { label(of: originals[$0], in: base) }
        var pairs: [Pair] = []
        var groups: [Label: [(index: Int, element: Int)]] = [:]
        for (index, element) in elements.enumerated() {
            if let label = label(of: element, in: save) {
                groups[label, default: []].append((index, element))
            } else if index < originals.count, label(of: originals[index], in: base) == nil {
                let isCertain = elements.count == originals.count
                pairs.append(Pair(index: index, save: element, base: originals[index], isCertain: isCertain))
            }
        }
        for (label, elements) in groups {
            // Which of several numbers was rounded to the same one is told by their order. A program may have
            // doubled an element.
            guard let candidates = byLabel[label], [1, elements.count].contains(candidates.count) else {
                continue
            }
            for (number, place) in elements.enumerated() {
                let original = originals[candidates[min(number, candidates.count - 1)]]
                pairs.append(Pair(index: place.index, save: place.element, base: original))
            }
        }
        return pairs.sorted { $0.index < $1.index }
    }

    /// What identifies an element: a field of an object, or a number itself.
    private func label(of element: Int, in json: JSON) -> Label? {
        guard let key else { return nil }
        if json.kind(element) == .number { return Label(element, in: json, as: reading) }
        guard json.kind(element) == .object, let label = json.value(of: key, in: element),
            json.kind(label) == .string || json.kind(label) == .number
        else { return nil }
        return Label(label, in: json, as: reading)
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
}
