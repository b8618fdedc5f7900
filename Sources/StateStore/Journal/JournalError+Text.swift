/// Reports, the log and the command line say it in the same words.
extension JournalError {
    package var reason: String {
        switch self {
        case .broken(let failure), .noRoom(let failure), .database(let failure): failure.text
        case .locked: "another process has locked it"
        case .laterSchema(let found, let known):
            "it was written by a later release (schema \(found), this one knows \(known))"
        case .replaced: "it was removed or replaced while the bridge ran"
        case .other(let words): words
        }
    }
}

extension DatabaseFailure {
    fileprivate var text: String { message ?? "SQLite error \(code)" }
}
