package import Documents
import Model
import StateStore
import Stores

/// The wording in the status, the log, HTTP responses and on the command line.
extension Problem {
    package var text: String { located.text }

    package var located: LocatedText {
        switch self {
        case .notJSON(let error): error.located.behind("not JSON: ")
        case .empty: "empty"
        case .tooLarge(let size, let limit): "\(size) bytes; the limit is \(limit) (--max-document)"
        case .assetTooLarge(let size, let limit): "\(size) bytes; its profile's limit is \(limit)"
        case .unreadable(let error): "cannot be read: \(error.what)"
        case .notRegular(.symbolicLink): "a symbolic link; the bridge does not follow it"
        case .notRegular(.directory): "a directory"
        case .notRegular: "not a regular file; the bridge does not open it"
        case .mountPoint: "a mount point, which cannot be replaced"
        case .newerVersion(let found, let known):
            "\(versionWords(found)) is newer than the profile's newest version, \(known)"
        case .newerBase(let found, let known?):
            "its base has version \(found), newer than the profile's newest version, \(known)"
        case .newerBase(let found, nil):
            "its base has version \(found), and the profile has no versions of it"
        case .unknownVersion(let fault): fault.located.behind("its version cannot be determined: ")
        case .untranslatable(let error): error.located.behind("cannot be represented in the other version: ")
        case .untranslatableBase(let error):
            error.located
                .behind("cannot be represented in the other version: its base is unreadable: ")
        case .invalid(let violation): violation.located.behind("violates its schema at ")
        case .unfit(let version, let violation):
            violation.located.behind("in version \(version) it would violate its schema at ")
        case .onlyHere(let side):
            "it exists only in \(side.rawValue), and its profile syncs it only from \(side.other.rawValue)"
        case .onlyFrom(let side): "its profile syncs it only from \(side.rawValue)"
        case .unnamable: "its name is not UTF-8"
        case .tooManyDirectories(let count, let limit):
            "its name has \(count) directories; the limit is \(limit) (--max-directories)"
        case .namesake(let other):
            "its name differs only in case from \(other), and the file system ignores case"
        case .viewName(let document):
            """
            its name is reserved for a view of \(document), so it is not synced; \
            rename it, or remove the view from the profile
            """
        case .changing: "it changes while the bridge reads it"
        case .unheard: "the bridge does not know yet which programs read its previous content"
        case .beingWritten: "a program has it open for writing"
        case .unfinishedSave(let file, let since):
            """
            an unfinished save of \(file), since \(UTCTime.text(since / 1_000_000)): its .bak is there; \
            the app finishes it at its next start
            """
        // A database: no document's own file is locked.
        case .unwritable(.system(_, .lock, let file)):
            "cannot be written: another program has locked \(file.path)"
        case .unwritable(let error): "cannot be written: \(error.what)"
        case .store(let problem): "its store cannot be read: \(problem.text)"
        case .unstorable(let problem) where problem.reason == .unfinishedSave:
            "cannot be written: \(problem.text)"
        case .unstorable(let problem): "its store cannot hold it: \(problem.text)"
        case .located(let address, .beingWritten) where address.isRow:
            "\(address.file): another program is writing to the database"
        case .located(let address, let problem): problem.located.behind("\(address.text): ")
        case .unreadableBase(let error): "its base cannot be read from the journal: \(error.reason)"
        }
    }
}
