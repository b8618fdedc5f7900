extension JSONPatch {
    /// A small patch that turns `old` into `new`, compared by value.
    ///
    /// With `isTested`, each value that is removed or replaced is tested first, so that the patch does not
    /// apply to any other document.
    package static func diff(from old: JSON, to new: JSON, isTested: Bool = false) -> JSONPatch {
        var diff = Diff(old: old, new: new, isTested: isTested)
        diff.run()
        return JSONPatch(unchecked: diff.text.finished())
    }

    /// A patch that was generated here, and is therefore valid.
    private init(unchecked text: [UInt8]) {
        guard let json = try? JSON(parsing: text, limits: .unbounded), let patch = try? JSONPatch(json) else {
            preconditionFailure("a diff is a patch")
        }
        self = patch
    }
}

/// Compares two documents from the root down, without recursion.
private struct Diff {
    private let old: DigestedJSON
    private let new: DigestedJSON
    private let isTested: Bool
    var text = PatchText()
    private var pending: [Pair] = []
    private var steps = PathSteps()

    /// Two values that differ, and their path.
    private struct Pair {
        var old: Int
        var new: Int
        var step: Int?
    }

    init(old: JSON, new: JSON, isTested: Bool) {
        self.old = DigestedJSON(old)
        self.new = DigestedJSON(new)
        self.isTested = isTested
    }

    mutating func run() {
        compare(JSON.root, JSON.root, step: nil)
        while let pair = pending.popLast() {
            if old.json.kind(pair.old) == .object {
                compareMembers(pair)
            } else {
                compareElements(pair)
            }
        }
    }

    /// Schedules two containers for comparison by their items; replaces values that have nothing in common.
    private mutating func compare(_ node: Int, _ other: Int, step: Int?) {
        if old.isSame(node, new, other) { return }
        let pair = Pair(old: node, new: other, step: step)
        if isEditable(pair) { pending.append(pair) } else { replace(pair) }
    }

    private mutating func replace(_ pair: Pair) {
        let path = steps.pointer(pair.step)
        if isTested { text.add("test", path, value: old.json.slice(pair.old)) }
        text.add("replace", path, value: new.json.slice(pair.new))
    }

    private mutating func remove(_ node: Int, _ token: [UInt8], in step: Int?) {
        let path = steps.pointer(step, token)
        if isTested { text.add("test", path, value: old.json.slice(node)) }
        text.add("remove", path)
    }

    /// Whether the value can be edited by parts. An object that parsers may read differently is one value.
    private func isEditable(_ pair: Pair) -> Bool {
        guard old.json.kind(pair.old) == new.json.kind(pair.new) else { return false }
        let odd: JSONNode.Traits = [.duplicateKeys, .loneKeys]
        guard old.json.nodes[pair.old].traits.isDisjoint(with: odd),
            new.json.nodes[pair.new].traits.isDisjoint(with: odd),
            old.json.firstItem(of: pair.old) != nil, new.json.firstItem(of: pair.new) != nil
        else { return false }
        return old.json.kind(pair.old) == .object || old.json.kind(pair.old) == .array
    }

    // MARK: Objects

    private mutating func compareMembers(_ pair: Pair) {
        let mine = MergeTable(membersOf: pair.old, in: old)
        let its = MergeTable(membersOf: pair.new, in: new)
        let matches = MergeMatches(base: nil, app: mine, group: its)
        let gone = mine.entries.indices.filter { matches.groupOfApp[$0] == nil }
        let come = its.entries.indices.filter { matches.appOfGroup[$0] == nil }
        if gone.count == mine.entries.count { return replace(pair) }
        for index in gone {
            remove(mine.entries[index].value, old.json.string(mine.entries[index].label), in: pair.step)
        }
        for (index, match) in matches.groupOfApp.enumerated() {
            guard let match else { continue }
            let key = old.json.string(mine.entries[index].label)
            compare(
                mine.entries[index].value,
                its.entries[match].value,
                step: steps.add(key, to: pair.step)
            )
        }
        for index in come {
            let key = new.json.string(its.entries[index].label)
            text.add("add", steps.pointer(pair.step, key), value: new.json.slice(its.entries[index].value))
        }
    }

    // MARK: Arrays

    private mutating func compareElements(_ pair: Pair) {
        let mine = Array(old.json.elements(of: pair.old))
        let its = Array(new.json.elements(of: pair.new))
        let edits = ElementEdits(old: old, new: new, mine: mine, its: its)
        if edits.isNothingCommon { return replace(pair) }
        var index = 0
        for edit in edits.edits {
            let token = Array(String(index).utf8)
            switch edit {
            case .both(let node, let other): compare(node, other, step: steps.add(token, to: pair.step))
            case .replaced(let node, let other):
                replace(Pair(old: node, new: other, step: steps.add(token, to: pair.step)))
            case .gone(let node): remove(node, token, in: pair.step)
            case .come(let node):
                text.add("add", steps.pointer(pair.step, token), value: new.json.slice(node))
            }
            if case .gone = edit { continue }
            index += 1
        }
    }
}

/// Writes a patch, one operation per line.
private struct PatchText {
    private var text: [UInt8] = []

    mutating func add(_ name: String, _ path: JSONPointer, value: [UInt8]? = nil) {
        text += Array((text.isEmpty ? "[\n" : ",\n").utf8)
        text += Array("  {\"op\":\"\(name)\",\"path\":".utf8)
        text += escaped(path.bytes)
        if let value {
            text += Array(",\"value\":".utf8)
            text += value
        }
        text.append(UInt8(ascii: "}"))
    }

    func finished() -> [UInt8] { text.isEmpty ? Array("[]\n".utf8) : text + Array("\n]\n".utf8) }
}
