/// Something in a profile that would hurt somebody, though it can be used.
package struct LintFinding: Sendable, Hashable {
    package enum Rule: String, Sendable, CaseIterable {
        /// A field that an older reader reads is no more there.
        case fieldRemoved = "FIELD_REMOVED"
        /// A field is required that older documents have not, and nothing says what it is then.
        case requiredWithoutDefault = "REQUIRED_WITHOUT_DEFAULT"
        /// A field holds what an older reader does not expect in it.
        case typeChanged = "TYPE_CHANGED"
        /// Older readers cannot read the newest version, which is not published in theirs.
        case viewNeeded = "VIEW_NEEDED"
        /// A version is published that no reader needs.
        case viewUnneeded = "VIEW_UNNEEDED"
        /// Nothing says what documents of a version look like.
        case schemaMissing = "SCHEMA_MISSING"
        /// A kind asks for more reloads than a system grants.
        case reloadBudget = "RELOAD_BUDGET"
        /// No document has the name under which rules stand, so that they are for none.
        case nameUnmatched = "NAME_UNMATCHED"
    }

    package var rule: Rule
    package var document: String
    /// In the document, or the name of a kind.
    package var place: String
    package var reason: String

    /// In one line.
    package var text: String { "\(document): \(rule.rawValue) `\(place)`: \(reason)" }
}

extension Profile {
    /// What would hurt an older reader, or ask for too much.
    package func lint() -> [LintFinding] { documents.flatMap { $0.lint() } }
}

extension DocumentRule {
    /// The reloads that a system grants a kind in a day, at most.
    private static let reloadsPerDay = 72

    func lint() -> [LintFinding] {
        var findings: [LintFinding] = []
        func add(_ rule: LintFinding.Rule, _ place: String, _ reason: String) {
            findings.append(LintFinding(rule: rule, document: path, place: place, reason: reason))
        }
        if let reason = namesNothing(path) { add(.nameUnmatched, path, reason) }
        for version in versions where version.schema == nil {
            add(.schemaMissing, "\(version.number)", "version \(version.number) has no schema")
        }
        for (older, newer) in zip(versions, versions.dropFirst()) {
            guard let old = older.schema, let new = newer.schema else { continue }
            let step = "from version \(older.number) to \(newer.number)"
            for (rule, place, reason) in Shape(old).hurts(in: Shape(new)) {
                add(rule, place, "\(reason) \(step)")
            }
        }
        findings += viewFindings()
        for kind in kinds {
            guard let refresh = kind.refresh, refresh.every > 0 else { continue }
            let perDay = 1440 / refresh.every
            if perDay > Self.reloadsPerDay {
                add(
                    .reloadBudget,
                    kind.name,
                    "asks for \(perDay) reloads a day; at most \(Self.reloadsPerDay) come"
                )
            }
        }
        return findings
    }

    /// Why no document is likely to have this name, if so.
    private func namesNothing(_ path: String) -> String? {
        if path.utf8.contains(where: "*?[".utf8.contains) {
            return "a name is no pattern: these rules are for a file that is called just so"
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
        {
            return "a name is the path from the container, as `notes/a.json`: no file is called so"
        }
        return isTemporaryName(path) ? "hidden and temporary files are no documents" : nil
    }

    /// The versions that are still to be published beside the newest, and those that need not be.
    private func viewFindings() -> [LintFinding] {
        versions.dropLast().compactMap { version in
            let number = version.number
            let hasView = views.contains { $0.version == number }
            let isHurt = isHurt(version)
            guard isHurt != hasView else { return nil }
            return LintFinding(
                rule: isHurt ? .viewNeeded : .viewUnneeded,
                document: path,
                place: "\(number)",
                reason: isHurt
                    ? "readers of version \(number) need `views`"
                    : "readers of version \(number) read the newest one"
            )
        }
    }

    /// Can a reader of this version not read the newest one?
    private func isHurt(_ version: VersionRule) -> Bool {
        guard let old = version.schema, let new = versions.last?.schema else { return false }
        return !Shape(old).hurts(in: Shape(new)).isEmpty
    }
}

extension Shape {
    typealias Hurt = (rule: LintFinding.Rule, place: String, reason: String)

    /// What a reader of documents of this shape would stumble over in those of a newer one.
    func hurts(in newer: Shape, at place: JSONPointer = .root) -> [Hurt] {
        switch (self, newer) {
        case (.object(let mine), .object(let its)): return Self.hurts(mine, its, place)
        case (.array(let prefix, let items), .array(let itsPrefix, let itsItems)):
            let inPrefix = zip(prefix, itsPrefix).enumerated().flatMap {
                $0.element.0.hurts(in: $0.element.1, at: place.appending($0.offset))
            }
            return inPrefix + items.hurts(in: itsItems, at: place.appending([UInt8(ascii: "*")]))
        default:
            guard let mine = types, let its = newer.types else { return [] }
            let wide = mine.contains(.number) ? mine.union(.integer) : mine
            if its.isSubset(of: wide) { return [] }
            return [(.typeChanged, place.description, "was \(kind.words) and is \(newer.kind.words)")]
        }
    }

    private static func hurts(_ mine: Fields, _ its: Fields, _ place: JSONPointer) -> [Hurt] {
        var hurts: [Hurt] = []
        for field in mine.list {
            let inner = place.appending(field.key)
            if let index = its.index(of: field.key) {
                hurts += field.shape.hurts(in: its.list[index].shape, at: inner)
            } else if its.others == nil {
                hurts.append((.fieldRemoved, inner.description, "is no more there"))
            }
        }
        for field in its.list where field.isRequired && !field.hasDefault {
            let index = mine.index(of: field.key)
            if index == nil || index.map({ !mine.list[$0].isRequired }) == true {
                let inner = place.appending(field.key).description
                hurts.append((.requiredWithoutDefault, inner, "is required, and has no default,"))
            }
        }
        if let others = mine.others, let itsOthers = its.others {
            hurts += others.hurts(in: itsOthers, at: place.appending([UInt8(ascii: "*")]))
        }
        return hurts
    }
}
