extension JSON {
    /// The merge patch (RFC 7386) that turns `old` into `new`; `nil` if there is none, since `null` in a
    /// merge patch means that a member is removed.
    package static func mergePatch(from old: JSON, to new: JSON) -> JSON? {
        guard old.kind(root) == .object, new.kind(root) == .object else {
            return hasNullMembers(new, root) ? nil : parsedPatch(new.slice(root))
        }
        var patch = MergePatch(old: DigestedJSON(old), new: DigestedJSON(new))
        return patch.text().flatMap(parsedPatch)
    }

    private static func parsedPatch(_ text: [UInt8]) -> JSON? {
        try? JSON(parsing: text, limits: .unbounded)
    }

    /// Whether an object in this value has a member that is `null`; inside arrays, `null` is allowed.
    fileprivate static func hasNullMembers(_ json: JSON, _ node: Int) -> Bool {
        var pending = [node]
        while let next = pending.popLast() {
            guard json.kind(next) == .object else { continue }
            for (_, value) in json.members(of: next) {
                if json.kind(value) == .null { return true }
                pending.append(value)
            }
        }
        return false
    }
}

/// Writes a merge patch, without recursion.
private struct MergePatch {
    let old: DigestedJSON
    let new: DigestedJSON
    private var output: [UInt8] = []
    private var frames: [Frame] = []

    /// An object that is being compared with the other document's object at the same path.
    private struct Frame {
        var parts: [Part]
        var next = 0
        var isEmpty = true
    }

    /// A member of the patch: removed, added, or compared by its own members.
    private enum Part {
        case gone(Int)
        case come(key: Int, Int)
        case both(key: Int, Int, Int)
    }

    init(old: DigestedJSON, new: DigestedJSON) {
        self.old = old
        self.new = new
    }

    mutating func text() -> [UInt8]? {
        guard begin(JSON.root, JSON.root) else { return nil }
        while var frame = frames.popLast() {
            guard frame.next < frame.parts.count else {
                output.append(UInt8(ascii: "}"))
                continue
            }
            let part = frame.parts[frame.next]
            frame.next += 1
            if !frame.isEmpty { output.append(UInt8(ascii: ",")) }
            frame.isEmpty = false
            frames.append(frame)
            switch part {
            case .gone(let key): output += old.json.slice(key) + Array(":null".utf8)
            case .come(let key, let value):
                guard new.json.kind(value) != .null, !JSON.hasNullMembers(new.json, value) else { return nil }
                output += new.json.slice(key) + [UInt8(ascii: ":")] + new.json.slice(value)
            case .both(let key, let mine, let its):
                output += new.json.slice(key) + [UInt8(ascii: ":")]
                guard begin(mine, its) else { return nil }
            }
        }
        return output
    }

    /// `false` if parsers may read one of the objects differently.
    private mutating func begin(_ node: Int, _ other: Int) -> Bool {
        guard old.json.refusal(toEdit: node) == nil, new.json.refusal(toEdit: other) == nil else {
            return false
        }
        let mine = MergeTable(membersOf: node, in: old)
        let its = MergeTable(membersOf: other, in: new)
        let matches = MergeMatches(base: nil, app: mine, group: its)
        var parts: [Part] = []
        for (index, entry) in mine.entries.enumerated() where matches.groupOfApp[index] == nil {
            parts.append(.gone(entry.label))
        }
        for (index, entry) in its.entries.enumerated() {
            guard let match = matches.appOfGroup[index] else {
                parts.append(.come(key: entry.label, entry.value))
                continue
            }
            let value = mine.entries[match].value
            if old.isSame(value, new, entry.value) { continue }
            let areObjects = old.json.kind(value) == .object && new.json.kind(entry.value) == .object
            parts.append(
                areObjects
                    ? .both(key: entry.label, value, entry.value) : .come(key: entry.label, entry.value)
            )
        }
        output.append(UInt8(ascii: "{"))
        frames.append(Frame(parts: parts))
        return true
    }
}
