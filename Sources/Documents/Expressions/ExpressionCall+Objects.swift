extension ExpressionCall {
    /// `nil` for a function that is not about objects.
    @inline(never)
    func objectFunction(in run: inout Evaluator) throws(ExpressionError) -> Value? {
        switch function {
        case .keys: return .array(try members(0, in: &run).map { .string($0.key) })
        case .values:
            if let values = try run.memberValues(of: values[0], at: link) { return .array(values) }
            throw wrongType(0, [.object], found: run.kind(of: values[0]), in: run)
        case .items:
            return .array(try members(0, in: &run).map { .array([.string($0.key), $0.value]) })
        case .fromItems: return try fromItems(in: &run)
        case .merge:
            var object = ObjectBuilder()
            for place in 0..<values.count {
                for member in try members(place, in: &run) { object.set(member.key, member.value) }
            }
            return .object(object.members)
        case .groupBy: return try grouped(in: &run)
        case .type: return Value(run.kind(of: values[0]).rawValue)
        default: return nil
        }
    }

    private func fromItems(in run: inout Evaluator) throws(ExpressionError) -> Value {
        var object = ObjectBuilder()
        for element in try elements(0, in: &run) {
            guard let pair = try run.elements(of: element, at: link), pair.count == 2,
                let key = run.string(pair[0])
            else { throw wrongType(0, [.pairs], found: run.kind(of: element), in: run) }
            try run.charge(1, at: link)
            object.set(key, pair[1])
        }
        return .object(object.members)
    }

    /// Groups in the order of their first elements.
    private func grouped(in run: inout Evaluator) throws(ExpressionError) -> Value {
        var groups: [[Value]] = []
        var object = ObjectBuilder()
        for element in try elements(0, in: &run) {
            guard run.kind(of: element) == .object else {
                throw wrongType(0, [.objects], found: run.kind(of: element), in: run)
            }
            let key = try expression.map { expression throws(ExpressionError) in
                try run.evaluate(expression, on: element)
            }
            guard let key, !run.isNull(key) else { continue }
            guard let name = run.string(key) else {
                throw run.fail(link, .type(.key(function), expected: [.string], found: run.kind(of: key)))
            }
            if let place = object.place(of: name) {
                groups[place].append(element)
            } else {
                object.set(name, .null)
                groups.append([element])
            }
        }
        return .object(zip(object.members, groups).map { Value.Member(key: $0.key, value: .array($1)) })
    }
}
