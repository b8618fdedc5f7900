extension Schema {
    /// Reads a schema from JSON.
    package init(_ json: JSON) throws(SchemaError) {
        var reader = SchemaReader(json)
        rules = try reader.read().map { FixedRule($0) }
        self.json = json
    }
}

/// Reads a schema and its subschemas, without recursion.
struct SchemaReader {
    let json: JSON
    private var rules: [SchemaRule] = []
    /// The index of the rule of each node that is a schema.
    private var numbers: [Int: Int] = [:]
    private var pending: [(node: Int, place: JSONPointer, base: Int)] = []
    /// References, which are resolved when all schemas are known: the referring rule, and the keyword with
    /// its base.
    private var references: [(rule: Int, keyword: SchemaKeyword)] = []
    /// The nodes with an `$id`.
    private var names: [(id: [UInt8], node: Int)] = []
    /// The nodes with an `$anchor`, with their base.
    private var anchors: [(name: [UInt8], base: Int, node: Int)] = []

    init(_ json: JSON) { self.json = json }

    mutating func read() throws(SchemaError) -> [SchemaRule] {
        _ = number(of: JSON.root, at: .root, base: JSON.root)
        var next = 0
        while next < pending.count {
            let schema = pending[next]
            rules[next] = try read(schema.node, schema.place, base: schema.base)
            next += 1
        }
        for reference in references {
            let target = try target(of: reference.keyword)
            rules[reference.rule].reference = target
            rules[target].isReferenced = true
        }
        try checkProgress()
        return rules
    }

    func fail(_ node: Int, _ place: JSONPointer, _ reason: SchemaError.Reason) -> SchemaError {
        SchemaError(pointer: place.description, position: json.position(of: node), reason: reason)
    }

    /// The index of a schema, which is read now or later.
    mutating func number(of node: Int, at place: JSONPointer, base: Int) -> Int {
        if let number = numbers[node] { return number }
        numbers[node] = rules.count
        rules.append(SchemaRule(place: place))
        pending.append((node, place, base))
        return rules.count - 1
    }

    private mutating func read(
        _ node: Int,
        _ place: JSONPointer,
        base: Int
    ) throws(SchemaError) -> SchemaRule {
        var rule = SchemaRule(place: place)
        switch json.kind(node) {
        case .true: return rule
        case .false:
            rule.isFalse = true
            return rule
        case .object: break
        default: throw fail(node, place, .notASchema(json.kind(node)))
        }
        if let refusal = json.refusal(toEdit: node) { throw fail(node, place, .unreadable(refusal)) }
        var base = base
        if let id = json.value(of: Array("$id".utf8), in: node), json.kind(id) == .string {
            base = node
            names.append((json.string(id), node))
        }
        for (key, value) in json.members(of: node) {
            let keyword = SchemaKeyword(
                node: value,
                place: place.appending(json.string(key)),
                base: base,
                name: String(decoding: json.string(key), as: UTF8.self)
            )
            if keyword.name == "$ref" {
                references.append((numbers[node] ?? 0, keyword))
                continue
            }
            if keyword.name == "$anchor" { try addAnchor(keyword, of: node) }
            if try !keyword.readAssertion(&rule, json), try !readApplicator(keyword, &rule) {
                throw fail(key, keyword.place, .unsupported(.keyword, keyword.name))
            }
        }
        return rule
    }

    private mutating func addAnchor(_ keyword: SchemaKeyword, of node: Int) throws(SchemaError) {
        let name = try keyword.anchor(json)
        guard !anchors.contains(where: { $0.name == name && $0.base == keyword.base }) else {
            throw fail(keyword.node, keyword.place, .repeatedAnchor)
        }
        anchors.append((name, keyword.base, node))
    }

    // MARK: Subschemas

