/// A keyword of a schema with its value.
struct SchemaKeyword {
    var node: Int
    var place: JSONPointer
    /// The schema that `#` refers to here.
    var base: Int
    var name: String

    /// Reads a keyword about the value itself, or an annotation; `false` for other keywords.
    func readAssertion(_ rule: inout SchemaRule, _ json: JSON) throws(SchemaError) -> Bool {
        switch name {
        case "type": rule.types = try types(json)
        case "enum":
            guard json.kind(node) == .array else { throw fail(json, .expected(.list)) }
            rule.enumeration = Array(json.elements(of: node))
        case "const": rule.constant = node
        case "required": rule.required = try keys(json)
        case "minimum": rule.minimum = try number(json)
        case "maximum": rule.maximum = try number(json)
        case "exclusiveMinimum": rule.exclusiveMinimum = try number(json)
        case "exclusiveMaximum": rule.exclusiveMaximum = try number(json)
        case "multipleOf":
            let unit = try number(json)
            guard !unit.value.isZero, !unit.value.isNegative else {
                throw fail(json, .expected(.numberAboveZero))
            }
            rule.multipleOf = unit
        case "minLength": rule.minLength = try count(json)
        case "maxLength": rule.maxLength = try count(json)
        case "minItems": rule.minItems = try count(json)
        case "maxItems": rule.maxItems = try count(json)
        case "uniqueItems": rule.uniqueItems = try flag(json)
        case "minContains": rule.minContains = try count(json)
        case "maxContains": rule.maxContains = try count(json)
        case "minProperties": rule.minProperties = try count(json)
        case "maxProperties": rule.maxProperties = try count(json)
        case "dependentRequired": rule.dependentRequired = try dependencies(json)
        case "pattern": rule.pattern = try pattern(json)
        case "format": rule.format = try format(json)
        default: return try readAnnotation(&rule, json)
        }
        return true
    }

    private func readAnnotation(_ rule: inout SchemaRule, _ json: JSON) throws(SchemaError) -> Bool {
        switch name {
        case "$schema":
            let dialect = try text(json)
            guard dialect == Schema.dialect else { throw fail(json, .unsupported(.dialect, dialect)) }
        case "$id":
            guard !(try text(json)).utf8.contains(UInt8(ascii: "#")) else {
                throw fail(json, .expected(.id))
            }
        case "$anchor": _ = try anchor(json)
        case "$comment", "title", "description", "contentEncoding", "contentMediaType": _ = try text(json)
        case "deprecated", "readOnly", "writeOnly": _ = try flag(json)
        case "examples":
            guard json.kind(node) == .array else { throw fail(json, .expected(.list)) }
        case "default": rule.defaultValue = node
        // Keywords of the profile's author are allowed, because that prefix never belongs to the standard.
        case _ where name.hasPrefix("x-"): break
        default: return false
        }
        return true
    }

    private func fail(_ json: JSON, _ reason: SchemaError.Reason) -> SchemaError {
        SchemaError(pointer: place.description, position: json.position(of: node), reason: reason)
    }

    private func text(_ json: JSON) throws(SchemaError) -> String {
        guard json.kind(node) == .string else { throw fail(json, .expected(.string)) }
        return String(decoding: json.string(node), as: UTF8.self)
    }

    private func flag(_ json: JSON) throws(SchemaError) -> Bool {
        switch json.kind(node) {
        case .true: return true
        case .false: return false
        default: throw fail(json, .expected(.boolean))
        }
    }

    private func number(_ json: JSON) throws(SchemaError) -> SchemaNumber {
        guard json.kind(node) == .number else { throw fail(json, .expected(.number)) }
        let text = json.slice(node)
        return SchemaNumber(value: ExactDecimal(text), text: String(decoding: text, as: UTF8.self))
    }

    private func count(_ json: JSON) throws(SchemaError) -> Int {
        guard let count = try number(json).value.integer, count >= 0 else {
            throw fail(json, .expected(.wholeNumber))
        }
        return count
    }

    private func types(_ json: JSON) throws(SchemaError) -> SchemaTypes {
        let nodes = json.kind(node) == .array ? Array(json.elements(of: node)) : [node]
        var types: SchemaTypes = []
        for node in nodes {
            let name = json.kind(node) == .string ? String(decoding: json.string(node), as: UTF8.self) : ""
            guard let type = SchemaTypes.names.first(where: { $0.name == name })?.type, !types.contains(type)
            else { throw fail(json, .expected(.types)) }
            types.insert(type)
        }
        guard !types.isEmpty else { throw fail(json, .expected(.type)) }
        return types
    }

    private func dependencies(_ json: JSON) throws(SchemaError) -> [(key: [UInt8], needed: [[UInt8]])] {
        guard json.kind(node) == .object else { throw fail(json, .expected(.listsOfKeys)) }
        var dependencies: [(key: [UInt8], needed: [[UInt8]])] = []
        for (key, value) in json.members(of: node) {
            var inner = self
            inner.node = value
            inner.place = place.appending(json.string(key))
            dependencies.append((json.string(key), try inner.keys(json)))
        }
        return dependencies
    }

    /// A name that `#name` refers to.
    func anchor(_ json: JSON) throws(SchemaError) -> [UInt8] {
        let name = Array(try text(json).utf8)
        let others = "-._".utf8
        guard let first = name.first, first.isLetter || first == UInt8(ascii: "_"),
            name.allSatisfy({ $0.isLetter || $0.isDigit || others.contains($0) })
        else { throw fail(json, .expected(.anchor)) }
        return name
    }

    private func keys(_ json: JSON) throws(SchemaError) -> [[UInt8]] {
        guard json.kind(node) == .array else { throw fail(json, .expected(.keys)) }
        var keys: [[UInt8]] = []
        for element in json.elements(of: node) {
            guard json.kind(element) == .string, !keys.contains(json.string(element)) else {
                throw fail(json, .expected(.distinctKeys))
            }
            keys.append(json.string(element))
        }
        return keys
    }

    private func pattern(_ json: JSON) throws(SchemaError) -> Pattern { try pattern(try text(json), json) }

    func pattern(_ text: String, _ json: JSON) throws(SchemaError) -> Pattern {
        do throws(PatternError) {
            return try Pattern(text)
        } catch {
            throw fail(json, .pattern(text, error))
        }
    }

    private func format(_ json: JSON) throws(SchemaError) -> StringFormat {
        let name = try text(json)
        guard let format = StringFormat(rawValue: name) else {
            throw fail(json, .unsupported(.format, name))
        }
        return format
    }
}
