extension DocumentRule {
    /// Translates `new` from version `from` to version `to`.
    ///
    /// `agreed` is the base in both versions. What `to` has and `from` cannot represent comes from there,
    /// and so do the formatting and the order of what did not change: the change from `agreed.from` to
    /// `new` is applied to `agreed.to`. If `new` is `agreed.from` byte for byte, the result is `agreed.to`
    /// byte for byte. Without a base, `example` is a document of version `to` whose formatting is used.
    package func translate(
        _ new: JSON,
        from: Int,
        to: Int,
        agreed: (from: JSON, to: JSON)?,
        example: JSON? = nil
    ) throws(DocumentError) -> JSON {
        if from == to { return new }
        if let agreed, new.bytes == agreed.from.bytes { return agreed.to }
        let isAgreed = agreed != nil
        let like = agreed?.to ?? example
        let after = try migrate(new, from: from, to: to, example: like, isExampleAgreed: isAgreed)
        guard let agreed else { return after.document }
        let before = try migrate(
            agreed.from,
            from: from,
            to: to,
            example: agreed.to,
            isExampleAgreed: true
        )
        var rules = mergeRules
        // This is not a merge of two sides: all changes of the group's document apply.
        rules.fields = []
        rules.mode = .carry(derivedInBase: before.derived, derivedInGroup: after.derived)
        var merger = Merger(base: before.document, app: agreed.to, group: after.document, rules: rules)
        return try merger.merge()
    }

    /// Applies the first save that a program makes in version `to` to the base, when it knew the base only
    /// in version `from`, as `known`.
    ///
    /// A value that its old version could not represent counts as unchanged if it is missing or at its
    /// default. The conflicts are values that the program set without knowing about the existing ones; its
    /// own values win.
    package func upgraded(
        _ new: JSON,
        knowing known: JSON,
        from: Int,
        to: Int,
        agreed: JSON
    ) throws(DocumentError) -> Merge {
        let before = try migrate(known, from: from, to: to, example: nil)
        var rules = mergeRules
        rules.zone = zone
        rules.mode = .carry(derivedInBase: before.derived, derivedInGroup: [])
        var merger = Merger(base: before.document, app: agreed, group: new, rules: rules)
        let result = try merger.merge()
        return Merge(result: result.isEqual(to: new) ? new : result, conflicts: merger.conflicts)
    }

    /// The result of migrating a document without a base, and what the way back would not restore.
    ///
    /// The way back has nothing but the result: neither a base nor the original. So if there are no losses,
    /// the result alone gives an equal value; whether it gives the same bytes is another question.
    package func migration(of document: JSON, from: Int, to: Int) throws(DocumentError) -> Migration {
        let made = try migrate(document, from: from, to: to, example: nil)
        let wayBack = Result { () throws(DocumentError) in
            try migrate(made.document, from: to, to: from, example: nil).document
        }
        let losses = made.losses + Loss.losses(of: document, by: wayBack)
        return Migration(document: made.document, lenses: shownSteps(from: from, to: to), losses: losses)
    }

    /// The steps between two versions, in order.
    package func shownSteps(from: Int, to: Int) -> [MigrationStep] {
        ((try? steps(from: from, to: to)) ?? []).map(\.shown)
    }

    private struct Migrated {
        var document: JSON
        /// The offsets at which values begin that a lens made, in ascending order.
        var derived: [Int]
        var losses: [Loss]
    }

    /// Applies the lenses between two versions.
    private func migrate(
        _ document: JSON,
        from: Int,
        to: Int,
        example: JSON?,
        isExampleAgreed: Bool = false
    ) throws(DocumentError) -> Migrated {
        var work = LensWork(document, example: example, isExampleAgreed: isExampleAgreed, zone: zone)
        var value = try versionMark?.takenOff(work.draft.root, &work) ?? work.draft.root
        value = try work.run(try steps(from: from, to: to), on: value)
        work.draft.root = try versionMark?.put(to, on: value, schema: schema(of: to), &work) ?? value
        let printed = try DraftPrinter.print(work.draft)
        let parsed = try Draft.parse(printed.text, limits: document.limits)
        return Migrated(document: parsed, derived: printed.derived, losses: work.losses)
    }

    private func steps(from: Int, to: Int) throws(DocumentError) -> [LensStep] {
        guard let start = versions.firstIndex(where: { $0.number == from }) else {
            throw .unknownVersion(from)
        }
        guard let end = versions.firstIndex(where: { $0.number == to }) else { throw .unknownVersion(to) }
        if start < end {
            return versions[(start + 1)...end].flatMap(\.lenses).map { LensStep(lens: $0, isUp: true) }
        }
        return versions[(end + 1)..<(start + 1)].flatMap(\.lenses).reversed().map {
            LensStep(lens: $0, isUp: false)
        }
    }
}

/// The result of migrating one document.
package struct Migration: Sendable {
    package let document: JSON
    /// The steps, in order.
    package let lenses: [MigrationStep]
    /// What the other version cannot represent. If empty, the way back gives an equal document.
    package let losses: [Loss]
}

extension JSONPatch {
    /// The pointers of the operations' values.
    var places: [String] { operations.map(\.place.description) }
}

extension Loss {
    /// What the way back from a version does not restore of a document; all of it if it is refused.
    fileprivate static func losses(of document: JSON, by wayBack: Result<JSON, DocumentError>) -> [Loss] {
        let back: JSON
        switch wayBack {
        case .success(let found): back = found
        case .failure(let error):
            return [Loss(pointer: JSONPointer.root.description, reason: .noWayBack(error))]
        }
        if back.bytes == document.bytes { return [] }
        return JSONPatch.diff(from: document, to: back).operations.flatMap { operation in
            document.members(lostBy: operation, in: back)
                ?? [Loss(pointer: operation.place.description, reason: operation.lossReason)]
        }
    }
}

extension JSON {
    /// The losses of an object that the way back replaces by one without a common member, by member. `nil`
    /// for other operations, and within arrays, where indexes shift.
    fileprivate func members(lostBy operation: JSONPatch.Operation, in back: JSON) -> [Loss]? {
        guard case .replace(let pointer, _) = operation, let old = node(at: pointer),
            let new = back.node(at: pointer), kind(old) == .object, back.kind(new) == .object,
            !(0..<pointer.tokens.count).contains(where: { depth in
                node(at: JSONPointer(tokens: Array(pointer.tokens.prefix(depth)))).map(kind) == .array
            })
        else { return nil }
        func losses(_ keys: [[UInt8]], missingIn other: JSON, _ node: Int, _ reason: Loss.Reason) -> [Loss] {
            keys.filter { other.value(of: $0, in: node) == nil }.map {
                Loss(pointer: pointer.appending($0).description, reason: reason)
            }
        }
        let mine = members(of: old).map { string($0.key) }
        let its = back.members(of: new).map { back.string($0.key) }
        let found = losses(mine, missingIn: back, new, .gone) + losses(its, missingIn: self, old, .added)
        return found.isEmpty ? nil : found
    }
}

extension JSONPatch.Operation {
    /// The pointer of the operation's value.
    fileprivate var place: JSONPointer {
        switch self {
        case .add(let pointer, _), .remove(let pointer), .replace(let pointer, _), .test(let pointer, _),
            .move(_, let pointer), .copy(_, let pointer):
            pointer
        }
    }

    /// The loss that an operation describes, in a patch from a document to what the way back gives.
    fileprivate var lossReason: Loss.Reason {
        switch self {
        case .remove: .gone
        case .add: .added
        default: .changed
        }
    }
}
