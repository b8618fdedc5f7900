/// What values have in them.
extension Evaluator {
    func kind(of value: Value) -> ExpressionError.ArgumentKind { value.kind(in: text) }
    func isNull(_ value: Value) -> Bool { value.isNull(in: text) }
    func isTrue(_ value: Value) -> Bool { value.isTrue(in: text) }
    /// `nil` if it is no string.
    func string(_ value: Value) -> [UInt8]? { value.string(in: text) }

    /// `nil` if it is no number.
    mutating func number(_ value: Value, at link: Link) throws(ExpressionError) -> ExactNumber? {
        switch value {
        case .number(let number): return number
        case .written(let text): return ExactNumber(text)
        case .node(let node):
            return text.kind(node) == .number ? ExactNumber(text.bytes, text.range(of: node)) : nil
        case .moment:
            guard case .number(let number) = try settled(value, at: link) else { return nil }
            return number
        default: return nil
        }
    }

    /// `nil` if it is no array.
    mutating func elements(of value: Value, at link: Link) throws(ExpressionError) -> [Value]? {
        switch value {
        case .array(let elements): return elements
        case .node(let node):
            guard text.kind(node) == .array else { return nil }
            let elements = text.elements(of: node).map { Value.node($0) }
            try charge(elements.count / 8, at: link)
            return elements
        default: return nil
        }
    }

    /// `nil` if it is no object.
    mutating func members(of value: Value, at link: Link) throws(ExpressionError) -> [Value.Member]? {
        switch value {
        case .object(let members): return members
        case .node(let node):
            guard text.kind(node) == .object else { return nil }
            let members = text.members(of: node).map {
                Value.Member(key: text.string($0.key), value: .node($0.value))
            }
            try charge(members.count, at: link)
            return members
        default: return nil
        }
    }

    /// The values of an object; `nil` if it is none.
    mutating func memberValues(of value: Value, at link: Link) throws(ExpressionError) -> [Value]? {
        guard case .node(let node) = value else {
            return try members(of: value, at: link)?.map(\.value)
        }
        guard text.kind(node) == .object else { return nil }
        let values = text.members(of: node).map { Value.node($0.value) }
        try charge(values.count / 8, at: link)
        return values
    }

    mutating func field(_ key: [UInt8], of value: Value, at link: Link) throws(ExpressionError) -> Value {
        switch value {
        case .object(let members):
            // A large object takes its time.
            try charge(members.count / 16, at: link)
            return members.first { $0.key == key }?.value ?? .null
        case .node(let node):
            guard text.kind(node) == .object else { return .null }
            let end = Int(text.nodes[node].after)
            var (name, passed) = (node + 1, 0)
            while name < end, !text.isString(name, key) {
                name = Int(text.nodes[name + 1].after)
                passed += 1
            }
            try charge(passed / 16, at: link)
            return name < end ? .node(name + 1) : .null
        default: return .null
        }
    }

    /// Null if there is none.
    mutating func element(_ index: Int, of value: Value, at link: Link) throws(ExpressionError) -> Value {
        if index >= 0, case .node(let node) = value {
            guard text.kind(node) == .array else { return .null }
            var elements = text.elements(of: node)
            var passed = 0
            while passed < index, elements.next() != nil { passed += 1 }
            try charge(passed / 16, at: link)
            return elements.next().map { .node($0) } ?? .null
        }
        guard let all = try elements(of: value, at: link) else { return .null }
        let place = index < 0 ? all.count + index : index
        return all.indices.contains(place) ? all[place] : .null
    }
}
