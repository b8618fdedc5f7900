/// Why a document cannot be made into what was asked, as facts.
package enum DocumentError: Error, Sendable, Hashable {
    /// It may not be edited, or would become larger or deeper than it may be.
    case json(JSONError)
    /// The profile knows no such version of it.
    case unknownVersion(Int)
    /// A time without a zone stands at this pointer, and the profile says no zone.
    case noTimeZone(String)
    /// Something else stands there than a step of a migration takes.
    case mismatch(pointer: String, position: JSONPosition?, expected: Expected, found: Found)

    package var position: JSONPosition? {
        switch self {
        case .json(let error): error.position
        case .unknownVersion, .noTimeZone: nil
        case .mismatch(_, let position, _, _): position
        }
    }

    /// What a step takes.
    package enum Expected: Sendable, Hashable {
        case string, number, object, array, table
        case objectOrArray
        case objectWith(key: String)
        case objectAt(JSONPointer)
        /// Where the step moves something to.
        case objectToMoveTo(JSONPointer)
        /// The step makes a field here.
        case nothing
        case flag
        /// What names a row of a table.
        case id
        /// One that no other element has.
        case uniqueID
        /// In a string.
        case decimal
        case integer
        /// In a string.
        case integerText
        /// One that has so many digits behind its point, at most, once it is multiplied.
        case scalable(by: Fraction, digits: Int?)
        case times([TimeForm])
        /// One that can be written in every form.
        case writableTime(TimeForm)
    }

    package enum Found: Sendable, Hashable {
        case kind(JSONNode.Kind)
        /// As the document writes it.
        case scalar(String)
    }
}
