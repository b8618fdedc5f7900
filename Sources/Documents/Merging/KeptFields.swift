/// Finds the fields of a save that its side neither changes nor deletes, and puts back the base's values.
struct KeptFields {
    private let save: JSON
    private let base: JSON
    private let rules: MergeRules
    /// Without an agreed base nothing is taken away.
    private let isAgreed: Bool
    /// The values are the base's.
    private var operations: [JSONPatch.Operation] = []
    private var found: [JSONPointer] = []

    /// The save with the base's values; `nil` if it has those.
    static func restored(
        _ save: JSON,
        since base: JSON,
        isAgreed: Bool,
        _ rules: MergeRules,
        _ places: [JSONPointer]
    ) -> (json: JSON, pointers: [String])? {
        var fields = KeptFields(save: save, base: base, rules: rules, isAgreed: isAgreed)
        for place in places { fields.search(place.tokens[...], JSON.root, JSON.root, at: .root) }
        guard !fields.found.isEmpty,
            let json = try? JSONPatch(fields.operations, valuesOf: base).apply(to: save)
        else { return nil }
        return (json, fields.found.map(\.description))
    }

    private init(save: JSON, base: JSON, rules: MergeRules, isAgreed: Bool) {
        self.save = save
        self.base = base
        self.rules = rules
        self.isAgreed = isAgreed
    }

    /// `its`: the value of the base in the same place, if any.
    private mutating func search(
        _ tokens: ArraySlice<[UInt8]>,
        _ mine: Int,
        _ its: Int?,
        at place: JSONPointer
    ) {
        guard let token = tokens.first else {
            if let its, !save.isEqual(mine, to: base, its) { edit(.replace(place, its), at: place) }
            if its == nil, isAgreed { edit(.remove(place), at: place) }
            return
        }
        let rest = tokens.dropFirst()
        if token == JSONPointer.anyToken { return searchAll(rest, mine, its, at: place) }
        let old = its.flatMap { base.node(at: JSONPointer(tokens: [token]), from: $0) }
        if let next = save.node(at: JSONPointer(tokens: [token]), from: mine) {
            search(rest, next, old, at: place.appending(token))
        } else if let its, let old, has(rest, old) {
            // Where the field cannot be, what it is in comes back as a whole.
            if save.kind(mine) == .object {
                let field = place.appending(token)
                edit(.add(field, old), at: field)
            } else {
                edit(.replace(place, its), at: place)
            }
        }
    }

    /// An element or a row that was added has its own fields, and one that was deleted has none.
    private mutating func searchAll(
        _ rest: ArraySlice<[UInt8]>,
        _ mine: Int,
        _ its: Int?,
        at place: JSONPointer
    ) {
        guard let its, save.kind(mine) == base.kind(its) else { return }
        switch save.kind(mine) {
        case .object:
            for member in save.members(of: mine) {
                let key = save.string(member.key)
                guard let old = base.value(of: key, in: its) else { continue }
                search(rest, member.value, old, at: place.appending(key))
            }
        case .array:
            let key = rules.elementKey(of: place)
            for pair in ElementPairs.all(of: (mine, its), in: save, since: base, by: key, as: .double)
            where pair.isCertain {
                search(rest, pair.save, pair.base, at: place.appending(pair.index))
            }
        default: break
        }
    }

    private func has(_ tokens: ArraySlice<[UInt8]>, _ node: Int) -> Bool {
        guard let token = tokens.first else { return true }
        let rest = tokens.dropFirst()
        if token != JSONPointer.anyToken {
            return base.node(at: JSONPointer(tokens: [token]), from: node).map { has(rest, $0) } ?? false
        }
        return base.kind(node) == .object && base.members(of: node).contains { has(rest, $0.value) }
            || base.kind(node) == .array && base.elements(of: node).contains { has(rest, $0) }
    }

    private mutating func edit(_ operation: JSONPatch.Operation, at place: JSONPointer) {
        operations.append(operation)
        found.append(place)
    }
}
