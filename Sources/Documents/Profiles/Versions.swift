/// What a document says of its version.
package enum VersionReading: Sendable, Hashable {
    /// Documents of this name have no versions.
    case unversioned
    case known(Int)
    /// Newer than the profile knows: to be held, and never rewritten.
    case newer(Int)
    /// Why it cannot be told.
    case unreadable(String)
}

extension DocumentRule {
    package func version(of document: JSON) -> VersionReading {
        guard let mark = versionMark, let newest else { return .unversioned }
        let name = String(decoding: mark.field, as: UTF8.self)
        guard let node = document.value(of: mark.field, in: JSON.root) else {
            return mark.missing.map { .known($0) }
                ?? .unreadable("it has no `\(name)`, which tells its version")
        }
        let place = "\(document.position(of: node).text): `\(name)`"
        guard document.isOnly(node, of: mark.field) else { return .unreadable("\(place) stands twice") }
        guard document.kind(node) == .number else {
            return .unreadable("\(place) is \(document.kind(node).words), not a version")
        }
        let text = String(decoding: document.slice(node), as: UTF8.self)
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return .unreadable("\(place) is \(text), not a whole number")
        }
        // More digits than an Int has is newer than anything.
        guard let number = Int(text), number <= newest else { return .newer(Int(text) ?? .max) }
        guard versions.contains(where: { $0.number == number }) else {
            return .unreadable("\(place) is \(text), a version that the profile does not know")
        }
        return .known(number)
    }

    /// `new`, which is in version `from`, said in version `to`.
    ///
    /// `agreed` is the last agreed content in both versions. What `to` has and `from` cannot express
    /// comes from there, and so do the formatting and the order of what did not change: the change from
    /// `agreed.from` to `new` is made to `agreed.to`.
    /// If `new` is `agreed.from` byte for byte, the result is `agreed.to` byte for byte.
    package func translate(
        _ new: JSON,
        from: Int,
        to: Int,
        agreed: (from: JSON, to: JSON)?
    ) throws(DocumentError) -> JSON {
        if from == to { return new }
        if let agreed, new.bytes == agreed.from.bytes { return agreed.to }
        let after = try migrate(new, from: from, to: to)
        guard let agreed else { return after.document }
        let before = try migrate(agreed.from, from: from, to: to)
        var rules = mergeRules
        rules.mode = .carry(derivedInBase: before.derived, derivedInGroup: after.derived)
        var merger = Merger(base: before.document, app: agreed.to, group: after.document, rules: rules)
        return try merger.merge()
    }

    private struct Migrated {
        var document: JSON
        /// Where in it values begin that the lenses made up, in ascending order.
        var derived: [Int]
    }

    /// Takes a document through the lenses between two versions.
    private func migrate(_ document: JSON, from: Int, to: Int) throws(DocumentError) -> Migrated {
        guard let start = versions.firstIndex(where: { $0.number == from }) else {
            throw .unknownVersion(from)
        }
        guard let end = versions.firstIndex(where: { $0.number == to }) else { throw .unknownVersion(to) }
        var work = LensWork(document)
        var value = try takeOffVersion(work.draft.root, &work)
        if start < end {
            for version in versions[(start + 1)...end] {
                for lens in version.lenses { value = try lens.up(value, &work) }
            }
        } else {
            for version in versions[(end + 1)...start].reversed() {
                for lens in version.lenses.reversed() { value = try lens.down(value, &work) }
            }
        }
        work.draft.root = try putOnVersion(to, value, &work)
        let printed = try DraftPrinter.print(work.draft)
        let parsed = try Draft.parse(printed.text, limits: document.limits)
        return Migrated(document: parsed, derived: printed.derived)
    }

    private func takeOffVersion(
        _ root: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        guard let mark = versionMark, work.draft.kind(root) == .object else { return root }
        let object = try work.object(root)
        work.remove(mark.field, from: object)
        return object
    }

    /// Documents of the version that has no mark get none.
    private func putOnVersion(
        _ number: Int,
        _ root: Draft.Value,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        guard let mark = versionMark, mark.missing != number else { return root }
        let object = try work.object(root)
        work.insert(work.draft.make(Array(String(number).utf8)), as: mark.field, at: 0, in: object)
        return object
    }
}

extension JSON {
    /// Does the root have this member once?
    fileprivate func isOnly(_ value: Int, of key: [UInt8]) -> Bool {
        guard nodes[JSON.root].traits.contains(.duplicateKeys) else { return true }
        return !members(of: JSON.root).contains { $0.value != value && string($0.key) == key }
    }
}
