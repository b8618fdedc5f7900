/// What a value is, in a document with this text. Not inlined: see `Evaluator.evaluate`.
extension ExpressionValue {
    @inline(never)
    func kind(in text: NodeText) -> ExpressionError.ArgumentKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number, .written, .moment: .number
        case .string: .string
        case .array: .array
        case .object: .object
        case .node(let node):
            switch text.kind(node) {
            case .object: .object
            case .array: .array
            case .string: .string
            case .number: .number
            case .true, .false: .boolean
            case .null: .null
            }
        }
    }

    @inline(never)
    func isNull(in text: NodeText) -> Bool {
        switch self {
        case .null: true
        case .node(let node): text.kind(node) == .null
        default: false
        }
    }

    /// All but null, false, and what is empty.
    @inline(never)
    func isTrue(in text: NodeText) -> Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number, .written, .moment: true
        case .string(let content): !content.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        case .node(let node):
            switch text.kind(node) {
            case .null, .false: false
            case .true, .number: true
            case .string: !text.inner(of: node).isEmpty
            case .array, .object: Int(text.nodes[node].after) > node + 1
            }
        }
    }

    /// `nil` if it is no string.
    @inline(never)
    func string(in text: NodeText) -> [UInt8]? {
        switch self {
        case .string(let content): content
        case .node(let node): text.kind(node) == .string ? text.string(node) : nil
        default: nil
        }
    }
}

extension NodeText {
    /// Whether a string has this content.
    func isString(_ node: Int, _ content: [UInt8]) -> Bool {
        if nodes[node].traits.contains(.escaped) { return string(node) == content }
        return sameBytes(bytes, inner(of: node), content, 0..<content.count)
    }
}
