extension JSONExpression {
    /// The first field that it reads although no document of a shape has it; `nil` if there is none.
    func fault(in shape: Shape) -> ExpressionError? {
        var check = FieldCheck(tree: tree, root: shape)
        _ = check.shape(of: tree.top, on: shape)
        return check.fault
    }

    /// The names of the members of each row that it gives, whatever the document; `nil` if that is not known.
    var rowMembers: [String]? {
        var check = FieldCheck(tree: tree, root: .any)
        guard case .object(let fields) = items(of: check.shape(of: tree.top, on: .any)) else { return nil }
        return fields.list.map { String(decoding: $0.key, as: UTF8.self) }
    }
}

/// Follows an expression through the shape of its document, as far as the shape of a value is known.
private struct FieldCheck {
    let tree: ExpressionTree
    let root: Shape
    var fault: ExpressionError?
    /// Those of the variables of the `let` expressions around.
    private var locals: [Shape] = []

    init(tree: ExpressionTree, root: Shape) { (self.tree, self.root) = (tree, root) }

    mutating func shape(of link: ExpressionTree.Link, on current: Shape) -> Shape {
        switch tree.parts[link] {
        case .current: return current
        case .root: return root
        case .literal, .bound, .free, .reference: return .any
        case .field(let key): return field(key, of: current, at: link)
        case .local(let index): return locals[index]
        case .index(let index): return element(of: current, at: index)
        case .member(let first, let second), .pipe(let first, let second):
            return shape(of: second, on: shape(of: first, on: current))
        case .elements, .values, .flattened, .filtered, .sliced: return projection(link, on: current)
        case .list(let links): return .array(prefix: links.map { shape(of: $0, on: current) }, items: .any)
        case .hash(let entries):
            return .object(
                Shape.Fields(
                    list: entries.map {
                        Shape.Field(key: $0.key, shape: shape(of: $0.value, on: current), isRequired: true)
                    }
                )
            )
        case .or(let first, let second):
            let shapes = (shape(of: first, on: current), shape(of: second, on: current))
            if case .literal = tree.parts[second] { return shapes.0 }
            return .any
        case .and(let first, let second), .comparison(_, let first, let second),
            .arithmetic(_, let first, let second):
            return any(of: [first, second], on: current)
        case .not(let operand), .signed(_, let operand): return any(of: [operand], on: current)
        case .choice(let condition, let yes, let no): return any(of: [condition, yes, no], on: current)
        case .bindings(let values, let body):
            locals += values.map { shape(of: $0, on: current) }
            defer { locals.removeLast(values.count) }
            return shape(of: body, on: current)
        case .call(let function, let arguments): return call(function, arguments, on: current)
        }
    }

    private mutating func any(of links: [ExpressionTree.Link], on current: Shape) -> Shape {
        for link in links { _ = shape(of: link, on: current) }
        return .any
    }

    private mutating func field(_ key: [UInt8], of shape: Shape, at link: ExpressionTree.Link) -> Shape {
        var known: [[UInt8]] = []
        switch shape {
        case .any: return .any
        case .object(let fields):
            if let index = fields.index(of: key) { return fields.list[index].shape }
            if let others = fields.others { return others }
            known = fields.list.map(\.key)
        case .types, .array: break
        }
        let names = known.map { String(decoding: $0, as: UTF8.self) }
        let reason = ExpressionError.Reason.unknownField(String(decoding: key, as: UTF8.self), known: names)
        fault = fault ?? ExpressionError(column: tree.columns[link], reason: reason)
        return .any
    }

    private mutating func projection(_ link: ExpressionTree.Link, on current: Shape) -> Shape {
        let part: Shape
        let next: ExpressionTree.Link
        switch tree.parts[link] {
        case .elements(let list, let each), .sliced(let list, _, let each):
            (part, next) = (items(of: shape(of: list, on: current)), each)
        case .values(let object, let each): (part, next) = (values(of: shape(of: object, on: current)), each)
        case .flattened(let list, let each):
            let inner = items(of: shape(of: list, on: current))
            if case .array = inner { part = items(of: inner) } else { part = inner }
            next = each
        case .filtered(let list, let condition, let each):
            (part, next) = (items(of: shape(of: list, on: current)), each)
            _ = shape(of: condition, on: part)
        default: return .any
        }
        return .array(prefix: [], items: shape(of: next, on: part))
    }

    private mutating func call(
        _ function: ExpressionFunction,
        _ arguments: [ExpressionTree.Link],
        on current: Shape
    ) -> Shape {
        var shapes: [Shape] = []
        for link in arguments { shapes.append(shape(of: link, on: current)) }
        let list = shapes.first { if case .array = $0 { true } else { false } } ?? .any
        for case .reference(let body) in arguments.map({ tree.parts[$0] }) {
            _ = shape(of: body, on: items(of: list))
        }
        switch function {
        case .sortBy, .sort, .reverse, .take: return list
        case .maxBy, .minBy: return items(of: list)
        case .values: return .array(prefix: [], items: shapes.first.map { values(of: $0) } ?? .any)
        default: return .any
        }
    }
}

/// Of a list all of whose elements are alike.
private func items(of shape: Shape) -> Shape {
    if case .array(let prefix, let items) = shape, prefix.isEmpty { items } else { .any }
}

/// Of an object all of whose members are alike.
private func values(of shape: Shape) -> Shape {
    if case .object(let fields) = shape, fields.list.isEmpty { fields.others ?? .any } else { .any }
}

private func element(of shape: Shape, at index: Int) -> Shape {
    guard case .array(let prefix, let items) = shape else { return .any }
    return index >= 0 && index < prefix.count ? prefix[index] : prefix.isEmpty ? items : .any
}
