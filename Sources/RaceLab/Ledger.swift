import Storage

/// Who wrote what, and what became of it.
///
/// Each edit sets one key of one document to an id of its own. An edit may vanish only if a program knowingly
/// wrote or deleted over it, or blindly did so itself: then its loss is authorised. What the bridge does
/// authorises nothing.
struct Ledger {
    /// The edits whose writers were told that they are saved, and where.
    private(set) var acknowledged: [Int: Location] = [:]
    private(set) var authorised: Set<Int> = []
    /// What the program of a side has seen of a document, ever.
    private var shown: [Location: Set<Int>] = [:]
    private var last = 0

    mutating func newId() -> Int {
        last += 1
        return last
    }

    mutating func acknowledge(_ id: Int, at place: Location) { acknowledged[id] = place }

    mutating func authorise(_ ids: Set<Int>) { authorised.formUnion(ids) }

    /// A program has read that.
    mutating func show(_ bytes: [UInt8]?, at place: Location) {
        shown[place, default: []].formUnion(bytes.map { Ids.found(in: $0) } ?? [])
    }

    /// A program put `new` where `old` was; at `place`, if it can be known what it had seen there.
    mutating func replaced(_ old: [UInt8]?, by new: [UInt8]?, at place: Location? = nil) {
        guard let old else { return }
        let gone = Ids.found(in: old).subtracting(new.map { Ids.found(in: $0) } ?? [])
        authorise(place.map { gone.intersection(shown[$0] ?? []) } ?? gone)
    }

    /// Nothing that is not in `remaining` is asked for any more.
    mutating func forgive(allBut remaining: Set<Int>) {
        authorise(Set(acknowledged.keys).subtracting(remaining))
    }

    /// The edits that are missing, the oldest first.
    func missing(from found: Set<Int>) -> [(id: Int, place: Location)] {
        acknowledged.filter { !found.contains($0.key) && !authorised.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }
}
