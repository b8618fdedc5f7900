// MARK: Merge rules

extension Merger {
    enum Outcome {
        case app, group
        /// A value that neither side has.
        case value(Draft.Value)
        case conflict
    }

    /// What becomes of a value that both sides changed differently.
    mutating func decide(_ nodes: Triple, _ pointer: JSONPointer) -> Outcome {
        guard let number = rules.field(at: pointer) else { return .conflict }
        switch rules.fields[number].rule {
        case .mine(let isGroup): return isGroup ? .group : .app
        case .newest, .max: return larger(nodes, isWanted: true)
        case .min: return larger(nodes, isWanted: false)
        case .sum:
            guard let text = sum(nodes) else { return .conflict }
            made.append(Made(pointer: pointer, rule: number))
            return .value(draft.make(text))
        case .set:
            guard let list = union(nodes) else { return .conflict }
            made.append(Made(pointer: pointer, rule: number))
            return .value(list)
        case .derived:
            openConflicts.append((number, conflict(nodes, pointer)))
            return .app
        }
    }

    /// The same for a save that was made on an older version: the group's document is the save, and how the
    /// app's document differed before is unknown.
    mutating func decideUpgrade(_ nodes: Triple, _ pointer: JSONPointer) -> Outcome {
        guard let number = rules.field(at: pointer) else { return .conflict }
        switch rules.fields[number].rule {
        case .newest, .max, .min, .set, .mine: return decide(nodes, pointer)
        // It fits the rest of the save.
        case .derived: return .group
        case .sum: return .conflict
        }
    }

    /// The value after both sides made the same change: in a sum, it counts twice. `nil` if there is no
    /// such rule.
    mutating func bothAdded(_ nodes: Triple, _ pointer: JSONPointer) -> Draft.Value? {
        guard let number = rules.field(at: pointer), case .sum = rules.fields[number].rule,
            case .value(let value) = decide(nodes, pointer)
        else { return nil }
        return value
    }

    private func larger(_ nodes: Triple, isWanted: Bool) -> Outcome {
        guard let mine = Comparand(app.json, nodes.app, zone: rules.zone),
            let its = Comparand(group.json, nodes.group, zone: rules.zone),
            let isBelow = mine.isBelow(its), let isAbove = its.isBelow(mine)
        else { return .conflict }
        return (isWanted ? isBelow : isAbove) ? .group : .app
    }

    /// `base + (app - base) + (group - base)`. Without the base's value nobody knows what each side added.
    private func sum(_ nodes: Triple) -> [UInt8]? {
        guard let base, let node = nodes.base, let old = WrittenDecimal(base.json, node),
            let mine = WrittenDecimal(app.json, nodes.app),
            let its = WrittenDecimal(group.json, nodes.group), let sum = mine.plus(its)?.plus(old.negated)
        else { return nil }
        return sum.json(isString: app.json.kind(nodes.app) == .string)
    }

    /// The app's list without what the group removed, followed by what the group added.
    private mutating func union(_ nodes: Triple) -> Draft.Value? {
        guard app.json.kind(nodes.app) == .array, group.json.kind(nodes.group) == .array,
            let mine = try? draft.open(Draft.Value(document: 0, index: nodes.app))
        else { return nil }
        func elements(_ document: DigestedJSON, _ node: Int?) -> ValueSet {
            ValueSet(document, node.map { Array(document.json.elements(of: $0)) } ?? [])
        }
        let isList = nodes.base.flatMap { base?.json.kind($0) } == .array
        let old = base.map { elements($0, isList ? nodes.base : nil) }
        let ours = elements(app, nodes.app)
        let theirs = elements(group, nodes.group)
        func isOld(_ node: Int, of document: DigestedJSON) -> Bool {
            old?.contains(node, of: document) ?? false
        }
        let kept = ours.nodes.map { !isOld($0, of: app) || theirs.contains($0, of: app) }
        var added = ValueSet(group, [])
        for node in theirs.nodes
        where !ours.contains(node, of: group) && !isOld(node, of: group) && !added.contains(node, of: group) {
            added.insert(node)
        }
        let number = groupNumber
        _ = draft.change(mine) { list in
            list.items = zip(list.items, kept).filter(\.1).map(\.0)
            list.items += added.nodes.map {
                Draft.Item(key: nil, value: Draft.Value(document: number, index: $0), slot: nil)
            }
        }
        return mine
    }
}

/// Values of a document, found by value.
private struct ValueSet {
    private let document: DigestedJSON
    private(set) var nodes: [Int] = []
    private var byDigest: [UInt64: [Int]] = [:]

    init(_ document: DigestedJSON, _ nodes: [Int]) {
        self.document = document
        for node in nodes { insert(node) }
    }

    mutating func insert(_ node: Int) {
        nodes.append(node)
        byDigest[document.digests[node], default: []].append(node)
    }

    func contains(_ node: Int, of other: DigestedJSON) -> Bool {
        byDigest[other.digests[node]]?.contains { document.isSame($0, other, node) } ?? false
    }
}

// MARK: New elements with the same number

extension Merger {
    /// Treats elements that both sides added with the same number as different; returns new numbers for the
    /// group's, by index.
    ///
    /// Without a base, the same number means the same element: both come from content that is no longer
    /// known.
    func renumber(
        _ tables: Tables,
        _ matches: inout MergeMatches,
        _ place: JSONPointer
    ) -> [Int: Renumbering] {
        let identity = rules.identity(of: place)
        guard identity.isRenumbered, base != nil, case .sides = rules.mode else { return [:] }
        var next: Int?
        var found: [Int: Renumbering] = [:]
        for (mine, entry) in tables.app.entries.enumerated() where matches.baseOfApp[mine] == nil {
            guard let their = matches.groupOfApp[mine] else { continue }
            let other = tables.group.entries[their]
            if app.isSame(entry.value, group, other.value) { continue }
            guard let number = next ?? nextNumber(tables) else { return found }
            next = number + 1
            matches.separate(app: mine, group: their)
            found[their] = Renumbering(identity: identity, old: other.label, new: number)
        }
        return found
    }

