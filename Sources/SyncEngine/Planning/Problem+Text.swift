package import Documents
import Model
import StateStore

/// Status, logs, the answers over HTTP and the command line say it in the same words.
extension Problem {
    package var text: String { located.text }

    package var located: LocatedText {
        switch self {
        case .notJSON(let error): error.located.behind("not JSON: ")
        case .empty: "empty"
        case .tooLarge(let size, let limit): "\(size) bytes; the limit is \(limit) (--max-document)"
        case .unreadable(let error): "cannot be read: \(error.what)"
        case .notRegular(.symbolicLink): "a symbolic link, which is never followed"
        case .notRegular(.directory): "a directory"
        case .notRegular: "not a regular file; it is never opened"
        case .mountPoint: "a mount of its own, which cannot be replaced"
        case .newerVersion(let found, let known):
            "\(versionWords(found)), newer than the profile knows (\(known))"
        case .newerBase(let found, let known?):
            "what was last agreed is of version \(found), newer than the profile knows (\(known))"
        case .newerBase(let found, nil):
            "what was last agreed is of version \(found), and the profile knows no versions of it"
        case .unknownVersion(let fault): fault.located.behind("its version cannot be told: ")
        case .untranslatable(let error): error.located.behind("cannot be represented in the other version: ")
        case .untranslatableBase(let error):
            error.located
                .behind("cannot be represented in the other version: what was last agreed is unreadable: ")
        case .invalid(let violation): violation.located.behind("breaks its schema at ")
        case .unfit(let version, let violation):
            violation.located.behind("in version \(version) it would break its schema at ")
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
