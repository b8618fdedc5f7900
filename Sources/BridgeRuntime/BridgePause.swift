import Documents

/// Whether a bridge is paused, after a request to pause or resume it.
package struct BridgePause: Codable, Sendable, Hashable {
    package var isPaused: Bool
    /// Since when it is paused, or was until this request, as RFC 3339; `nil` if it was not.
    package var since: String?
    /// The request changed something.
    package var isChanged: Bool

    /// The beginning of the pause before and after the request, in milliseconds since 1970.
    package init(before: Int64?, now: Int64?) {
        isPaused = now != nil
        since = (now ?? before).map { UTCTime.text($0) }
        isChanged = (before != nil) != isPaused
    }
}
