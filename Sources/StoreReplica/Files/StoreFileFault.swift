package import Documents
package import Model
package import Stores

/// Why a store cannot be read or changed by hand.
package enum StoreFileFault: Error, Sendable, Hashable {
    /// The path has no name of a file.
    case noFile
    case file(FileError)
    case content(StoreFault)
    case database(DatabaseFault)
    /// Its bytes are of no known format, or it is empty.
    case unknownFormat
    /// It is not what the format that was asked for lies in.
    case otherFormat(StoreFormat)
    /// A new file is created only in a format that was asked for.
    case noFormat
    /// A program is writing the preferences: their backup exists.
    case hasBackup
    /// A program has the file open for writing.
    case beingWritten
    /// Other programs replaced the file again and again.
    case racing
    /// What a program saved at the same moment could not be merged, and is here now.
    case displaced(Location)
    case noKey(String)
    /// The key exists, and has no value.
    case null(key: String)
    /// The key is new, so that it has no type yet.
    case noType(key: String)
    /// The value is not the expected one.
    case mismatch(key: String)
    case notA(StoreType, key: String)
    /// The value that is replaced has parts which the text of such a value does not express.
    case inexpressible(StoreType, key: String)
    /// The value of the key is in a file of its own beside AsyncStorage's manifest, which cannot be read.
    case valueFile(key: String, name: String, FileError)
    /// A database has no values of this type.
    case notInDatabases(StoreType, key: String)
}
