package import Documents
package import Model
package import StateStore
package import Stores

/// Why a document is held. It never counts as deleted: both sides stay as they are.
package enum Problem: Sendable, Hashable {
    case notJSON(JSONError)
    case empty
    case tooLarge(Int64, limit: Int)
    /// It is above the profile's limit for this asset.
    case assetTooLarge(Int64, limit: Int)
    case unreadable(FileError)
    case notRegular(FileKind)
    case mountPoint
    case newerVersion(Int, known: Int)
    /// The base has a newer version; `nil`: the profile has no versions of the document.
    case newerBase(Int, known: Int?)
    case unknownVersion(VersionFault)
    /// It cannot be represented in the other version.
    case untranslatable(DocumentError)
    /// The base is not JSON, so nothing can be translated with it.
    case untranslatableBase(JSONError)
    // A violation is larger than the other payloads, and every planned change has room for a problem, so it
    // is indirect.
    /// It violates the schema of its version.
    indirect case invalid(SchemaViolation)
    /// The content to write violates the schema of that side's version.
    indirect case unfit(version: Int, SchemaViolation)
    /// It exists only on this side, and its profile syncs it only from the other one.
    case onlyHere(Side)
    /// A person wants to change it on a side whose changes are not synced.
    case onlyFrom(Side)
    case unnamable
    /// Its name has so many directories.
    case tooManyDirectories(Int, limit: Int)
    /// Another document's name differs only in case, in a case-insensitive directory.
    case namesake(RelativePath)
    /// Its name is that of a view of this document, so it is not a document itself.
    case viewName(of: RelativePath)
    /// It changed while the bridge read it.
    case changing
    /// It differs from the bridge's publication, and the programs that read that are not known yet. Opening
    /// the file now would look like a program's read.
    case unheard
    /// It changed, and a program still has it open for writing: it may be partly written.
    case beingWritten
    /// Its store has a backup since then, in nanoseconds since 1970: the app did not finish its last save.
    indirect case unfinishedSave(RelativePath, since: Int64)
    /// Writing it failed.
    case unwritable(FileError)
    /// Its store, or the value in it, cannot be read.
    indirect case store(StoreProblem)
    /// The store of the other side cannot hold its value.
    indirect case unstorable(StoreProblem)
    /// The journal could not be read.
    case unreadableBase(JournalError)
    /// For people: where the document is that has the problem.
    indirect case located(StoreAddress, Problem)

    /// A writer may not have finished: the document is `pending` until it is unchanged for a while.
    package var mayPass: Bool {
        switch self {
        case .notJSON, .empty, .changing, .unheard, .beingWritten, .unfinishedSave: true
        case .unreadableBase(let error): !error.isBroken
        case .store(let problem): problem.mayPass
        // Of a database that a program is writing to.
        case .unwritable(.system(_, .lock, _)): true
        case .located(_, let problem): problem.mayPass
        default: false
        }
    }

    /// A look that does not wait, and knows of no content from before, may find a content or none.
    var isOfLookAlone: Bool {
        switch self {
        case .unheard, .beingWritten, .unfinishedSave: true
        case .store(let problem): problem.reason == .missing
        default: false
        }
    }

    /// Its store was made anew without it.
    var isOfNewStore: Bool {
        if case .store(let problem) = self { problem.reason == .madeAnew } else { false }
    }

    /// Its next content comes with an event, however long that takes.
    var isBeingWritten: Bool {
        switch self {
        case .beingWritten, .unfinishedSave: true
        case .located(_, let problem): problem.isBeingWritten
        default: false
        }
    }

    /// Another program has locked it. No event reports the end of the lock.
    var isLocked: Bool {
        switch self {
        case .unreadable(.system(_, .lock, _)), .unwritable(.system(_, .lock, _)): true
        case .store(let problem): problem.reason == .database(.busy)
        case .located(_, let problem): problem.isLocked
        default: false
        }
    }

    /// Only a newer profile can read it.
    package var isNewerVersion: Bool {
        switch self {
        case .newerVersion, .newerBase: true
        case .located(_, let problem): problem.isNewerVersion
        default: false
        }
    }

    /// Retried even without a hint.
    package var isRetried: Bool {
        switch self {
        case .unreadable, .unwritable, .unreadableBase, .namesake: true
        case .store(let problem): problem.isRetried
        case .located(_, let problem): problem.isRetried
        default: false
        }
    }

    /// The same with the place in a store, which has another name than the document, unless it names its
    /// file already.
    func located(at address: StoreAddress?) -> Problem {
        switch self {
        case .store, .unstorable, .unfinishedSave, .located, .unwritable(.system(_, .lock, _)): self
        case .onlyHere, .onlyFrom, .unnamable, .tooManyDirectories, .namesake, .viewName, .unreadableBase,
            .newerBase, .untranslatableBase:
            self
        default: address.map { .located($0, self) } ?? self
        }
    }
}

/// The kind of a problem, with a fixed name. The text may change, and is never parsed.
package enum ProblemKind: String, Codable, Sendable {
    case empty, unreadable, untranslatable, invalid, unfit, unnamable, namesake, changing, unheard
    case unwritable
    case onlyHere = "only-here"
    case onlyFrom = "only-from"
    case tooManyDirectories = "too-many-directories"
    case notJSON = "not-json"
    case tooLarge = "too-large"
    case notRegular = "not-regular"
    case mountPoint = "mount-point"
    case newerVersion = "newer-version"
    case newerBase = "newer-base"
    case unknownVersion = "unknown-version"
    case viewName = "view-name"
    case beingWritten = "being-written"
    case unreadableBase = "unreadable-base"
    case store, unstorable
}

extension Problem {
    package var kind: ProblemKind {
        switch self {
        case .notJSON: .notJSON
        case .empty: .empty
        case .tooLarge, .assetTooLarge: .tooLarge
        case .unreadable: .unreadable
        case .notRegular: .notRegular
        case .mountPoint: .mountPoint
        case .newerVersion: .newerVersion
        case .newerBase: .newerBase
        case .unknownVersion: .unknownVersion
        case .untranslatable, .untranslatableBase: .untranslatable
        case .invalid: .invalid
        case .unfit: .unfit
        case .onlyHere: .onlyHere
        case .onlyFrom: .onlyFrom
        case .unnamable: .unnamable
        case .tooManyDirectories: .tooManyDirectories
        case .namesake: .namesake
        case .viewName: .viewName
        case .changing: .changing
        case .unheard: .unheard
        case .beingWritten, .unfinishedSave: .beingWritten
        case .unwritable: .unwritable
        case .unreadableBase: .unreadableBase
        case .store: .store
        case .unstorable: .unstorable
        case .located(_, let problem): problem.kind
        }
    }
}
