/// One of the two containers in sync.
package enum Side: String, CaseIterable, Codable, Comparable, Sendable {
    case app, group

    package var other: Side { self == .app ? .group : .app }

    package static func < (a: Side, b: Side) -> Bool { a == .app && b == .group }
}

/// A value for each side.
package struct BothSides<Value> {
    package var app: Value
    package var group: Value

    package init(app: Value, group: Value) {
        self.app = app
        self.group = group
    }

    package init(_ value: (Side) throws -> Value) rethrows {
        app = try value(.app)
        group = try value(.group)
    }

    package subscript(side: Side) -> Value {
        // Accessed in place: a copy would be retained, and changing it would copy the whole value.
        _read { if side == .app { yield app } else { yield group } }
        _modify { if side == .app { yield &app } else { yield &group } }
    }

    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> BothSides<Other> {
        BothSides<Other>(app: try transform(app), group: try transform(group))
    }
}

extension BothSides: Sendable where Value: Sendable {}
extension BothSides: Equatable where Value: Equatable {}
extension BothSides: Hashable where Value: Hashable {}
