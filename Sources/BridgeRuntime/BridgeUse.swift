/// How a bridge is opened.
package enum BridgeUse: Sendable {
    /// Keeps the containers in sync until it is closed.
    case agent
    /// Acts only on request.
    case command
    /// Writes nothing, not even a state directory.
    case look
    /// As `look`, and touches no file of the state directory: works with a copy of the journal.
    case examine

    var onlyLooks: Bool { self == .look || self == .examine }
}
