/// Why a lens or a merge rule does not fit the documents of a version.
package enum ShapeFault: Error, Sendable, Hashable {
    case noField(String)
    /// A lens before it took the field away.
    case fieldRemoved(String)
    case fieldExists(String)
    case noMembers(ShapeKind, named: String)
    case mismatch(Expected, at: JSONPointer? = nil, found: ShapeKind)
    case inconvertible(String, SchemaTypes, from: SchemaTypes)
    case unfit(Operation, JSONPointer, ShapeKind)
    case notScalars(JSONPointer, hold: ShapeKind)

    package enum Expected: Sendable, Hashable {
        case object, array, table
    }

    /// What a merge rule does with the values.
    package enum Operation: Sendable, Hashable {
        case comparison, sum, union, number
    }
}

/// What a shape is, without what is inside.
package enum ShapeKind: Sendable, Hashable {
    case any, object, array
    case types(SchemaTypes)
}

/// Why documents of one shape are none of another one.
package enum ShapeDifference: Sendable, Hashable {
    case type(JSONPointer, ShapeKind, expected: ShapeKind)
    /// It is required, and nothing makes it.
    case missing(JSONPointer)
    case extra(JSONPointer)
}
