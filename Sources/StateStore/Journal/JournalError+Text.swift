/// The wording in reports, the log and on the command line.
extension JournalError {
    package var reason: String {
        switch self {
        case .broken(let failure), .noRoom(let failure), .database(let failure): failure.text
        case .locked: "another process has locked it"
        case .otherSchema(let found, let known):
            "\(found > known ? "a later" : "an older") release wrote it (schema \(found); this release has \(known))"
        case .replaced: "it was removed or replaced while the bridge was running"
        case .other(let words): words
        }
    }
}

extension DatabaseFailure {
    fileprivate var text: String { message ?? "SQLite error \(code)" }
}
