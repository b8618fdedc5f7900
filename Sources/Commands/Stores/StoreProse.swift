import Documents
import Model
import StoreReplica
import Stores

extension NamedStoreFault {
    var prose: ErrorProse {
        switch fault {
        case .noFile: ErrorProse("no file is named", at: "`\(path)`", "name the store's file", .usage)
        case .file(let error): ErrorProse(error.what, at: path(of: error), error.storeAdvice)
        case .content(let fault): ErrorProse(fault.reason, at: path, fault.storeAdvice)
        case .database(let fault): ErrorProse(fault.text, at: path, fault.storeAdvice)
        case .unknownFormat:
            ErrorProse("its bytes are of no known format", at: path, "give --as, if it is a store")
        case .otherFormat(let format):
            ErrorProse(
                "\(format.rawValue) values are in a property list or in preferences, and this is neither",
                at: path,
                "give another --as"
            )
        case .noFormat:
            ErrorProse(
                "no such file",
                at: path,
                "for a new one give --as plist or --as shared-preferences"
            )
        case .hasBackup, .beingWritten, .racing, .displaced: ofOtherPrograms
        default: ofValue
        }
    }

    /// Errors for what other programs do at the same time.
    private var ofOtherPrograms: ErrorProse {
        switch fault {
        case .hasBackup:
            ErrorProse(
                "a program is writing it, or was ended meanwhile: its backup, .bak, exists",
                at: path,
                "start the app that writes it, which restores it; nothing was written"
            )
        case .beingWritten:
            ErrorProse(
                "a program has it open for writing",
                at: path,
                "try again once it is closed, or give a longer --timeout"
            )
        case .displaced(let place):
            ErrorProse(
                "what another program saved at the same moment could not be merged",
                at: path,
                "it is in \(path(of: .missing(place)).quotedForShell)"
            )
        default:
            ErrorProse("other programs keep replacing it", at: path, "try again once they are done")
        }
    }

    /// Errors about the value of a key.
    private var ofValue: ErrorProse {
        func place(_ key: String) -> String { "`\(key)` in \(path)" }
        switch fault {
        case .noKey(let key):
            let advice = "\(CommandHint()("store list", path)) lists all keys"
            return ErrorProse("no such key", at: place(key), advice)
        case .null(let key):
            return ErrorProse("the key has no value", at: place(key), "`store put` gives it one")
        case .noType(let key):
            let advice = "give its --type, such as `--type string`"
            return ErrorProse("the key is new, and has no type", at: place(key), advice, .usage)
        case .mismatch(let key):
            let advice = "read it again, and apply your change to that"
            return ErrorProse("the value is not the expected one", at: place(key), advice, .needsDecision)
        case .notA(let type, let key):
            let what = "the given value is not \(type.words)"
            return ErrorProse(what, at: place(key), "give another, or another --type")
        case .inexpressible(let type, let key):
            let what = "its \(type.rawValue) has dates, data or numbers that JSON does not have"
            return ErrorProse(what, at: place(key), "give --type \(type.rawValue) to replace it without them")
        case .valueFile(let key, let name, let error):
            let what = "the value is in a file of its own, \(name): \(error.what)"
            return ErrorProse(what, at: place(key), "restore that file, or write the value with `store put`")
        case .notInDatabases(let type, let key):
            let what = "a database has no \(type.rawValue); it has string, data, integer and real"
            return ErrorProse(what, at: place(key), "give one of these with --type")
        default: return ErrorProse("\(fault)", at: path, "please report it", .internal)
        }
    }

    /// The path of the file or directory that the error is about, which is beside the store's file.
    private func path(of error: FileError) -> String {
        guard case .file(let file) = error.subject else { return path }
        let slash = path.lastIndex(of: "/")
        return (slash.map { String(path[...$0]) } ?? "") + file.path.name
    }
}

extension FileError {
    fileprivate var storeAdvice: String {
        switch self {
        case .missing, .noDirectory: "name one that exists"
        case .notRegular: "name a file; links are not followed"
        default: "mend that, and try again"
        }
    }
}

extension StoreFault {
    fileprivate var storeAdvice: String {
        switch self {
        case .wrongType(.asyncStorage, _, _, _): "restore the file"
        case .unrepresentable, .wrongType: "give another --type"
        case .forbiddenCharacter: "write it without that character; nothing was written"
        case .duplicateElement: "give each string once; nothing was written"
        case .malformedValue: "write it with `store put` and --type"
        case .notTheFormat, .notKeyed: "give another --as, or restore the file"
        case .tooLarge, .tooDeep, .tooManyValues: "write less"
        case .malformed, .duplicateKey: "restore the file"
        }
    }
}

extension DatabaseFault {
    fileprivate var storeAdvice: String {
        switch self {
        case .busy, .beingWritten: "try again once it is done, or give a longer --timeout"
        case .missingTable, .notATable: "give --table, and the names of its columns"
        case .missingColumn, .generatedColumn: "give --key-column and --value-column"
        case .notADatabase, .corrupt: "name another file"
        case .altered: "give another --type; nothing was changed"
        case .wrongKeyType: "let the app write its keys as text; nothing was changed"
        case .changing: "try again"
        default: "mend that, and try again; nothing was changed"
        }
    }
}
