import Model
import RaceLab
import SyncEngine

/// Who wrote which edit, and what happened to it.
///
/// Each edit sets one key of one document to a unique ID. An edit may disappear only if a program knowingly
/// wrote or deleted over it, or did so blindly itself: then its loss is authorized. The bridge authorizes
/// nothing.
struct Ledger {
    /// The edits whose writers were told that they are saved, and where.
    private(set) var acknowledged: [Int: Location] = [:]
    private(set) var authorised: Set<Int> = []
    /// Everything that a side's program has ever read of a document.
    private var shown: [Location: Set<Int>] = [:]
    /// The values that a side's program has set for each key since it last changed that knowingly.
    private var own: [Location: [String: Set<Int>]] = [:]
    private var last = 0

    mutating func newId() -> Int {
        last += 1
        return last
    }

    mutating func acknowledge(_ id: Int, at place: Location) { acknowledged[id] = place }

    mutating func authorise(_ ids: Set<Int>) { authorised.formUnion(ids) }

    /// Records that a program read this content.
    mutating func show(_ bytes: [UInt8]?, at place: Location) {
        shown[place, default: []].formUnion(bytes.map { Ids.found(in: $0) } ?? [])
    }

    /// Records that a program replaced `old` by `new`; at `place`, if it is known what the program had read
    /// there.
    mutating func replaced(_ old: [UInt8]?, by new: [UInt8]?, at place: Location? = nil) {
        guard let old else { return }
        let gone = Ids.found(in: old).subtracting(new.map { Ids.found(in: $0) } ?? [])
        authorise(place.map { gone.intersection(shown[$0] ?? []) } ?? gone)
    }

    /// Records that a program saves `new`, based on `known`. A value that it sets replaces its own earlier
    /// values of that key everywhere.
    mutating func changed(_ new: TestDocument, from known: TestDocument?, at place: Location) {
        for key in Set((known?.fields ?? []).map(\.key) + new.fields.map(\.key))
        where known?.text(of: key) != new.text(of: key) {
            let ids = new.ids(of: key)
            authorise((own[place]?[key] ?? []).subtracting(ids))
            own[place, default: [:]][key] = ids
        }
    }

    /// The side whose program saved both. `nil` if the other side's program has read the earlier one and
    /// may have saved it as well.
    func place(ofBoth a: Int, _ b: Int) -> Location? {
        guard a != b, let place = acknowledged[a], place == acknowledged[b], let side = place.side,
            shown[Location(side.other, place.path)]?.contains(min(a, b)) != true
        else { return nil }
        return place
    }

    /// Whether the program that saved an edit has changed that field again.
    func isReplacedByItsProgram(_ id: Int) -> Bool {
        guard let place = acknowledged[id], let values = own[place]?.values else { return false }
        return !values.contains { $0.contains(id) }
    }

    /// Allows the loss of everything that is not in `remaining`.
    mutating func forgive(allBut remaining: Set<Int>) {
        authorise(Set(acknowledged.keys).subtracting(remaining))
    }

    /// The missing edits, the oldest first.
    func missing(from found: Set<Int>) -> [(id: Int, place: Location)] {
        acknowledged.filter { !found.contains($0.key) && !authorised.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }
}
