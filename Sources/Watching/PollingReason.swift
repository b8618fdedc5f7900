package import Processes

/// Why the bridge polls every second.
package enum PollingReason: Sendable, Hashable {
    /// The watching program was not found.
    case noHelper
    case notStarted(Launch.Failure)
    /// It ended, with this last error message.
    case complained(String)
    case ended
    /// It does not answer.
    case silent
    /// It watches only a part of the directories.
    case limited(RescanReason)
}