    private mutating func readApplicator(
        _ keyword: SchemaKeyword,
        _ rule: inout SchemaRule
    ) throws(SchemaError) -> Bool {
        switch keyword.name {
        case "properties":
            for (key, number) in try members(keyword) {
                rule.properties[key] = number
                rule.propertyList.append((key, number))
            }
        case "patternProperties":
            for (key, number) in try members(keyword) {
                let pattern = try keyword.pattern(String(decoding: key, as: UTF8.self), json)
                rule.patternProperties.append((pattern, number))
            }
        case "propertyNames": rule.propertyNames = single(keyword)
        case "contains": rule.contains = single(keyword)
        case "$defs": _ = try members(keyword)
        case "additionalProperties": rule.additionalProperties = single(keyword)
        case "items": rule.items = single(keyword)
        case "prefixItems": rule.prefixItems = try list(keyword)
        case "allOf": rule.allOf = try list(keyword)
        case "anyOf": rule.anyOf = try list(keyword)
        case "oneOf": rule.oneOf = try list(keyword)
        case "not": rule.not = single(keyword)
        case "if": rule.condition = single(keyword)
        case "then": rule.then = single(keyword)
        case "else": rule.otherwise = single(keyword)
        default: return false
        }
        return true
    }

    private mutating func single(_ keyword: SchemaKeyword) -> Int {
        number(of: keyword.node, at: keyword.place, base: keyword.base)
    }

    private mutating func list(_ keyword: SchemaKeyword) throws(SchemaError) -> [Int] {
        let elements = json.kind(keyword.node) == .array ? Array(json.elements(of: keyword.node)) : []
        guard !elements.isEmpty else {
            throw fail(keyword.node, keyword.place, .expected(.schemas))
        }
        return elements.enumerated().map {
            number(of: $0.element, at: keyword.place.appending($0.offset), base: keyword.base)
        }
    }

    private mutating func members(_ keyword: SchemaKeyword) throws(SchemaError) -> [([UInt8], Int)] {
        guard json.kind(keyword.node) == .object else {
            throw fail(keyword.node, keyword.place, .expected(.objectOfSchemas))
        }
        if let refusal = json.refusal(toEdit: keyword.node) {
            throw fail(keyword.node, keyword.place, .unreadable(refusal))
        }
        return json.members(of: keyword.node).map { key, value in
            let name = json.string(key)
            return (name, number(of: value, at: keyword.place.appending(name), base: keyword.base))
        }
    }

    // MARK: References

    private func target(of keyword: SchemaKeyword) throws(SchemaError) -> Int {
        let node = keyword.node
        guard json.kind(node) == .string else {
            throw self.fail(node, keyword.place, .expected(.reference))
        }
        let text = json.string(node)
        let name = String(decoding: text, as: UTF8.self)
        func fail(_ fault: SchemaError.ReferenceFault) -> SchemaError {
            self.fail(node, keyword.place, .reference(name, fault))
        }
        let parts = text.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        var start = keyword.base
        if let document = parts.first, !document.isEmpty {
            guard let named = names.first(where: { $0.id.elementsEqual(document) }) else {
                throw fail(.otherDocument)
            }
            start = named.node
        }
        let fragment = parts.count > 1 ? Self.withoutEscapes(parts[1]) : []
        if let anchor = anchors.first(where: { $0.base == start && $0.name == fragment }) {
            return numbers[anchor.node] ?? 0
        }
        guard let fragment, let pointer = JSONPointer(bytes: fragment) else {
            throw fail(.noPointer)
        }
        guard let found = json.node(at: pointer, from: start), let number = numbers[found] else {
            throw fail(.noSchema)
        }
        return number
    }

    /// A fragment with its `%` escapes decoded; `nil` if they are invalid.
    private static func withoutEscapes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
            else { return nil }
            result.append(UInt8(high << 4 | low))
        }
        return result
    }

    /// Refuses a schema that refers to itself for the same value, because checking it would never end.
    private func checkProgress() throws(SchemaError) {
        enum Mark { case new, open, done }
        var marks = [Mark](repeating: .new, count: rules.count)
        for start in rules.indices where marks[start] == .new {
            var stack = [(rule: start, next: 0)]
            marks[start] = .open
            while let (rule, next) = stack.last {
                let following = rules[rule].inPlace
                guard next < following.count else {
                    marks[rule] = .done
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                switch marks[following[next]] {
                case .new:
                    marks[following[next]] = .open
                    stack.append((following[next], 0))
                case .open:
                    let place = rules[following[next]].place
                    throw fail(pending[following[next]].node, place, .endless(place))
                case .done: break
                }
            }
        }
    }
}
