/// The members of an object, or the elements of an array, indexed by what identifies them.
struct MergeTable {
    /// One member or element.
    struct Entry {
        /// The node of its key or of its identity; the element itself, if elements are identified by index.
        var label: Int
        var value: Int
    }

    let document: DigestedJSON
    /// In the order of the text.
    let entries: [Entry]
    /// Whether elements are identified by their index.
    private let isTuple: Bool
    /// Indexes of entries, sorted by the digest of their label; empty if there are few.
    private let sorted: [Int]

    private static let few = 8

    private init(_ document: DigestedJSON, _ entries: [Entry], isTuple: Bool = false) {
        self.document = document
        self.entries = entries
        self.isTuple = isTuple
        sorted =
            isTuple || entries.count <= Self.few
            ? []
            : entries.indices.sorted {
                let a = document.digests[entries[$0].label]
                let b = document.digests[entries[$1].label]
                return a == b ? $0 < $1 : a < b
            }
    }

    init(membersOf object: Int, in document: DigestedJSON) {
        self.init(document, document.json.members(of: object).map { Entry(label: $0.key, value: $0.value) })
    }

    /// `nil` unless the array has this many elements.
    init?(placesOf array: Int, in document: DigestedJSON, count: Int) {
        let entries = document.json.elements(of: array).map { Entry(label: $0, value: $0) }
        guard entries.count == count else { return nil }
        self.init(document, entries, isTuple: true)
    }

    /// `nil` unless every element is an object with a string or number at `key` that no other element has.
    init?(elementsOf array: Int, in document: DigestedJSON, by key: [UInt8]) {
        let json = document.json
        var entries: [Entry] = []
        for element in json.elements(of: array) {
            guard let label = json.value(of: key, in: element),
                json.kind(label) == .string || json.kind(label) == .number,
                json.nodes[element].traits.isDisjoint(with: [.duplicateKeys, .loneKeys])
            else { return nil }
            entries.append(Entry(label: label, value: element))
        }
        self.init(document, entries)
        guard isUnique else { return nil }
    }

    private var isUnique: Bool {
        let order = sorted.isEmpty ? Array(entries.indices) : sorted
        for (place, index) in order.enumerated() {
            for next in order[(place + 1)...] {
                let a = entries[index].label
                let b = entries[next].label
                if document.isSame(a, document, b) { return false }
                // Equal labels are neighbours, because they are sorted by digest.
                if !sorted.isEmpty && document.digests[a] != document.digests[b] { break }
            }
        }
        return true
    }

    /// The index of the entry that corresponds to the one at `index` in `table`. `guess` is tried first,
    /// because the order is usually the same.
    func find(_ index: Int, of table: MergeTable, guess: Int) -> Int? {
        if isTuple { return index }
        let entry = table.entries[index]
        let other = table.document
        func fits(_ index: Int) -> Bool { document.isSame(entries[index].label, other, entry.label) }
        if guess < entries.count, fits(guess) { return guess }
        guard !sorted.isEmpty else { return entries.indices.first(where: fits) }
        let digest = other.digests[entry.label]
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if document.digests[entries[sorted[middle]].label] < digest {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < sorted.count, document.digests[entries[sorted[low]].label] == digest {
            if fits(sorted[low]) { return sorted[low] }
            low += 1
        }
        return nil
    }
}
