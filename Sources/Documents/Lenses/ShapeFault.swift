/// Why a lens or a merge rule does not fit the documents of a version.
package enum ShapeFault: Error, Sendable, Hashable {
    case noField(String)
    /// A previous lens removed the field.
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

/// The kind of a shape, without its contents.
package enum ShapeKind: Sendable, Hashable {
    case any, object, array
    case types(SchemaTypes)
}

/// Why documents of one shape are not documents of another.
package enum ShapeDifference: Sendable, Hashable {
    case type(JSONPointer, ShapeKind, expected: ShapeKind)
    /// It is required, and no lens creates it.
    case missing(JSONPointer)
    case extra(JSONPointer)
}
