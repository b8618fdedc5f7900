/// Derives the lenses that turn the older objects of sample pairs into the newer ones.
struct DraftComparison {
    struct Pair {
        var old: SampleObject
        var new: SampleObject
    }

    var pairs: [Pair]
    var lenses: [DraftLens] = []

    /// - Parameter isWhole: Whether the objects are whole documents, so that values may move between
    ///   objects.
    static func lenses(_ pairs: [Pair], isWhole: Bool) -> [DraftLens] {
        var comparison = DraftComparison(pairs: pairs)
        if isWhole { comparison.findMoves() }
        comparison.findRenames()
        comparison.compareMembers()
        comparison.compareKeys()
        return comparison.lenses
    }

    // MARK: Moves

    /// Finds values that moved: equal in all pairs, at exactly one other path, and either of the same name
    /// or too specific to be equal by chance.
    private mutating func findMoves() {
        let (olds, news) = (pairs.map(\.old), pairs.map(\.new))
        let (gone, come) = (ways(olds, missingIn: news), ways(news, missingIn: olds))
        let found = matches(gone, come, value: { $0[$1] }) { $0.last == $1.last }
        for (from, to) in found where from.dropLast() != to.dropLast() {
            lenses.append(.lens("move", [("from", pointer(from)), ("to", pointer(to))]))
            for index in pairs.indices {
                pairs[index].old[from] = nil
                pairs[index].removeNew(to)
            }
        }
    }

    private func ways(_ objects: [SampleObject], missingIn others: [SampleObject]) -> [[String]] {
        var seen: Set<[String]> = []
        return objects.flatMap(\.leaves).filter { way in
            seen.insert(way).inserted && others.allSatisfy { $0[way] == nil }
        }
    }

    private func pointer(_ way: [String]) -> String {
        JSONText(JSONPointer(tokens: way.map { Array($0.utf8) }).description).description
    }

    /// The pairs of an old and a new name with equal values, where neither name matches any other. Values
    /// that may be equal by chance count only for names that are `alike`.
    private func matches<Name: Hashable>(
        _ gone: [Name],
        _ come: [Name],
        value: (SampleObject, Name) -> Sample?,
        alike: (Name, Name) -> Bool = { _, _ in false }
    ) -> [(from: Name, to: Name)] {
        var all: [(from: Name, to: Name)] = []
        for from in gone {
            for to in come {
                let values = pairs.map { (old: value($0.old, from), new: value($0.new, to)) }
                guard values.allSatisfy({ $0.old == $0.new }),
                    alike(from, to) || values.contains(where: { $0.old.map { !$0.isTrivial } ?? false })
                else { continue }
                all.append((from, to))
            }
        }
        return all.filter { match in
            all.count(where: { $0.from == match.from }) == 1 && all.count(where: { $0.to == match.to }) == 1
        }
    }

    // MARK: Names

    private var oldKeys: [String] { allKeys(of: pairs.map(\.old)) }
    private var newKeys: [String] { allKeys(of: pairs.map(\.new)) }
    /// The keys that no newer object has.
    private var gone: [String] { oldKeys.filter { key in pairs.allSatisfy { $0.new[key] == nil } } }
    private var come: [String] { newKeys.filter { key in pairs.allSatisfy { $0.old[key] == nil } } }

    private mutating func findRenames() {
        for (from, to) in matches(gone, come, value: { $0[$1] }) { rename(from, to) }
        // A renamed field may also have been converted.
        for from in gone {
            let others = come.filter { to in
                DraftConversion.all.contains { $0.leads(pairs.map { ($0.old[from], $0.new[to]) }) }
            }
            if others.count == 1, let to = others.first {
                let rivals = gone.filter { other in
                    DraftConversion.all.contains { $0.leads(pairs.map { ($0.old[other], $0.new[to]) }) }
                }
                if rivals.count == 1 { rename(from, to) }
            }
        }
    }

    private mutating func rename(_ from: String, _ to: String) {
        lenses.append(.lens("rename", [("from", yamlScalar(from)), ("to", yamlScalar(to))]))
        for index in pairs.indices {
            pairs[index].old[to] = pairs[index].old[from]
            pairs[index].old[from] = nil
        }
    }

    // MARK: Values

