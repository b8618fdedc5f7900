/// Merges three documents: the base, and what each side made of it.
///
/// The result is a draft of the app's document, so that its formatting stays. Differing values are found by
/// their digests, and each container is examined at most once.
struct Merger {
    let base: DigestedJSON?
    let app: DigestedJSON
    let group: DigestedJSON
    let rules: MergeRules
    var conflicts: [MergeConflict] = []
    /// Values that a rule produced and that neither side has.
    var made: [Made] = []
    /// The paths of derived fields that cannot be computed and are not in a conflict.
    var uncomputed: [String] = []
    var draft: Draft
    /// The index of the group's document in the draft.
    let groupNumber: Int
    /// Conflicts that are resolved once the field is computed, with the index of the rule.
    var openConflicts: [(rule: Int, conflict: MergeConflict)] = []
    private var tasks: [Task] = []
    /// The path to each container that is merged, as a tree.
    private var steps = PathSteps()

    /// One value in the three documents.
    struct Triple {
        var base: Int?
        var app: Int
        var group: Int
    }

    struct Made {
        /// In the app's document; for a computed field, in the merged one.
        var pointer: JSONPointer
        /// The index in the rules' `fields`.
        var rule: Int
    }

    /// A container that both sides changed.
    struct Task {
        var nodes: Triple
        var opened: Draft.Value
        var step: Int?
        /// Whether it is inside a value that a lens made up.
        var isDerived: Bool
    }

    init(base: JSON?, app: JSON, group: JSON, rules: MergeRules) {
        self.base = base.map { DigestedJSON($0) }
        self.app = DigestedJSON(app)
        self.group = DigestedJSON(group)
        self.rules = rules
        draft = Draft(app)
        groupNumber = draft.add(group)
    }

    mutating func merge() throws(DocumentError) -> JSON {
        let root = Triple(base: base.map { _ in JSON.root }, app: JSON.root, group: JSON.root)
        if let value = try settle(root, token: nil, in: nil) { draft.root = value }
        while let task = tasks.popLast() { try merge(task) }
        return try derive(try draft.finished())
    }

    // MARK: One value

    /// The result for a value that both sides have; `nil` if the app's stays.
    private mutating func settle(
        _ nodes: Triple,
        token: [UInt8]?,
        in task: Task?
    ) throws(DocumentError) -> Draft.Value? {
        let isSame = app.isSame(nodes.app, group, nodes.group)
        // Both sides may have added the same amount to a sum.
        if isSame, token == nil || base == nil || !rules.hasSums { return nil }
        if let base, let node = nodes.base, base.isSame(node, group, nodes.group) { return nil }
        if let opened = try descend(nodes, token: token, in: task) { return opened }
        if isSame { return bothAdded(nodes, pointer(token, in: task)) }
        // The value is replaced as a whole. At the root, this would affect the byte order mark before it.
        if token == nil && app.json.hasByteOrderMark { throw .json(.byteOrderMark) }
        let theirs = Draft.Value(document: groupNumber, index: nodes.group)
        if let base, let node = nodes.base, base.isSame(node, app, nodes.app) { return theirs }
        let pointer = pointer(token, in: task)
        if case .carry(let derived, _) = rules.mode {
            if isDerived(nodes, in: task) { return nil }
            let isKnown = nodes.base.map { base in
                !derived.hasSorted(self.base?.json.start(of: base) ?? -1)
            }
            if isKnown == true { return theirs }
            switch decideUpgrade(nodes, pointer) {
            case .app: return nil
            case .group: return theirs
            case .value(let value): return value
            case .conflict: break
            }
            conflicts.append(conflict(nodes, pointer))
            return theirs
        }
        switch decide(nodes, pointer) {
        case .app: return nil
        case .group: return theirs
        case .value(let value): return value
        case .conflict: break
        }
        conflicts.append(conflict(nodes, pointer))
        return rules.isOwnedByGroup(pointer) ? theirs : nil
    }

    func conflict(_ nodes: Triple, _ pointer: JSONPointer) -> MergeConflict {
        MergeConflict(
            pointer: pointer.description,
            base: nodes.base.flatMap { base?.json.slice($0) },
            app: app.json.slice(nodes.app),
            group: group.json.slice(nodes.group)
        )
    }

    /// Schedules a container for merging by its parts; `nil` if it must be merged as one value.
    private mutating func descend(
        _ nodes: Triple,
        token: [UInt8]?,
        in task: Task?
    ) throws(DocumentError) -> Draft.Value? {
        guard app.json.kind(nodes.app) == group.json.kind(nodes.group) else { return nil }
        switch app.json.kind(nodes.app) {
        case .object:
            if let refusal = app.json.refusal(toEdit: nodes.app) ?? group.json.refusal(toEdit: nodes.group) {
                // The app did not change it, so it can be copied as a whole.
                if let base, let node = nodes.base, base.isSame(node, app, nodes.app) { return nil }
                throw .json(refusal)
            }
        case .array:
            let place = pointer(token, in: task)
            guard tables(ofArrays: nodes, at: place) != nil else { return nil }
        default: return nil
        }
        let value = try draft.open(Draft.Value(document: 0, index: nodes.app))
        let step = token.map { steps.add($0, to: task?.step) } ?? task?.step
        tasks.append(Task(nodes: nodes, opened: value, step: step, isDerived: isDerived(nodes, in: task)))
        return value
    }

    func pointer(_ token: [UInt8]?, in task: Task?) -> JSONPointer { steps.pointer(task?.step, token) }

