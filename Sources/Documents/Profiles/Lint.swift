extension Profile {
    /// What would hurt an older reader, or ask for too much.
    package func lint() -> [LintFinding] { documents.flatMap { $0.lint() } }
}

extension DocumentRule {
    /// The reloads that a system grants a kind in a day, at most.
    private static let reloadsPerDay = 72

    func lint() -> [LintFinding] {
        var findings: [LintFinding] = []
        func add(_ place: String, _ reason: LintFinding.Reason) {
            findings.append(LintFinding(document: path, place: place, reason: reason))
        }
        if let fault = nameFault(path) { add(path, .name(fault)) }
        for version in versions where version.schema == nil {
            add("\(version.number)", .noSchema(version: version.number))
        }
        for (older, newer) in zip(versions, versions.dropFirst()) {
            guard let old = older.schema, let new = newer.schema else { continue }
            for (place, hurt) in Shape(old).hurts(in: Shape(new)) {
                add(place.description, .hurt(hurt, from: older.number, to: newer.number))
            }
        }
        findings += viewFindings()
        for kind in kinds {
            guard let refresh = kind.refresh, refresh.every > 0 else { continue }
            let perDay = 1440 / refresh.every
            if perDay > Self.reloadsPerDay {
                add(kind.name, .reloads(perDay, granted: Self.reloadsPerDay))
            }
        }
        return findings
    }

    /// Why no document is likely to have this name, if so.
    private func nameFault(_ path: String) -> LintFinding.NameFault? {
        if path.utf8.contains(where: "*?[".utf8.contains) {
            return .pattern
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
        {
            return .notRelative
        }
        return isTemporaryName(path) ? .temporary : nil
    }

    /// The versions that are still to be published beside the newest, and those that need not be.
    private func viewFindings() -> [LintFinding] {
        versions.dropLast().compactMap { version in
            let number = version.number
            let hasView = views.contains { $0.version == number }
            let isHurt = isHurt(version)
            guard isHurt != hasView else { return nil }
            return LintFinding(
                document: path,
                place: "\(number)",
                reason: isHurt ? .viewNeeded(version: number) : .viewUnneeded(version: number)
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
    typealias Hurt = (place: JSONPointer, hurt: LintFinding.Hurt)

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
            return [(place, .type(kind, now: newer.kind))]
        }
    }

    private static func hurts(_ mine: Fields, _ its: Fields, _ place: JSONPointer) -> [Hurt] {
        var hurts: [Hurt] = []
        for field in mine.list {
            let inner = place.appending(field.key)
            if let index = its.index(of: field.key) {
                hurts += field.shape.hurts(in: its.list[index].shape, at: inner)
            } else if its.others == nil {
                hurts.append((inner, .removed))
            }
        }
        for field in its.list where field.isRequired && !field.hasDefault {
            let index = mine.index(of: field.key)
            if index == nil || index.map({ !mine.list[$0].isRequired }) == true {
                hurts.append((place.appending(field.key), .required))
            }
        }
        if let others = mine.others, let itsOthers = its.others {
            hurts += others.hurts(in: itsOthers, at: place.appending([UInt8(ascii: "*")]))
        }
        return hurts
    }
}
