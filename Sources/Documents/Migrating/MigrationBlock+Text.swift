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
        case .noWayBack(let error): error.located.behind("the way back: ")
        case .absent: "it is not there"
        case .changing: "it changes while it is read"
        case .pinned(let version):
            "its side is made to speak version \(version), by flag or configuration"
        case .unreadableBase: "what was last agreed cannot be read"
        case .notInSync: "it is not in sync"
        case .told(let text): text
        }
    }
}
