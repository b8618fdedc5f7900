/// One value of a document, or one key of an object: where it stands in the text.
///
/// The nodes of a document lie in one array in the order of the text: an object is followed by its keys
/// and values in turn, an array by its elements, each with all that is inside it before the next.
package struct JSONNode: Sendable {
    /// The first byte; of a string, its quote.
    var start: UInt32
    /// Behind the last byte.
    var end: UInt32
    /// The node that comes after all that is inside this one.
    var after: UInt32
    var kind: Kind
    var traits: Traits

    package enum Kind: UInt8, Sendable {
        case object, array, string, number, `true`, `false`, null
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        /// A string: its text is not its bytes.
        static let escaped = Traits(rawValue: 1)
        /// A string: has half a surrogate pair in it.
        static let loneSurrogate = Traits(rawValue: 2)
        /// An object: a key stands twice.
        static let duplicateKeys = Traits(rawValue: 4)
        /// An object: a key has half a surrogate pair in it.
        static let loneKeys = Traits(rawValue: 8)
    }
}
