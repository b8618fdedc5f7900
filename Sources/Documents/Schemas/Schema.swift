/// The part of JSON Schema 2020-12 that documents need. Other keywords are refused when a schema is read,
/// never ignored.
package struct Schema: Sendable {
    /// The schema itself; the values of `enum` and `const` are nodes of it.
    package let json: JSON
    /// The schema and its subschemas; the first is the schema itself.
    let rules: [FixedRule]

    /// Whether it is written such that each value fits it.
    var acceptsAll: Bool { json.bytes.elementsEqual("true".utf8) || json.bytes.elementsEqual("{}".utf8) }

    /// Whether each object that fits it has this member.
    func requires(_ key: [UInt8]) -> Bool {
        var pending = [0]
        var seen: Set<Int> = []
        while let next = pending.popLast() {
            guard seen.insert(next).inserted else { continue }
            if rules[next].required.contains(key) { return true }
            pending += rules[next].allOf
            if let reference = rules[next].reference { pending.append(reference) }
        }
        return false
    }

    /// The only dialect that `$schema` may name.
    static let dialect = "https://json-schema.org/draft/2020-12/schema"
}

/// A rule that is shared instead of copied for each value that is checked.
@dynamicMemberLookup
final class FixedRule: Sendable {
    private let rule: SchemaRule
    let hasParts: Bool
    let hasMembers: Bool
    let hasElements: Bool
    let hasInPlace: Bool
    let hasNumbers: Bool
    let hasStrings: Bool

    init(_ rule: SchemaRule) {
        self.rule = rule
        (hasMembers, hasElements, hasInPlace) = (rule.hasMembers, rule.hasElements, !rule.inPlace.isEmpty)
        hasParts = hasMembers || hasElements || hasInPlace
        (hasNumbers, hasStrings) = (rule.hasNumbers, rule.hasStrings)
    }

    subscript<Part>(dynamicMember part: KeyPath<SchemaRule, Part>) -> Part { rule[keyPath: part] }
}

/// One schema: what a value must be, and the schemas for its parts and for the value itself.
struct SchemaRule: Sendable {
    /// Its path in the schema's document.
    var place: JSONPointer
    /// Whether it is the schema `false`.
    var isFalse = false

    var types: SchemaTypes?
    var enumeration: [Int]?
    var constant: Int?

    var minimum: SchemaNumber?
    var maximum: SchemaNumber?
    var exclusiveMinimum: SchemaNumber?
    var exclusiveMaximum: SchemaNumber?
    var multipleOf: SchemaNumber?

    var minLength: Int?
    var maxLength: Int?
    var pattern: Pattern?
    var format: StringFormat?

    var minItems: Int?
    var maxItems: Int?
    var uniqueItems = false
    var prefixItems: [Int] = []
    var items: Int?
    var contains: Int?
    var minContains: Int?
    var maxContains: Int?

    var properties: [[UInt8]: Int] = [:]
    /// The same, in order.
    var propertyList: [(key: [UInt8], rule: Int)] = []
    var required: [[UInt8]] = []
    /// All of those that match a key apply.
    var patternProperties: [(pattern: Pattern, rule: Int)] = []
    /// For keys that match none of the others.
    var additionalProperties: Int?
    /// For the keys themselves.
    var propertyNames: Int?
    var minProperties: Int?
    var maxProperties: Int?
    /// The keys that must exist if a key exists.
    var dependentRequired: [(key: [UInt8], needed: [[UInt8]])] = []

    var allOf: [Int] = []
    var anyOf: [Int] = []
    var oneOf: [Int] = []
    var not: Int?
    var condition: Int?
    var then: Int?
    var otherwise: Int?
    var reference: Int?
    /// Whether a reference names it: the same value may be checked against it several times.
    var isReferenced = false

    /// The default, for the lint; a node of the schema's document.
    var defaultValue: Int?

    /// The schemas that apply to the same value.
    var inPlace: [Int] {
        allOf + anyOf + oneOf + [not, condition, then, otherwise, reference].compactMap { $0 }
    }
}

extension SchemaRule {
    var hasMembers: Bool {
        !properties.isEmpty || !patternProperties.isEmpty || additionalProperties != nil
            || propertyNames != nil
    }

    var hasElements: Bool { !prefixItems.isEmpty || items != nil || contains != nil }

    var hasNumbers: Bool {
        minimum != nil || maximum != nil || exclusiveMinimum != nil || exclusiveMaximum != nil
            || multipleOf != nil
    }

    var hasStrings: Bool {
        minLength != nil || maxLength != nil || pattern != nil || format != nil
    }
}

struct SchemaNumber: Sendable {
    var value: ExactDecimal
    var text: String
}

package struct SchemaTypes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let null = SchemaTypes(rawValue: 1)
    static let boolean = SchemaTypes(rawValue: 2)
    static let object = SchemaTypes(rawValue: 4)
    static let array = SchemaTypes(rawValue: 8)
    static let number = SchemaTypes(rawValue: 16)
    static let string = SchemaTypes(rawValue: 32)
    static let integer = SchemaTypes(rawValue: 64)

    static let names: [(name: String, type: SchemaTypes)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    /// As in "expected …".
    var words: String {
        let names = Self.names.filter { contains($0.type) }.map { "`\($0.name)`" }
        return names.count < 2 ? names.joined() : "one of \(names.joined(separator: ", "))"
    }
}
