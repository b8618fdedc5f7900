package import Processes

/// Why everything is looked at every second.
package enum PollingReason: Sendable, Hashable {
    /// The helper is not to be found.
    case noHelper
    case notStarted(Launch.Failure)
    /// It ended, and has said this last.
    case complained(String)
    case ended
    /// It does not answer.
    case silent
    /// It watches, but not all directories.
    case limited(RescanReason)
}
