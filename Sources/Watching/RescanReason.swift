/// Why a watcher can say no more than that everything is to be looked at.
package enum RescanReason: Sendable, Hashable {
    /// The kernel's queue was too short for all that happened.
    case overflow
    /// A container is not where it was, or is there again.
    case rootLost, rootBack
    /// A file system beneath a container was unmounted.
    case unmounted
    /// A directory changed whenever it was listed.
    case unsteady
    /// So many directories have no watch, and why; none: all have one again.
    case watchLimit(unwatched: Int, cause: String)
    /// The helper said what cannot be understood.
    case garbled
    case helperEnded
    /// A new helper has begun: what happened in between, nobody saw.
    case watchingAgain
    /// No helper is to be had.
    case polling

    /// As the helper says it; `nil` for what it does not say.
    init?(helperSays words: String) {
        let parts = words.split(separator: " ", maxSplits: 2)
        switch parts.first {
        case "overflow": self = .overflow
        case "root-lost": self = .rootLost
        case "root-back": self = .rootBack
        case "unmounted": self = .unmounted
        case "unsteady": self = .unsteady
        case "watch-limit":
            guard parts.count > 1, let count = Int(parts[1]) else { return nil }
            self = .watchLimit(unwatched: count, cause: parts.count > 2 ? String(parts[2]) : "")
        default: return nil
        }
    }
}

extension RescanReason: CustomStringConvertible {
    /// For a log, and for `status`.
    package var description: String {
        switch self {
        case .overflow: "overflow"
        case .rootLost: "root-lost"
        case .rootBack: "root-back"
        case .unmounted: "unmounted"
        case .unsteady: "unsteady"
        case .watchLimit(let count, let cause): "watch-limit \(count)\(cause.isEmpty ? "" : " \(cause)")"
        case .garbled: "garbled"
        case .helperEnded: "helper-ended"
        case .watchingAgain: "watching-again"
        case .polling: "polling"
        }
    }
}