    private func isDerived(_ nodes: Triple, in task: Task?) -> Bool {
        if task?.isDerived == true { return true }
        guard case .carry(_, let derived) = rules.mode else { return false }
        return derived.hasSorted(group.json.start(of: nodes.group))
    }

    // MARK: One container

    struct Tables {
        var base: MergeTable?
        var app: MergeTable
        var group: MergeTable
    }

    private func tables(ofArrays nodes: Triple, at place: JSONPointer) -> Tables? {
        if rules.tuples.contains(place) { return tables(ofTuples: nodes) }
        let key = rules.identity(of: place).key
        guard let app = MergeTable(elementsOf: nodes.app, in: app, by: key),
            let group = MergeTable(elementsOf: nodes.group, in: group, by: key)
        else { return nil }
        guard let base, let node = nodes.base, base.json.kind(node) == .array else {
            return Tables(base: nil, app: app, group: group)
        }
        guard let table = MergeTable(elementsOf: node, in: base, by: key) else { return nil }
        return Tables(base: table, app: app, group: group)
    }

    /// The tables of arrays with equal length, whose elements are identified by index.
    private func tables(ofTuples nodes: Triple) -> Tables? {
        let count = app.json.elements(of: nodes.app).reduce(0) { sum, _ in sum + 1 }
        guard let mine = MergeTable(placesOf: nodes.app, in: app, count: count),
            let its = MergeTable(placesOf: nodes.group, in: group, count: count)
        else { return nil }
        var old: MergeTable?
        if let base, let node = nodes.base, base.json.kind(node) == .array {
            old = MergeTable(placesOf: node, in: base, count: count)
            if old == nil { return nil }
        }
        return Tables(base: old, app: mine, group: its)
    }

    private func tables(ofObjects nodes: Triple) -> Tables {
        var old: MergeTable?
        if let base, let node = nodes.base, base.json.kind(node) == .object,
            base.json.refusal(toEdit: node) == nil
        {
            old = MergeTable(membersOf: node, in: base)
        }
        return Tables(
            base: old,
            app: MergeTable(membersOf: nodes.app, in: app),
            group: MergeTable(membersOf: nodes.group, in: group)
        )
    }

    private mutating func merge(_ task: Task) throws(DocumentError) {
        let isObject = app.json.kind(task.nodes.app) == .object
        guard
            let tables = isObject
                ? tables(ofObjects: task.nodes) : tables(ofArrays: task.nodes, at: pointer(nil, in: task))
        else { return }
        var matches = MergeMatches(base: tables.base, app: tables.app, group: tables.group)
        let numbers = isObject ? [:] : renumber(tables, &matches, pointer(nil, in: task))
        var mine: [Draft.Item?] = draft.container(task.opened)?.items ?? []
        for index in mine.indices {
            try settle(index, isObject, tables, matches, task, &mine)
        }
        var theirs: [(index: Int, item: Draft.Item)] = []
        for (index, entry) in tables.group.entries.enumerated() where matches.appOfGroup[index] == nil {
            if isAdded(entry, matches.baseOfGroup[index].flatMap { tables.base?.entries[$0] }, task) {
                var item = item(entry, isObject)
                if let number = numbers[index] { item.value = try renumbered(item.value, number) }
                theirs.append((index, item))
            }
        }
        let items = matches.arrange(mine, theirs, followingGroup: !isObject && matches.isReorderedByGroup)
        _ = draft.change(task.opened) { $0.items = items }
    }

    /// Merges the app's item at `index`: it stays, is replaced, or is removed.
    private mutating func settle(
        _ index: Int,
        _ isObject: Bool,
        _ tables: Tables,
        _ matches: MergeMatches,
        _ task: Task,
        _ items: inout [Draft.Item?]
    ) throws(DocumentError) {
        let entry = tables.app.entries[index]
        let old = matches.baseOfApp[index].flatMap { tables.base?.entries[$0] }
        guard let their = matches.groupOfApp[index].map({ tables.group.entries[$0] }) else {
            if let old, isDeleted(old, entry, task) { items[index] = nil }
            return
        }
        let nodes = Triple(base: old?.value, app: entry.value, group: their.value)
        let token = isObject ? app.json.string(entry.label) : Array(String(index).utf8)
        if let value = try settle(nodes, token: token, in: task) { items[index]?.value = value }
    }

    /// Whether the group's deletion of a value applies.
    private func isDeleted(_ old: MergeTable.Entry, _ mine: MergeTable.Entry, _ task: Task) -> Bool {
        guard let base else { return false }
        if base.isSame(old.value, app, mine.value) { return true }
        // A difference that only comes from a migration is not an edit.
        guard case .carry(let derived, _) = rules.mode else { return false }
        return !task.isDerived && !derived.hasSorted(base.json.start(of: old.value))
    }

    /// Whether a value that only the group has is added.
    private func isAdded(_ their: MergeTable.Entry, _ old: MergeTable.Entry?, _ task: Task) -> Bool {
        guard let base, let old else { return true }
        if base.isSame(old.value, group, their.value) { return false }
        guard case .carry(_, let derived) = rules.mode else { return true }
        return !task.isDerived && !derived.hasSorted(group.json.start(of: their.value))
    }

    private func item(_ entry: MergeTable.Entry, _ isObject: Bool) -> Draft.Item {
        Draft.Item(
            key: isObject ? .node(document: groupNumber, entry.label) : nil,
            value: Draft.Value(document: groupNumber, index: entry.value),
            slot: nil
        )
    }
}

extension [Int] {
    /// Whether the array contains `value`; it must be in ascending order.
    func hasSorted(_ value: Int) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == value
    }
}
