/// A value of a document, or a key of an object: its range in the text.
///
/// The nodes of a document are in one array in the order of the text: an object is followed by its keys and
/// values in turn, an array by its elements, each with everything inside it before the next.
package struct JSONNode: Sendable {
    /// The offset of the first byte; for a string, of its quote.
    var start: UInt32
    /// The offset after the last byte.
    var end: UInt32
    /// The index of the node after everything inside this one.
    var after: UInt32
    var kind: Kind
    var traits: Traits

    package enum Kind: UInt8, Sendable {
        case object, array, string, number, `true`, `false`, null
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        /// A string with escapes, so that its content differs from its text.
        static let escaped = Traits(rawValue: 1)
        /// A string with half a surrogate pair.
        static let loneSurrogate = Traits(rawValue: 2)
        /// An object with duplicate keys.
        static let duplicateKeys = Traits(rawValue: 4)
        /// An object with half a surrogate pair in a key.
        static let loneKeys = Traits(rawValue: 8)
    }
}
