package import Documents
package import Reconciliation
package import Storage

/// What one look at one document on one side found.
package enum Observation: Sendable {
    case absent
    /// The very bytes that the base says; the signature is how the file looks now.
    case unchanged(Signature)
    case content(DocumentSnapshot)
    case problem(Problem)
}

/// A document as it was read just now.
package struct DocumentSnapshot: Sendable {
    package var json: JSON
    package var bytes: [UInt8]
    package var digest: Digest
    package var signature: Signature
    /// `nil` for documents without versions.
    package var version: Int?
    /// The bridge has published it.
    package var mark: PublicationMark?

    package init(json: JSON, bytes: [UInt8], digest: Digest, signature: Signature, version: Int?) {
        self.json = json
        self.bytes = bytes
        self.digest = digest
        self.signature = signature
        self.version = version
    }
}

/// Why a document must not be acted on. It is never a deletion: both sides stay as they are.
package enum Problem: Sendable, Hashable {
    case notJSON(String)
    case empty
    case tooLarge(Int64, limit: Int)
    case unreadable(FileError)
    case notRegular(FileKind)
    case mountPoint
    case newerVersion(Int, known: Int)
    /// What both sides last agreed on is of a newer version; `nil`: the profile knows no versions of it.
    case newerBase(Int, known: Int?)
    case unknownVersion(String)
    case untranslatable(String)
    /// It breaks the schema of its version: where, and which rule.
    case invalid(String)
    /// What would be written breaks the schema of the version that is spoken there.
    case unfit(version: Int, String)
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
        case .untranslatable: .untranslatable
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

extension Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let reason): "not JSON: \(reason)"
        case .empty: "empty"
        case .tooLarge(let size, let limit): "\(size) bytes; the limit is \(limit) (--max-document)"
        case .unreadable(let error): "cannot be read: \(error.what)"
        case .notRegular(.symbolicLink): "a symbolic link, which is never followed"
        case .notRegular(.directory): "a directory"
        case .notRegular: "not a regular file; it is never opened"
        case .mountPoint: "a mount of its own, which cannot be replaced"
        case .newerVersion(let found, let known): "version \(found), newer than the profile knows (\(known))"
        case .newerBase(let found, let known?):
            "what was last agreed is of version \(found), newer than the profile knows (\(known))"
        case .newerBase(let found, nil):
            "what was last agreed is of version \(found), and the profile knows no versions of it"
        case .unknownVersion(let reason): "its version cannot be told: \(reason)"
        case .untranslatable(let reason): "cannot be said in the other version: \(reason)"
        case .invalid(let violation): "breaks its schema at \(violation)"
        case .unfit(let version, let violation):
            "in version \(version) it would break its schema at \(violation)"
        case .unnamable: "its name is not UTF-8"
        case .namesake(let other):
            "\(other) stands there, whose name differs only in case, and the disk takes the two for one"
        case .changing: "it changes while it is read"
        case .unheard: "who has read what stood there is not known yet"
        case .beingWritten: "a program has it open for writing"
        case .unwritable(let error): "cannot be written: \(error.what)"
        case .unreadableBase(let error): "what was agreed cannot be read from the journal: \(error.reason)"
        }
    }
}
