/// A value that both sides changed, differently.
package struct MergeConflict: Sendable, Hashable {
    /// Where it stands in the app's document.
    package let pointer: String
    /// Its JSON text as last agreed; `nil` where it was not there.
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

/// Two documents made into one.
package struct Merge: Sendable {
    /// The app's document with what the group changed; where both did, differently, with the owner's.
    package var result: JSON
    package let conflicts: [MergeConflict]
}

/// What a merge is told beside the three documents.
struct MergeRules {
    /// The member that tells the elements of an array apart, by the place of the array; `id` elsewhere.
    /// Here and below a token `*` stands for any key or index.
    var identity: [(array: JSONPointer, key: [UInt8])] = []
    /// Arrays whose elements are told apart by their places.
    var tuples: [JSONPointer] = []
    /// What the group's side decides, where both changed it.
    var ownedByGroup: [JSONPointer] = []
    /// Whose change stands.
    var mode: Mode = .sides

    enum Mode {
        /// Both sides' changes count, and what both changed is a conflict.
        case sides
        /// The group's are all of the changes: the app's document differs from the base only by what a
        /// migration could not know. Sorted offsets of what in both was made up, and decides nothing.
        case carry(derivedInBase: [Int], derivedInGroup: [Int])
    }

    static let idKey = Array("id".utf8)

    func identity(of array: JSONPointer) -> [UInt8] {
        let found = identity.first { rule in
            switch mode {
            case .sides: rule.array.tokens.count == array.tokens.count && array.isInside(rule.array)
            // In another version it stands elsewhere, most often under the same name.
            case .carry: rule.array.tokens.last == array.tokens.last
            }
        }
        return found?.key ?? Self.idKey
    }

    func isOwnedByGroup(_ pointer: JSONPointer) -> Bool {
        ownedByGroup.contains { pointer.isInside($0) }
    }
}

extension JSONPointer {
    /// Does it lead there, or into it? A token `*` of `other` stands for any.
    fileprivate func isInside(_ other: JSONPointer) -> Bool {
        tokens.count >= other.tokens.count
            && zip(tokens, other.tokens).allSatisfy { $0 == $1 || $1 == [UInt8(ascii: "*")] }
    }
}

extension DocumentRule {
    /// Merges key by key and, in arrays whose elements can be told apart, element by element.
    ///
    /// Where `ownersDecide` is not so, the app's stands in every conflict, whoever owns the field.
    package func merge(
        base: JSON?,
        app: JSON,
        group: JSON,
        ownersDecide: Bool = true
    ) throws(DocumentError) -> Merge {
        var rules = mergeRules
        if !ownersDecide { rules.ownedByGroup = [] }
        var merger = Merger(base: base, app: app, group: group, rules: rules)
        let result = try merger.merge()
        return Merge(result: result, conflicts: merger.conflicts)
    }
}
