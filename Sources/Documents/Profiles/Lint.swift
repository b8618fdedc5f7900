extension Profile {
    /// What would break an older reader, what exceeds a limit of the system, and stores that cannot be right.
    package func lint() -> [LintFinding] {
        documents.flatMap { $0.lint() } + kindFindings() + zoneFindings() + StoreLint(documents).findings()
    }

    private func zoneFindings() -> [LintFinding] {
        if timeZone != nil || followsMachineZone { return [] }
        return documents.flatMap { rule in
            rule.kinds.filter { $0.refresh?.daily.isEmpty == false }.map {
                LintFinding(document: rule.path, place: $0.name, reason: .noTimeZone)
            }
        }
    }

    /// Reloads are counted by kind, so a kind of several documents has the rules of the first one.
    private func kindFindings() -> [LintFinding] {
        var firsts: [String: (document: String, kind: WidgetKind)] = [:]
        return documents.flatMap { rule in
            rule.kinds.compactMap { kind in
                guard let (document, first) = firsts[kind.name] else {
                    firsts[kind.name] = (rule.path, kind)
                    return nil
                }
                guard kind.differs(from: first) else { return nil }
                return LintFinding(document: rule.path, place: kind.name, reason: .otherRules(than: document))
            }
        }
    }
}

extension WidgetKind {
    /// Whether it says of its reloads something else than another one.
    fileprivate func differs(from other: WidgetKind) -> Bool {
        func differs(_ rule: KeyPath<WidgetKind, (some Equatable)?>) -> Bool {
            self[keyPath: rule] != nil && self[keyPath: rule] != other[keyPath: rule]
        }
        return differs(\.budget) || differs(\.coalesce) || differs(\.refresh) || differs(\.retry)
    }
}

extension DocumentRule {
    /// The most reloads per day that a system grants a kind, if the profile does not say.
    private static let mostGranted = ReloadBudget.limited(72)

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
            guard let old = older.shape(without: versionMark) else { continue }
            for (place, hurt) in hurts(of: older, in: newer) {
                add(place.description, .hurt(hurt, from: older.number, to: newer.number))
            }
            for place in old.unrestored(by: newer.lenses) {
                add(place.description, .unrestored(from: newer.number, to: older.number))
            }
        }
        findings += viewFindings() + VersionLint(rule: self).findings()
        for kind in kinds where !kind.content.dependsOnWidget {
            guard let family = kind.families.first(where: { $0.most != nil }) else { continue }
            add(kind.name, .unusedNumber(family: family.name))
        }
        for kind in kinds {
            guard let refresh = kind.refresh, let most = (kind.budget ?? Self.mostGranted).limit,
                refresh.perDay > most
            else { continue }
            add(kind.name, .reloads(refresh.perDay, granted: most))
        }
        return findings
    }

    /// Why a document is unlikely to have this name; `nil` if it is not.
    private func nameFault(_ path: String) -> LintFinding.NameFault? {
        if path.utf8.contains(where: "?[".utf8.contains) {
            return .pattern
        }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
        {
            return .notRelative
        }
        return isTemporaryName(path) ? .temporary : nil
    }

    /// Versions that should also be published, and published versions that no reader needs.
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

    /// Whether a reader of this version cannot read the newest one.
    private func isHurt(_ version: VersionRule) -> Bool {
        versions.last.map { !hurts(of: version, in: $0).isEmpty } ?? false
    }

    /// What breaks a reader of one version in documents of a newer one, without the required fields that the
    /// lenses between them provide.
    private func hurts(of older: VersionRule, in newer: VersionRule) -> [Shape.Hurt] {
        guard let old = older.shape(without: versionMark), let new = newer.shape(without: versionMark) else {
            return []
        }
        let made = old.translated(
            by: versions.filter { older.number < $0.number && $0.number <= newer.number }
        )
        return old.hurts(in: new).filter { $0.hurt != .required || !made.requires($0.place.tokens[...]) }
    }
}

extension VersionRule {
    /// The shape without the version field, which the bridge sets and removes without a lens.
    fileprivate func shape(without mark: VersionMark?) -> Shape? {
        guard var shape = schema.map({ Shape($0) }) else { return nil }
        shape.takeOff(mark)
        return shape
    }
}

extension Shape {
    typealias Hurt = (place: JSONPointer, hurt: LintFinding.Hurt)

    /// What the lenses of these versions make of it.
    fileprivate func translated(by versions: [VersionRule]) -> Shape {
        var made = self
        for lens in versions.flatMap(\.lenses) {
            do throws(ShapeFault) { try lens.shape(&made) } catch { made = .any }
        }
        return made
    }

    /// Whether each document has a value at a pointer, with `*` for each element or row.
    fileprivate func requires(_ pointer: ArraySlice<[UInt8]>) -> Bool {
        guard let token = pointer.first else { return true }
        let rest = pointer.dropFirst()
        switch self {
        case .any, .types: return false
        case .array(_, let items): return items.requires(rest)
        case .object(let fields):
            guard let index = fields.index(of: token) else {
                return token == JSONPointer.anyToken && fields.others?.requires(rest) == true
            }
            // Where an object may be missing, so may what it requires.
            let field = fields.list[index]
            return (field.isRequired || !rest.isEmpty) && field.shape.requires(rest)
        }
    }

    /// What breaks a reader of documents of this shape in documents of a newer one.
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
                if field.isRequired, !its.list[index].isRequired { hurts.append((inner, .optional)) }
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

// MARK: The way back

extension Shape {
    /// Required fields that lenses remove without a default: migrating a newer document back by itself
    /// fails. In sync the base restores them.
    fileprivate func unrestored(by lenses: [any Lens], at place: JSONPointer = .root) -> [JSONPointer] {
        var shape = self
        var found: [JSONPointer] = []
        for lens in lenses {
            if let remove = lens as? RemoveLens, remove.defaultValue == nil,
                case .object(let fields) = shape, let index = fields.index(of: remove.key),
                fields.list[index].isRequired
            {
                found.append(place.appending(remove.key))
            } else if let scope = lens as? ScopeLens {
                found += shape.unrestored(by: scope, at: place)
            }
            do throws(ShapeFault) { try lens.shape(&shape) } catch { return found }
        }
        return found
    }

    private func unrestored(by scope: ScopeLens, at place: JSONPointer) -> [JSONPointer] {
        var inner = Shape.any
        var shape = self
        do throws(ShapeFault) {
            try shape.change(at: scope.field.tokens[...]) { inner = $0 }
        } catch {
            return []
        }
        let way = place.appending(scope.field)
        switch (scope.scope, inner) {
        case (.value, _): return inner.unrestored(by: scope.lenses, at: way)
        case (.elements, .array(_, let items)):
            return items.unrestored(by: scope.lenses, at: way.appending(JSONPointer.anyToken))
        case (.rows, .object(let table)):
            return (table.others ?? .any).unrestored(
                by: scope.lenses,
                at: way.appending(JSONPointer.anyToken)
            )
        default: return []
        }
    }

    /// Removes the field that holds the version.
    mutating func takeOff(_ mark: VersionMark?) {
        guard case .field(let key, _) = mark, case .object(var fields) = self else { return }
        fields.list.removeAll { $0.key == key }
        self = .object(fields)
    }
}
