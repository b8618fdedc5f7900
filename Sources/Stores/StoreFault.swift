/// Why a store cannot be read, or a value cannot be written to it.
package enum StoreFault: Error, Sendable, Hashable {
    /// It is not of the format at all.
    case notTheFormat(FileFormat)
    /// It is of the format up to this place.
    case malformed(FileFormat, StorePlace, Detail)
    case tooLarge(bytes: Int, limit: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
    /// The top level is not a dictionary.
    case notKeyed(FileFormat, found: StoreType)
    case duplicateKey(FileFormat, String)
    /// The value of a key cannot be read; without a place where the file is well-formed.
    case malformedValue(FileFormat, key: String, StorePlace?, Detail)
    /// The value of a key is of another type than its reader takes it for.
    case wrongType(FileFormat, key: String, found: StoreType, expected: StoreType)
    /// The format has no such type or text, so the value cannot be written.
    case unrepresentable(FileFormat, key: String, StoreType)
    /// The key or its value has this character, which XML does not allow.
    case forbiddenCharacter(FileFormat, key: String, Unicode.Scalar)
    /// A set with the same string twice, of which its reader would find one.
    case duplicateElement(FileFormat, key: String, String)

    /// What is wrong at a place.
    package enum Detail: Sendable, Hashable {
        case endOfFile
        case expected(String)
        /// The text is not a value of this type.
        case notA(StoreType)
        case notUTF8
        /// An entity that is not XML's own, which is never expanded.
        case entity(String)
        /// A document type that is not expected, or with declarations.
        case documentType
        /// A text encoding other than UTF-8.
        case encoding(String)
        /// The code of a character that the format does not allow.
        case character(UInt64)
        case repeatedAttribute(String)
        case unknownElement(String)
        /// An object refers to itself, or out of the file.
        case reference(Int)
        case version(String)
    }
}

/// A place in a file.
package enum StorePlace: Sendable, Hashable {
    /// In bytes, from 0.
    case offset(Int)
    /// From 1; columns in characters.
    case line(Int, column: Int)
}

/// A format of a file with keys.
package enum FileFormat: String, Sendable, Hashable, CaseIterable {
    case binaryPropertyList = "binary plist"
    case xmlPropertyList = "XML plist"
    case sharedPreferences = "shared-preferences"
    case asyncStorage = "async-storage"
}
