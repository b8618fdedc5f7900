/// The edits that turn the elements of one array into those of another, in order.
struct ElementEdits {
    enum Edit: Equatable {
        /// The same element, possibly changed.
        case both(Int, Int)
        /// Another element at the same position.
        case replaced(Int, Int)
        case gone(Int)
        case come(Int)
    }

    private(set) var edits: [Edit] = []
    /// The arrays have no element in common.
    private(set) var isNothingCommon = true
    private let old: DigestedJSON
    private let new: DigestedJSON

    /// `mine` and `its` are the nodes of the elements.
    init(old: DigestedJSON, new: DigestedJSON, mine: [Int], its: [Int]) {
        self.old = old
        self.new = new
        let matches = Alignment.matches(mine.map { old.digests[$0] }, its.map { new.digests[$0] })
        var places = (0, 0)
        for match in matches + [Alignment.Match(first: mine.count, second: its.count)] {
            addChanged(mine[places.0..<match.first], its[places.1..<match.second])
            if match.first < mine.count {
                edits.append(.both(mine[match.first], its[match.second]))
                isNothingCommon = false
            }
            places = (match.first + 1, match.second + 1)
        }
    }

    /// Edits between two unchanged elements: elements with the same identity are the same element.
    private mutating func addChanged(_ mine: ArraySlice<Int>, _ its: ArraySlice<Int>) {
        if mine.isEmpty || its.isEmpty { return addRest(mine, its) }
        let matches = Alignment.matches(
            mine.map { identity($0, old, none: UInt64($0) &* 2) },
            its.map { identity($0, new, none: UInt64($0) &* 2 &+ 1) }
        )
        var places = (mine.startIndex, its.startIndex)
        for match in matches {
            let ends = (mine.startIndex + match.first, its.startIndex + match.second)
            addRest(mine[places.0..<ends.0], its[places.1..<ends.1])
            edits.append(.both(mine[ends.0], its[ends.1]))
            isNothingCommon = false
            places = (ends.0 + 1, ends.1 + 1)
        }
        addRest(mine[places.0...], its[places.1...])
    }

    private mutating func addRest(_ mine: ArraySlice<Int>, _ its: ArraySlice<Int>) {
        for (node, other) in zip(mine, its) {
            let hasIdentity = label(node, old) != nil && label(other, new) != nil
            let isContainer = old.json.kind(node) == .object || old.json.kind(node) == .array
            if isContainer, !hasIdentity, old.json.kind(node) == new.json.kind(other) {
                edits.append(.both(node, other))
                isNothingCommon = false
            } else {
                edits.append(.replaced(node, other))
            }
        }
        edits += mine.dropFirst(its.count).map { .gone($0) }
        edits += its.dropFirst(mine.count).map { .come($0) }
    }

    private func identity(_ element: Int, _ document: DigestedJSON, none: UInt64) -> UInt64 {
        label(element, document).map { mixed(document.digests[$0]) } ?? none
    }

    private func label(_ element: Int, _ document: DigestedJSON) -> Int? {
        let label = document.json.value(of: MergeRules.idKey, in: element)
        return label.flatMap {
            document.json.kind($0) == .string || document.json.kind($0) == .number ? $0 : nil
        }
    }
}
