/// A value that both sides changed differently.
package struct MergeConflict: Sendable, Hashable {
    /// Its path in the app's document.
    package let pointer: String
    /// Its JSON text in the base; `nil` if the base does not have it.
    package let base: [UInt8]?
    package let app: [UInt8]?
    package let group: [UInt8]?

    package init(pointer: String, base: [UInt8]?, app: [UInt8]?, group: [UInt8]?) {
        self.pointer = pointer
        self.base = base
        self.app = app
        self.group = group
    }
}

/// The result of merging two documents.
package struct Merge: Sendable {
    /// The app's document with the group's changes. Where both sides changed a value differently, it has
    /// the owner's.
    package var result: JSON
    package let conflicts: [MergeConflict]
    /// The paths of fields with a `derived` rule that cannot be computed; they stay unchanged.
    package var uncomputed: [String] = []
}

extension DocumentRule {
    /// Merges key by key and, in arrays whose elements have an identity, element by element.
    package func merge(
        base: JSON?,
        app: JSON,
        group: JSON,
        between parties: MergeParties = .sides
    ) throws(DocumentError) -> Merge {
        var rules = mergeRules.between(parties)
        rules.zone = zone
        while true {
            var merger = Merger(base: base, app: app, group: group, rules: rules)
            let result = try merger.merge()
            let unfit = unfitRules(merger.made, result)
            if unfit.isEmpty {
                return Merge(result: result, conflicts: merger.conflicts, uncomputed: merger.uncomputed)
            }
            // The merge of two valid documents must be valid, so these fields become conflicts.
            rules.fields = rules.fields.indices.filter { !unfit.contains($0) }.map { rules.fields[$0] }
        }
    }

    /// The rules that produced values which the schema does not allow.
    private func unfitRules(_ made: [Merger.Made], _ result: JSON) -> Set<Int> {
        guard !made.isEmpty, !passesInvalid else { return [] }
        let broken = violations(of: result, version: newest).compactMap { JSONPointer($0.pointer) }
        return Set(made.filter { made in broken.contains { $0.isInside(made.pointer) } }.map(\.rule))
    }
}
