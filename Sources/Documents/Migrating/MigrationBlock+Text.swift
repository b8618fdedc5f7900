/// Both the command line and the agent show this text.
extension MigrationBlock {
    package var text: String { located.text }

    package var located: LocatedText {
        switch self {
        case .unknownVersion(let fault): fault.located.behind("its version cannot be determined: ")
        case .breaksSchema(let version, let violation):
            violation.located.behind("it violates the schema of version \(version): ")
        case .wouldBreakSchema(let version, let violation):
            violation.located.behind("it would break the schema of version \(version): ")
        case .untranslatable(let error): error.located
        case .noWayBack(let error): error.located.behind("migrating back: ")
        case .absent: "it does not exist"
        case .changing: "it changes while it is read"
        case .pinned(let version):
            "its side is pinned to version \(version) by an option, the configuration or the profile"
        case .unreadableBase: "its base cannot be read"
        case .notInSync: "it is not in sync"
        case .reported(let text): text
        }
    }
}
