/// A profile's rule for a field that both sides changed: where it decides, there is no conflict.
enum MergeRule: Sendable {
    /// The later of two times, or the larger of two other ordered values.
    case newest
    case max, min
    /// Both changes: the value in the base, plus what each side added.
    case sum
    /// A set, as a list of scalars: what either side added is added, what either side removed is removed.
    case set
    /// It is computed from the rest of the merged document.
    case derived(Derivation)
    /// The value of one side.
    case mine(isGroup: Bool)
}

/// How a field is computed from the rest of its document.
struct Derivation: Sendable {
    enum Function: String, Sendable { case count, sum }

    var function: Function
    /// The values that are counted or summed. `*` stands for any token; the leading ones that the field's
    /// own pattern also has stand for the same tokens as there.
    var values: JSONPointer
    /// Only values that match are counted.
    var filter: Schema?
}

/// The field that identifies the elements of an array.
struct ElementIdentity: Sendable {
    var array: JSONPointer
    var key: [UInt8]
    /// Whether it is a number that a program assigns to a new element: two new elements with the same
    /// number are different, and the group's gets another number.
    var isRenumbered = false
    /// Fields of an element that refer to its number.
    var references: [JSONPointer] = []
}

/// The rules of a merge.
struct MergeRules {
    /// By the pointer of the array; without a rule, the field is `id`. Here and below a token `*` stands
    /// for any key or index.
    var identity: [ElementIdentity] = []
    /// Arrays whose elements are identified by their index.
    var tuples: [JSONPointer] = []
    /// Fields for which the group's value wins a conflict.
    var ownedByGroup: [JSONPointer] = []
    /// The first rule that matches a field applies.
    var fields: [(place: JSONPointer, rule: MergeRule)] = []
    /// What a side's program keeps of numbers; `double` without an entry.
    var readings: [DocumentView.Container: NumberReading] = [:]
    /// The fields that a side neither changes nor deletes.
    var keeps: [DocumentView.Container: [JSONPointer]] = [:]
    /// The zone of times without one.
    var zone: TimeZoneRules?
    /// Whose changes apply.
    var mode: Mode = .sides

    enum Mode {
        /// The changes of both sides apply; what both changed is a conflict.
        case sides
        /// Only the group's changes apply: the app's document differs from the base only by what a
        /// migration could not know. The offsets are those of derived values, in ascending order; these
        /// decide nothing.
        case carry(derivedInBase: [Int], derivedInGroup: [Int])
    }

    static let idKey = Array("id".utf8)

    /// The identity of the elements of an array.
    func identity(of array: JSONPointer) -> ElementIdentity {
        let found = identity.first { rule in
            switch mode {
            case .sides: array.fits(rule.array)
            // In another version the array may have another path, but usually the same name.
            case .carry: rule.array.tokens.last == array.tokens.last
            }
        }
        return found ?? ElementIdentity(array: array, key: Self.idKey)
    }

    /// The field that identifies the elements of an array; `nil`: their index does.
    func elementKey(of array: JSONPointer) -> [UInt8]? {
        tuples.contains(array) ? nil : identity(of: array).key
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

    /// Whether equal changes of both sides may count twice.
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
        case .sidesWon(by: let winner):
            rules.ownedByGroup = winner == .group ? [.root] : []
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

/// Whose documents are merged.
package enum MergeParties: Sendable, Equatable {
    case sides
    /// The value of this side wins every conflict, whoever owns the field.
    case sidesWon(by: DocumentView.Container)
    /// Both contain changes of the same side's program, so that rules which favour a side do not apply.
    case savesOfOneSide
    /// Both come from the same program. The later content takes the app's place, and wins whoever owns the
    /// field.
    case laterAndRest
    /// The content that a person decided for takes the app's place, and wins whoever owns the field.
    case decisionAndRest
}

extension JSONPointer {
    static let anyToken = [UInt8(ascii: "*")]

    /// Whether it leads to the pattern's value, or to something inside it. A token `*` of the pattern
    /// matches any token.
    func isInside(_ pattern: JSONPointer) -> Bool {
        tokens.count >= pattern.tokens.count
            && zip(tokens, pattern.tokens).allSatisfy { $0 == $1 || $1 == Self.anyToken }
    }

    func fits(_ pattern: JSONPointer) -> Bool {
        tokens.count == pattern.tokens.count && isInside(pattern)
    }
}

extension JSON {
    /// The values that a pattern matches, in the order of the text.
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

    /// The values in a container, with the tokens that lead to them.
    private func items(of node: Int) -> [(token: [UInt8], node: Int)] {
        switch kind(node) {
        case .object: members(of: node).map { (string($0.key), $0.value) }
        case .array: elements(of: node).enumerated().map { (Array(String($0).utf8), $1) }
        default: []
        }
    }
}
