package import Documents
package import Model
package import StateStore

/// Why a document must not be acted on. It is never a deletion: both sides stay as they are.
package enum Problem: Sendable, Hashable {
    case notJSON(JSONError)
    case empty
    case tooLarge(Int64, limit: Int)
    case unreadable(FileError)
    case notRegular(FileKind)
    case mountPoint
    case newerVersion(Int, known: Int)
    /// What both sides last agreed on is of a newer version; `nil`: the profile knows no versions of it.
    case newerBase(Int, known: Int?)
    case unknownVersion(VersionFault)
    /// It cannot be said in the other version.
    case untranslatable(DocumentError)
    /// What both sides last agreed on is no JSON, so that nothing can be translated by it.
    case untranslatableBase(JSONError)
    // A violation is larger than all the others, and every planned change has room for a problem: it is
    // kept apart.
    /// It breaks the schema of its version.
    indirect case invalid(SchemaViolation)
    /// What would be written breaks the schema of the version that is spoken there.
    indirect case unfit(version: Int, SchemaViolation)
    case unnamable
    /// Another document, whose name differs only in case, stands there in a directory that folds case.
    case namesake(RelativePath)
    /// It changed while it was read.
    case changing
    /// It is other than what the bridge put there, and who has read that is not known yet. To open it now
    /// would look as if somebody had.
    case unheard
    /// It has changed, and a program still has it open for writing: it may hold half of a save.
    case beingWritten
    /// The writing of it failed.
    case unwritable(FileError)
    /// The journal could not be read.
    case unreadableBase(JournalError)

    /// A writer may be half way: it is `pending` until it has been unchanged for a while.
    package var mayPass: Bool {
        switch self {
        case .notJSON, .empty, .changing, .unheard, .beingWritten: true
        case .unreadableBase(let error): !error.isBroken
        default: false
        }
    }

    /// Only a newer profile can read it.
    package var isNewerVersion: Bool {
        switch self {
        case .newerVersion, .newerBase: true
        default: false
        }
    }

    /// Worth trying again although nothing has told of a change.
    package var isRetried: Bool {
        switch self {
        case .unreadable, .unwritable, .unreadableBase, .namesake: true
        default: false
        }
    }
}

/// Which problem it is, by a name that stays. The words may change, and nothing is to be told from them.
package enum ProblemKind: String, Codable, Sendable {
    case empty, unreadable, untranslatable, invalid, unfit, unnamable, namesake, changing, unheard
    case unwritable
    case notJSON = "not-json"
    case tooLarge = "too-large"
    case notRegular = "not-regular"
    case mountPoint = "mount-point"
    case newerVersion = "newer-version"
    case newerBase = "newer-base"
    case unknownVersion = "unknown-version"
    case beingWritten = "being-written"
    case unreadableBase = "unreadable-base"
}

extension Problem {
    package var kind: ProblemKind {
        switch self {
        case .notJSON: .notJSON
        case .empty: .empty
        case .tooLarge: .tooLarge
        case .unreadable: .unreadable
        case .notRegular: .notRegular
        case .mountPoint: .mountPoint
        case .newerVersion: .newerVersion
        case .newerBase: .newerBase
        case .unknownVersion: .unknownVersion
        case .untranslatable, .untranslatableBase: .untranslatable
        case .invalid: .invalid
        case .unfit: .unfit
        case .unnamable: .unnamable
        case .namesake: .namesake
        case .changing: .changing
        case .unheard: .unheard
        case .beingWritten: .beingWritten
        case .unwritable: .unwritable
        case .unreadableBase: .unreadableBase
        }
    }
}
