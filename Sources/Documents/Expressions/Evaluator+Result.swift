extension Evaluator {
    /// A value outside of the evaluation.
    mutating func result(_ value: Value, at link: Link) throws(ExpressionError) -> JSONValue {
        switch value {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .number(let number):
            let digits = number.text
            try charge(bytes: digits.count, at: link)
            return .number(String(decoding: digits, as: UTF8.self))
        case .written(let digits):
            try charge(bytes: digits.count, at: link)
            return .number(String(decoding: digits, as: UTF8.self))
        case .moment: return try result(try settled(value, at: link), at: link)
        case .string(let text):
            try charge(bytes: text.count, at: link)
            return .string(text)
        case .array(let elements):
            try charge(elements.count, at: link)
            var results: [JSONValue] = []
            results.reserveCapacity(elements.count)
            for element in elements { results.append(try result(element, at: link)) }
            return .array(results)
        case .object(let members):
            try charge(members.count, at: link)
            var results: [JSONValue.Member] = []
            for member in members {
                try charge(bytes: member.key.count, at: link)
                let value = try result(member.value, at: link)
                results.append(JSONValue.Member(key: member.key, value: value))
            }
            return .object(results)
        case .node(let node):
            try charge(bytes: text.range(of: node).count, at: link)
            return JSONValue(text, node)
        }
    }
}
