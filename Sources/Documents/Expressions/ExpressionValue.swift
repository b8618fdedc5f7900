/// A value during an evaluation: a node of the document, or one that was made.
enum ExpressionValue: Sendable {
    /// The index of a node.
    case node(Int)
    case null
    case bool(Bool)
    case number(ExactNumber)
    /// A number of a literal or of a parameter, as it is written there.
    case written([UInt8])
    /// The present moment, moved: a number that grows or falls with each second.
    case moment(MovingNumber)
    /// See `JSONValue.string`.
    case string([UInt8])
    case array([ExpressionValue])
    case object([Member])

    struct Member: Sendable {
        var key: [UInt8]
        var value: ExpressionValue
    }

    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text): self = .written(Array(text.utf8))
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { ExpressionValue($0) })
        case .object(let members):
            self = .object(members.map { Member(key: $0.key, value: ExpressionValue($0.value)) })
        }
    }

    init(_ text: String) { self = .string(Array(text.utf8)) }
    init(_ value: Int) { self = .number(ExactNumber(value)) }
}
