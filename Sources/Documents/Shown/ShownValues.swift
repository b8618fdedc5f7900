/// What a kind of widget has computed from a document.
package struct ShownValues: Sendable, Hashable {
    package struct Value: Sendable, Hashable {
        package var name: String
        package var value: JSONValue

        /// Equal for equal values, however they are written.
        var canonical: [UInt8] { Array(name.utf8) + [0] + value.canonical }
    }

    /// In the profile's order.
    package var values: [Value] = []
    /// `nil` if it has no list.
    package var rows: [JSONValue]?
    /// How many rows its family has no room for.
    package var more = 0
    private var showsMore = false
    /// The first expression that has no value.
    package var fault: Fault?
    /// When any of it may change without a change of the document, in milliseconds since 1970.
    package var changesAt: Int64?

    /// An expression that has no value for a document.
    package struct Fault: Error, Sendable, Hashable {
        /// The name of a value, or `rows`.
        package var name: String
        package var error: ExpressionError
    }

    package init() {}

    /// - Parameter document: in the newest version.
    package init(of document: JSON, _ content: ComputedContent, in setting: WidgetSetting) {
        showsMore = content.showsMore
        do throws(Fault) {
            for value in content.values {
                let result = try value.expression.value(named: value.name, document, in: setting, &changesAt)
                values.append(Value(name: value.name, value: result))
            }
            if let rows = content.rows {
                let list = try rows.value(named: Self.rowsName, document, in: setting, &changesAt)
                try cut(list, to: setting.family?.most)
            }
        } catch {
            fault = error
        }
    }

    package static let rowsName = "rows"

    private mutating func cut(_ list: JSONValue, to most: Int?) throws(Fault) {
        switch list {
        case .null: rows = []
        case .array(let elements):
            let count = min(elements.count, most ?? .max)
            rows = Array(elements.prefix(count))
            more = elements.count - count
        default:
            let found = ExpressionError.ArgumentKind(rawValue: list.kind.rawValue) ?? .null
            let reason = ExpressionError.Reason.type(
                .operand(Self.rowsName),
                expected: [.array],
                found: found
            )
            throw Fault(name: Self.rowsName, error: ExpressionError(column: 1, reason: reason))
        }
    }

    /// Equal where a widget shows the same, however the values are written.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes += value.canonical + [0] }
        for row in rows ?? [] { bytes += row.canonical + [0] }
        bytes += Array("\(showsMore ? more : 0)\(fault.map { "!\($0.name)" } ?? "")".utf8)
        return bytes
    }
}

extension JSONValue {
    fileprivate var canonical: [UInt8] {
        guard let json = try? JSON(parsing: bytes, limits: .unbounded) else { return bytes }
        return canonicalBytes(of: json)
    }

    /// As JMESPath has it: what is neither empty, nor `false`, nor `null`.
    var isTrue: Bool {
        switch self {
        case .null, .bool(false): false
        case .bool(true), .number: true
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        }
    }
}

extension JSONExpression {
    /// Its value, and when that may change: the earlier of that and `changesAt`, in milliseconds since 1970.
    func value(
        named name: String,
        _ document: JSON,
        in setting: WidgetSetting,
        _ changesAt: inout Int64?
    ) throws(ShownValues.Fault) -> JSONValue {
        func add(_ change: Int?) {
            guard let change else { return }
            changesAt = min(changesAt ?? .max, Int64(change).multipliedClamping(by: 1000))
        }
        do throws(ExpressionError) {
            let evaluation = try evaluate(document, in: setting.surroundings)
            add(evaluation.changesAt)
            return evaluation.value
        } catch {
            add(error.changesAt)
            throw ShownValues.Fault(name: name, error: error)
        }
    }
}

extension Int64 {
    fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: factor)
        return overflows ? (self < 0 ? .min : .max) : product
    }
}
