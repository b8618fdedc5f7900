/// One of the two containers in sync.
///
/// Public for `BothSides`. That is public because the compiler specializes only public generic types in other
/// modules; those of `package` access are used there through their metadata.
public enum Side: String, CaseIterable, Codable, Comparable, Sendable {
    case app, group

    public var other: Side { self == .app ? .group : .app }

    public static func < (a: Side, b: Side) -> Bool { a == .app && b == .group }
}

/// A value for each side.
public struct BothSides<Value> {
    public var app: Value
    public var group: Value

    public init(app: Value, group: Value) {
        self.app = app
        self.group = group
    }

    public init(_ value: (Side) throws -> Value) rethrows {
        app = try value(.app)
        group = try value(.group)
    }

    public subscript(side: Side) -> Value {
        // Accessed in place: a copy would be retained, and changing it would copy the whole value.
        _read { if side == .app { yield app } else { yield group } }
        _modify { if side == .app { yield &app } else { yield &group } }
    }

    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> BothSides<Other> {
        BothSides<Other>(app: try transform(app), group: try transform(group))
    }
}

extension BothSides: Sendable where Value: Sendable {}
extension BothSides: Equatable where Value: Equatable {}
extension BothSides: Hashable where Value: Hashable {}
