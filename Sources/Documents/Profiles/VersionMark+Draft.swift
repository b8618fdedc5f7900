extension VersionMark {
    /// The document without the field of its version, for the lenses.
    func takenOff(_ root: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        guard case .field(let key, _) = self, work.draft.kind(root) == .object else { return root }
        let object = try work.object(root)
        work.versionIndex = work.index(of: key, in: object) ?? 0
        work.remove(key, from: object)
        return object
    }

    /// Sets the version field where it was, unless documents without it have that version and neither the
    /// schema requires it nor the base has it.
    func put(
        _ number: Int,
        on root: Draft.Value,
        schema: Schema?,
        _ work: inout LensWork
    ) throws(DocumentError) -> Draft.Value {
        guard case .field(let key, let missing) = self else { return root }
        let isMarked = missing != number || schema?.requires(key) == true || work.isInExample(key)
        guard isMarked || work.draft.kind(root) == .object else { return root }
        let object = try work.object(root)
        // Of two fields of that name, none would tell the version.
        try work.checkFree(key, in: object)
        guard isMarked else { return object }
        work.insert(work.draft.make(Array(String(number).utf8)), as: key, at: work.versionIndex, in: object)
        return object
    }
}