    private mutating func compareMembers() {
        for key in newKeys {
            let values = pairs.compactMap { pair in
                pair.old[key].flatMap { old in pair.new[key].map { (old: old, new: $0) } }
            }
            guard values.contains(where: { $0.old != $0.new }) else { continue }
            if let lens = inside(key, values) {
                lenses.append(lens)
            } else {
                let found = DraftConversion.all.filter { $0.leads(values.map { ($0.old, $0.new) }) }
                if found.count == 1, let conversion = found.first {
                    let fields = [
                        ("field", yamlScalar(key)), ("from", conversion.from), ("to", conversion.to),
                    ]
                    lenses.append(.lens("convert", fields))
                } else {
                    let (old, new) = values.first { $0.old != $0.new } ?? values[0]
                    let change = "\(short(old)) becomes \(short(new))"
                    lenses.append(.note("`\(key)` changes, \(change): which lens does that?"))
                }
            }
        }
    }

    /// The lenses for changes within objects, or within the elements of arrays of equal length.
    private func inside(_ key: String, _ values: [(old: Sample, new: Sample)]) -> DraftLens? {
        let objects = values.compactMap { old, new in
            old.object.flatMap { old in new.object.map { Pair(old: old, new: $0) } }
        }
        if objects.count == values.count {
            return .scope("in", at: key, Self.lenses(objects, isWhole: false))
        }
        var elements: [Pair] = []
        for (old, new) in values {
            guard let olds = old.elements, let news = new.elements, olds.count == news.count else {
                return nil
            }
            for (old, new) in zip(olds, news) {
                guard let old = old.object, let new = new.object else { return nil }
                elements.append(Pair(old: old, new: new))
            }
        }
        return .scope("each", at: key, Self.lenses(elements, isWhole: false))
    }

    // MARK: Added and removed keys

    private mutating func compareKeys() {
        for key in gone { lenses.append(removal(of: key)) }
        let gone = gone
        for key in newKeys {
            let made = pairs.filter { $0.old[key] == nil }.compactMap { $0.new[key] }
            guard let first = made.first else { continue }
            let isAlways = pairs.allSatisfy { $0.new[key] != nil }
            let isNew = come.contains(key)
            let fields = [("field", yamlScalar(key)), ("value", first.text.description)]
            var lens = DraftLens.lens(isNew ? "add" : "default", fields)
            if !isAlways {
                lens = .note("only some newer samples have `\(key)`: what should older documents get?")
            } else if Set(made).count > 1 {
                let found = made.prefix(3).map(short).joined(separator: ", ")
                lens.note = "`\(key)` is new, and the samples have \(found): what should older documents get?"
            } else if isNew, let other = gone.first(where: { mayBecome($0, key) }) {
                lens.note = "`\(key)` may be `\(other)` renamed: the samples do not differ enough to tell"
            } else if made.count == 1, !first.isEmpty {
                lens.note =
                    "`\(key)` is new, and one sample has \(short(first)): should all older documents get that?"
            }
            lenses.append(lens)
        }
    }

    private func removal(of key: String) -> DraftLens {
        let values = pairs.compactMap { $0.old[key] }
        let name = yamlScalar(key)
        if values.count == pairs.count, Set(values).count == 1, let value = values.first,
            values.count > 1 || value.isTrivial
        {
            let fields = [("field", name), ("default", value.text.description)]
            // With a value that is so common, other documents may have had another one.
            let note = "`\(key)` is removed, and the samples have \(short(value)): do all older documents?"
            return .lens("remove", fields, note: value.isTrivial ? note : nil)
        }
        return DraftLens(
            text: "remove: \(name)",
            note: "`\(key)` is removed, and its value is lost: is that intended?"
        )
    }

    /// Whether the samples have the same value under both names, or one that a conversion yields.
    private func mayBecome(_ old: String, _ new: String) -> Bool {
        let values = pairs.map { (old: $0.old[old], new: $0.new[new]) }
        return values.allSatisfy { $0.old == $0.new } || DraftConversion.all.contains { $0.leads(values) }
    }

    private func short(_ value: Sample) -> String {
        let text = value.text.description
        return text.count > 40 ? "\(text.prefix(40))…" : text
    }
}

extension DraftComparison.Pair {
    /// Removes the value, and each enclosing object that held nothing else.
    fileprivate mutating func removeNew(_ way: [String]) {
        var way = way
        repeat {
            new[way] = nil
            way.removeLast()
        } while !way.isEmpty && new[way]?.object?.keys.isEmpty == true && old[way] == nil
    }
}
