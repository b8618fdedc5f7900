/// Why a document cannot be changed or migrated as requested.
package enum DocumentError: Error, Sendable, Hashable {
    /// It may not be edited, or the result would exceed the limits on size or depth.
    case json(JSONError)
    /// The profile has no such version of it.
    case unknownVersion(Int)
    /// What was made for this version is recognized as another one, so it would be migrated again.
    indirect case otherVersion(Int, VersionReading)
    /// The value at this pointer is a time without a zone, and the profile has no time zone.
    case noTimeZone(String)
    /// The value at the pointer is not what a migration step expects.
    case mismatch(pointer: String, position: JSONPosition?, expected: Expected, found: Found)

    package var position: JSONPosition? {
        switch self {
        case .json(let error): error.position
        case .unknownVersion, .otherVersion, .noTimeZone: nil
        case .mismatch(_, let position, _, _): position
        }
    }

    /// What a migration step expects.
    package enum Expected: Sendable, Hashable {
        case string, number, object, array, table
        case objectOrArray
        case objectWith(key: String)
        case objectAt(JSONPointer)
        /// The object that the step moves a field to.
        case objectToMoveTo(JSONPointer)
        /// The step creates a field here, so there must be none.
        case nothing
        case flag
        /// The id of a table's row.
        case id
        /// An id that no other element has.
        case uniqueID
        /// A string that is JSON.
        case jsonText
        /// A string that begins so.
        case textBeginning(String)
        /// A decimal number in a string.
        case decimal
        case integer
        /// A whole number in a string.
        case integerText
        /// A number that has at most this many decimal places after the multiplication; any number if
        /// `nil`.
        case scalable(by: Fraction, digits: Int?)
        case times([TimeForm])
        /// A time that each form can represent.
        case writableTime(TimeForm)
    }

    package enum Found: Sendable, Hashable {
        case kind(JSONNode.Kind)
        /// The scalar, as the document writes it.
        case scalar(String)
    }
}
