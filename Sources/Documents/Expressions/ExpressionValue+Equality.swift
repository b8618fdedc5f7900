extension ExpressionValue {
    /// Whether two values are equal by value: numbers exactly, members in any order.
    func isEqual(
        to other: ExpressionValue,
        in run: inout Evaluator,
        at link: ExpressionTree.Link
    ) throws(ExpressionError) -> Bool {
        if case .node(let mine) = self, case .node(let its) = other {
            let text = run.text
            func size(_ node: Int) -> Int { Int(text.nodes[node].after) - node }
            try run.charge(min(size(mine), size(its)), at: link)
            return text.isEqual(mine, to: text, its)
        }
        let kind = run.kind(of: self)
        guard kind == run.kind(of: other) else { return false }
        try run.charge(1, at: link)
        switch kind {
        case .null: return true
        case .boolean: return run.isTrue(self) == run.isTrue(other)
        case .number: return try run.number(self, at: link) == (try run.number(other, at: link))
        case .string: return isEqualString(to: other, in: run)
        case .array: return try isEqualArray(to: other, in: &run, at: link)
        default: return try isEqualObject(to: other, in: &run, at: link)
        }
    }

    @inline(never)
    private func isEqualString(to other: ExpressionValue, in run: Evaluator) -> Bool {
        switch (self, other) {
        case (.node(let node), .string(let content)), (.string(let content), .node(let node)):
            run.text.isString(node, content)
        default: run.string(self) == run.string(other)
        }
    }

    @inline(never)
    private func isEqualArray(
        to other: ExpressionValue,
        in run: inout Evaluator,
        at link: ExpressionTree.Link
    ) throws(ExpressionError) -> Bool {
        guard let mine = try run.elements(of: self, at: link),
            let its = try run.elements(of: other, at: link),
            mine.count == its.count
        else { return false }
        for (a, b) in zip(mine, its) where !(try a.isEqual(to: b, in: &run, at: link)) { return false }
        return true
    }

    @inline(never)
    private func isEqualObject(
        to other: ExpressionValue,
        in run: inout Evaluator,
        at link: ExpressionTree.Link
    ) throws(ExpressionError) -> Bool {
        guard let mine = try run.members(of: self, at: link), let its = try run.members(of: other, at: link),
            mine.count == its.count
        else { return false }
        var others = ObjectBuilder()
        for member in its { others.set(member.key, member.value) }
        for member in mine {
            guard let place = others.place(of: member.key),
                try member.value.isEqual(to: others.members[place].value, in: &run, at: link)
            else { return false }
        }
        return true
    }
}
