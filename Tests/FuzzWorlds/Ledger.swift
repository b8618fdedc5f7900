import Model
import RaceLab
import SyncEngine

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
    /// What the program of a side has set each key to since it last changed that knowingly.
    private var own: [Location: [String: Set<Int>]] = [:]
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

    /// A program saves `new`, which it has made of `known`. What it sets a key to takes the place of whatever
    /// it had set that to itself, wherever that is.
    mutating func changed(_ new: TestDocument, from known: TestDocument?, at place: Location) {
        for key in Set((known?.fields ?? []).map(\.key) + new.fields.map(\.key))
        where known?.text(of: key) != new.text(of: key) {
            let ids = new.ids(of: key)
            authorise((own[place]?[key] ?? []).subtracting(ids))
            own[place, default: [:]][key] = ids
        }
    }

    /// Where the program of one side has saved both. `nil` where the other side's has seen the earlier one,
    /// and may have saved it, too.
    func place(ofBoth a: Int, _ b: Int) -> Location? {
        guard a != b, let place = acknowledged[a], place == acknowledged[b], let side = place.side,
            shown[Location(side.other, place.path)]?.contains(min(a, b)) != true
        else { return nil }
        return place
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
