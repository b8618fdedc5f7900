/// How a drafted profile tells the versions of its documents apart, and their numbers.
struct DraftMark {
    private(set) var old = 1
    private(set) var new = 2
    /// The field that holds the version; `nil` if the shape tells it.
    private(set) var field: String?
    /// The schema, in YAML, that only newer documents match; `nil` if a field tells the version.
    private(set) var when: String?
    private var isMissingInOld = false

    init?(_ pairs: [DraftComparison.Pair]) {
        if readField(pairs) { return }
        guard let shape = Self.shape(pairs.map(\.old), pairs.map(\.new)) else { return nil }
        when = shape
    }

    /// The value of `version:` in the profile.
    var text: String {
        guard let field else { return "shapes" }
        return isMissingInOld
            ? "{field: \(yamlScalar(field)), missing: \(old)}" : "{field: \(yamlScalar(field))}"
    }

    // MARK: By a field

    private mutating func readField(_ pairs: [DraftComparison.Pair]) -> Bool {
        let keys = pairs.first?.new.keys ?? []
        // A number that every pair raises by one is a version, whatever its name. One pair may do so by
        // chance.
        return keys.contains { $0.isVersionName && readField($0, pairs) }
            || pairs.count > 1 && keys.contains { readField($0, pairs, isConsecutive: true) }
    }

    private mutating func readField(
        _ key: String,
        _ pairs: [DraftComparison.Pair],
        isConsecutive: Bool = false
    ) -> Bool {
        let news = Set(pairs.map { $0.new[key]?.integer })
        let olds = Set(pairs.map { $0.old[key]?.integer })
        guard news.count == 1, olds.count == 1, let newer = news.first.flatMap(\.self), newer > 1 else {
            return false
        }
        let isMissing = pairs.allSatisfy { $0.old[key] == nil }
        guard let older = isMissing ? 1 : olds.first.flatMap(\.self), older >= 1, older < newer,
            !isConsecutive || (!isMissing && older + 1 == newer)
        else { return false }
        (old, new, field, isMissingInOld) = (older, newer, key, isMissing)
        return true
    }

    // MARK: By shape

    private static func shape(_ olds: [SampleObject], _ news: [SampleObject]) -> String? {
        let always = allKeys(of: news).filter { key in news.allSatisfy { $0[key] != nil } }
        if let key = always.first(where: { key in olds.allSatisfy { $0[key] == nil } }) {
            return "{required: [\(JSONText(key).description)]}"
        }
        for key in always {
            let name = JSONText(key).description
            let (before, after) = (types(key, olds), types(key, news))
            if before.isDisjoint(with: after) {
                let list = after.sorted().joined(separator: ", ")
                return "{required: [\(name)], properties: {\(name): {type: [\(list)]}}}"
            }
            let inner = (olds.compactMap { $0[key]?.object }, news.compactMap { $0[key]?.object })
            if inner.1.count == news.count, let shape = shape(inner.0, inner.1) {
                return "{required: [\(name)], properties: {\(name): \(shape)}}"
            }
        }
        for key in allKeys(of: olds)
        where olds.allSatisfy({ $0[key] != nil }) && news.allSatisfy({ $0[key] == nil }) {
            return "{not: {required: [\(JSONText(key).description)]}}"
        }
        return nil
    }

    private static func types(_ key: String, _ objects: [SampleObject]) -> Set<String> {
        Set(objects.compactMap { $0[key]?.typeName })
    }

    // MARK: Lenses

    /// The lenses of the samples without the version field, which the bridge sets and removes without a
    /// lens.
    func lenses(_ pairs: [DraftComparison.Pair]) -> [DraftLens] {
        var pairs = pairs
        if let field {
            for index in pairs.indices { (pairs[index].old[field], pairs[index].new[field]) = (nil, nil) }
        }
        if let key = wrapper(of: pairs.map(\.new), around: pairs.map(\.old)) {
            for index in pairs.indices {
                if let inner = pairs[index].new[key]?.object { pairs[index].new = inner }
            }
            return DraftComparison.lenses(pairs, isWhole: true) + [
                DraftLens(text: "wrap: \(yamlScalar(key))")
            ]
        }
        if let key = wrapper(of: pairs.map(\.old), around: pairs.map(\.new)) {
            for index in pairs.indices {
                if let inner = pairs[index].old[key]?.object { pairs[index].old = inner }
            }
            return [DraftLens(text: "unwrap: \(yamlScalar(key))")]
                + DraftComparison.lenses(pairs, isWhole: true)
        }
        return DraftComparison.lenses(pairs, isWhole: true)
    }

    /// The key of the only member of all `outer` documents, if it holds what `inner` documents have at
    /// their root.
    private func wrapper(of outer: [SampleObject], around inner: [SampleObject]) -> String? {
        guard let key = outer.first?.keys.first, outer.allSatisfy({ $0.keys == [key] }),
            inner.allSatisfy({ $0[key] == nil })
        else { return nil }
        let isAround = zip(outer, inner).allSatisfy { outer, inner in
            guard let held = outer[key]?.object else { return false }
            let values = held.keys.compactMap { held[$0] }.filter { !$0.isTrivial }
            return held.keys.contains { inner[$0] != nil }
                || inner.keys.contains { inner[$0].map(values.contains) ?? false }
        }
        return isAround ? key : nil
    }
}

extension String {
    /// Whether a field of this name usually holds the version of its document.
    fileprivate var isVersionName: Bool {
        let name = lowercased()
        return name == "v" || ["version", "schema", "format", "revision"].contains(where: name.hasSuffix)
    }
}
