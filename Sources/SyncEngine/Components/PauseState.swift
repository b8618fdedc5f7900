import StateStore

/// Whether a person has paused the bridge.
///
/// It keeps since when. A change takes effect once the journal has it, so that the next run of the bridge is
/// paused as well.
package struct PauseState: Sendable, Hashable {
    package static let key = "pausedSince"

    /// Milliseconds since 1970; `nil` if the bridge is not paused.
    package private(set) var since: Int64?

    /// `text`: as stored in the journal.
    package init(text: String? = nil) { since = text.flatMap { Int64($0) } }

    /// Pauses the bridge, unless it is paused already.
    mutating func begin(at now: Moment, in journal: inout JournalBuffer) throws(JournalError) {
        guard since == nil else { return }
        try journal.record([.value("\(now.unixMilliseconds)", key: Self.key)])
        since = now.unixMilliseconds
    }

    mutating func end(in journal: inout JournalBuffer) throws(JournalError) {
        guard since != nil else { return }
        try journal.record([.value("", key: Self.key)])
        since = nil
    }
}
