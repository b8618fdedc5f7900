/// What a profile says of a field that both sides changed: a rule that decides is no conflict.
enum MergeRule: Sendable {
    /// The later of two times, or of what else has an order.
    case newest
    case max, min
    /// Both changes: the last agreed value, and what each side added to it.
    case sum
    /// A list of scalars of which each stands for itself: what either side added comes, what either side
    /// took out goes.
    case set
    /// It is computed from the rest of the document, once that is merged.
    case derived(Derivation)
    /// One side's value stands.
    case mine(isGroup: Bool)
}

/// How a field follows from the rest of its document.
struct Derivation: Sendable {
    enum Function: String, Sendable { case count, sum }

    var function: Function
    /// The values that are counted or summed. A `*` stands for any; those that the field's own pointer has
    /// too, in front, stand for the same.
    var values: JSONPointer
    /// Only values that fit count.
    var filter: Schema?
}

/// What tells the elements of an array apart.
struct ElementIdentity: Sendable {
    var array: JSONPointer
    var key: [UInt8]
    /// It is a number that the program that adds an element gives out: two new elements with one number
    /// are two, and the group's gets another.
    var isRenumbered = false
    /// What in an element holds its number, too.
    var references: [JSONPointer] = []
}

/// What a merge is told beside the three documents.
struct MergeRules {
    /// By the place of the array; elsewhere it is `id`. Here and below a token `*` stands for any key or
    /// index.
    var identity: [ElementIdentity] = []
    /// Arrays whose elements are told apart by their places.
    var tuples: [JSONPointer] = []
    /// What the group's side decides, where both changed it.
    var ownedByGroup: [JSONPointer] = []
    /// The first one that fits decides.
    var fields: [(place: JSONPointer, rule: MergeRule)] = []
    /// Times without a zone are of this one.
    var zone: TimeZoneRules?
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

    /// Of the elements of an array.
    func identity(of array: JSONPointer) -> ElementIdentity {
        let found = identity.first { rule in
            switch mode {
            case .sides: array.fits(rule.array)
            // In another version it stands elsewhere, most often under the same name.
            case .carry: rule.array.tokens.last == array.tokens.last
            }
        }
        return found ?? ElementIdentity(array: array, key: Self.idKey)
    }

    func isOwnedByGroup(_ pointer: JSONPointer) -> Bool {
        ownedByGroup.contains { pointer.isInside($0) }
    }

    /// The index in `fields` of the rule for a value.
    func field(at pointer: JSONPointer) -> Int? {
        fields.firstIndex { place, rule in
            if case .mine = rule { pointer.isInside(place) } else { pointer.fits(place) }
        }
    }

    /// Whether a change that both made alike may be two.
    var hasSums: Bool {
        guard case .sides = mode else { return false }
        return fields.contains { if case .sum = $0.rule { true } else { false } }
    }

    func between(_ parties: MergeParties) -> MergeRules {
        var rules = self
        switch parties {
        case .sides: break
        case .savesOfOneSide:
            rules.fields.removeAll { if case .mine = $0.rule { true } else { false } }
        case .laterAndRest:
            rules.fields.removeAll { if case .mine = $0.rule { true } else { false } }
            rules.ownedByGroup = []
        case .decisionAndRest:
            rules.ownedByGroup = []
            for index in rules.fields.indices {
                switch rules.fields[index].rule {
                case .newest, .max, .min, .mine: rules.fields[index].rule = .mine(isGroup: false)
                case .sum, .set, .derived: break
                }
            }
        }
        return rules
    }
}

/// Whose two documents are merged.
package enum MergeParties: Sendable {
    case sides
    /// Both have what one side's program has changed: whose change a side's is tells nothing there.
    case savesOfOneSide
    /// Both are one program's doing. What it did later takes the app's part, and stands whoever owns the
    /// field.
    case laterAndRest
    /// What a person has decided for takes the app's part, and stands whoever owns the field.
    case decisionAndRest
}

extension JSONPointer {
    static let anyToken = [UInt8(ascii: "*")]

    /// Does it lead there, or into it? A token `*` of `pattern` stands for any.
    func isInside(_ pattern: JSONPointer) -> Bool {
        tokens.count >= pattern.tokens.count
            && zip(tokens, pattern.tokens).allSatisfy { $0 == $1 || $1 == Self.anyToken }
    }

    func fits(_ pattern: JSONPointer) -> Bool {
        tokens.count == pattern.tokens.count && isInside(pattern)
    }
}

extension JSON {
    /// What a pattern leads to, in the order of the text.
    func places(of pattern: JSONPointer, from start: Int = JSON.root) -> [(pointer: JSONPointer, node: Int)] {
        var found = [(pointer: JSONPointer.root, node: start)]
        for token in pattern.tokens {
            guard token == JSONPointer.anyToken else {
                found = found.compactMap { place in
                    node(at: JSONPointer(tokens: [token]), from: place.node).map {
                        (place.pointer.appending(token), $0)
                    }
                }
                continue
            }
            found = found.flatMap { place in
                items(of: place.node).map { (place.pointer.appending($0.token), $0.node) }
            }
        }
        return found
    }

    /// The values in a container, and the tokens that lead to them.
    private func items(of node: Int) -> [(token: [UInt8], node: Int)] {
        switch kind(node) {
        case .object: members(of: node).map { (string($0.key), $0.value) }
        case .array: elements(of: node).enumerated().map { (Array(String($0).utf8), $1) }
        default: []
        }
    }
}
