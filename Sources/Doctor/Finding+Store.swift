package import Documents
package import Model
package import Stores

extension Finding {
    /// Why the store cannot be where the profile says.
    package enum Placement: Sendable, Hashable {
        /// Programs of the platform have no such files.
        case otherPlatform(StoreFileKind, StorePlatform)
        /// Its programs keep it in the app's own container.
        case notInGroup(StoreFormat)
        /// The property list is not where `UserDefaults` reads and writes.
        case notUserDefaults
        /// The preferences of a group have its ID as their name; these are the profile's groups.
        case otherGroup([String])
        /// The preferences are not in the directory of Android's preferences.
        case notPreferences
    }

    /// What is wrong with the store that is there.
    package enum Store: Sendable, Hashable {
        /// Every user of the machine may change the file, or the directory: its permission bits.
        case exposed(UInt32)
        /// There is no such file, but one whose path has other capitals.
        case otherCase(String)
        /// The file of another group of the profile is there as well.
        case otherGroupFile(String)
        /// A killed run of `store put` left this file.
        case leftover
        /// A long for a value of this type, real or integer, that may be the bits of a real number as well as
        /// a count or time. If not even a guess is possible, it is not read.
        case doubtfulLong(Int64, StoreType, isRead: Bool)
        /// There is no such file; these are beside its place.
        case missing(neighbours: [String])
        /// There is no such file, but one of the same name in another directory, where an earlier release of
        /// the app kept it.
        case otherPlace(String)
        /// Other programs change it too often to read it.
        case busy
        /// Another program has had the database locked for a while.
        case locked
        case unreadable(FileError)
        case unusable(StoreProblem)
        /// A database that is too large to be copied, in bytes.
        case notExamined(Int64)
        /// A value that is not of the type that the profile says, or not encoded like that.
        case mismatch(StoreMismatch)
        /// A single value that is not that of the document beside it.
        case differs(StoreDifference)
        /// The file does not have the key, but this one, which is likely to be meant.
        case otherKey(String)
        /// The file has this key as well, which differs in the prefix, with another value.
        ///
        /// `isNewer`: whether the document there is; `nil` if nothing tells.
        case secondKey(String, isNewer: Bool?)
        /// The app's `SharedPreferencesAsync` keeps its values in this file, which has another format.
        case dataStore(String)
        /// The bridge creates none in this format.
        case missingDatabase
        case missingKey
        /// `isMade`: the bridge makes it.
        case missingTable(String, isMade: Bool)
        case missingRow
        /// Since then, in nanoseconds since 1970, there is a file of the same name with `.bak`: a program is
        /// writing the preferences, or was ended meanwhile.
        case backup(since: Int64)
        /// The file, or a row, has more bytes than the platform takes.
        case tooLarge(Int, limit: Int)
    }

    /// What is wrong with the document in the store.
    package enum Content: Sendable, Hashable {
        case notJSON(JSONError)
        case newerVersion(Int, newest: Int)
        case unknownVersion(VersionFault)
        case invalid(SchemaViolation)
    }
}