    struct Renumbering {
        var identity: ElementIdentity
        /// The node of the old number in the group's document.
        var old: Int
        var new: Int
    }

    /// A number above all those in the three documents; `nil` if an element has no whole number.
    private func nextNumber(_ tables: Tables) -> Int? {
        var most = 0
        for table in [tables.base, tables.app, tables.group].compactMap({ $0 }) {
            for entry in table.entries {
                guard let number = WrittenDecimal(table.document.json, entry.label)?.value.integer else {
                    return nil
                }
                most = max(most, number)
            }
        }
        return most + 1
    }

    /// An element of the group's with another number, in every field that holds it.
    mutating func renumbered(
        _ element: Draft.Value,
        _ number: Renumbering
    ) throws(DocumentError) -> Draft.Value {
        let opened = try draft.open(element)
        let places = [JSONPointer(tokens: [number.identity.key])] + number.identity.references
        for pattern in places {
            for (pointer, node) in group.json.places(of: pattern, from: element.index)
            where group.isSame(node, group, number.old) {
                let digits = Array(String(number.new).utf8)
                let text = group.json.kind(node) == .string ? escaped(digits) : digits
                let new = draft.make(text)
                try draft.replace(at: pointer, in: opened, with: new)
            }
        }
        return opened
    }
}

// MARK: Derived fields

extension Merger {
    /// Computes the fields with a `derived` rule. If only one side changed the document, nothing is
    /// computed: its document stays as it is.
    mutating func derive(_ result: JSON) throws(DocumentError) -> JSON {
        guard case .sides = rules.mode, isTwoSided else { return result }
        var edits: [(pointer: JSONPointer, text: [UInt8])] = []
        var isUnknown: Set<Int> = []
        for (number, field) in rules.fields.enumerated() {
            guard case .derived(let derivation) = field.rule else { continue }
            for (pointer, node) in result.places(of: field.place) where rules.field(at: pointer) == number {
                let values = derivation.values.bound(by: pointer, of: field.place)
                guard let value = derivation.value(of: values, in: result) else {
                    isUnknown.insert(number)
                    uncomputed.append(pointer.description)
                    continue
                }
                made.append(Made(pointer: pointer, rule: number))
                if WrittenDecimal(result, node)?.value == value.value { continue }
                edits.append((pointer, value.json(isString: result.kind(node) == .string)))
            }
        }
        let open = openConflicts.filter { isUnknown.contains($0.rule) }.map(\.conflict)
        conflicts += open
        let told = Set(open.map(\.pointer))
        uncomputed.removeAll { told.contains($0) }
        guard !edits.isEmpty else { return result }
        var draft = Draft(result)
        draft.root = try draft.open(draft.root)
        for edit in edits {
            let new = draft.make(edit.text)
            try draft.replace(at: edit.pointer, in: draft.root, with: new)
        }
        return try draft.finished()
    }

    private var isTwoSided: Bool {
        if app.isSame(JSON.root, group, JSON.root) { return false }
        guard let base else { return true }
        return !base.isSame(JSON.root, app, JSON.root) && !base.isSame(JSON.root, group, JSON.root)
    }
}

extension JSONPointer {
    /// The pointer with its leading `*` tokens, as far as `pattern` has them too, replaced by the tokens of
    /// `pointer`.
    fileprivate func bound(by pointer: JSONPointer, of pattern: JSONPointer) -> JSONPointer {
        var bound = self
        for (index, token) in tokens.enumerated() {
            guard index < pattern.tokens.count, token == pattern.tokens[index] else { break }
            bound.tokens[index] = pointer.tokens[index]
        }
        return bound
    }
}

extension Derivation {
    /// The count or the sum; `nil` if there is nothing to count, or a value that is not a number.
    func value(of pattern: JSONPointer, in document: JSON) -> WrittenDecimal? {
        let tokens = pattern.tokens.prefix { $0 != JSONPointer.anyToken }
        guard let list = document.node(at: JSONPointer(tokens: Array(tokens))),
            document.kind(list) == .array || document.kind(list) == .object
        else { return nil }
        var nodes: [Int] = []
        for (_, node) in document.places(of: pattern) {
            guard let filter else {
                nodes.append(node)
                continue
            }
            guard let fits = filter.fits(node, of: document) else { return nil }
            if fits { nodes.append(node) }
        }
        if function == .count { return WrittenDecimal(nodes.count) }
        var sum = WrittenDecimal.zero
        for node in nodes where document.kind(node) != .null {
            guard let value = WrittenDecimal(document, node), let next = sum.plus(value) else { return nil }
            sum = next
        }
        return sum
    }
}

extension Draft {
    /// Replaces a value beneath an opened container, and opens the containers on the path.
    fileprivate mutating func replace(
        at pointer: JSONPointer,
        in container: Value,
        with new: Value
    ) throws(DocumentError) {
        var above = container
        for (depth, token) in pointer.tokens.enumerated() {
            guard let index = index(of: token, in: above),
                let child = self.container(above)?.items[index].value
            else { return }
            let isLast = depth == pointer.tokens.count - 1
            let value = isLast ? new : try open(child)
            _ = change(above) { $0.items[index].value = value }
            above = value
        }
    }
}
