/// Why a watcher asks to read everything.
package enum RescanReason: Sendable, Hashable {
    /// The kernel's event queue overflowed.
    case overflow
    /// A container was moved away or deleted, or is there again.
    case rootLost, rootBack
    /// A file system below a container was unmounted.
    case unmounted
    /// A directory changed each time it was listed.
    case unsteady
    /// This many directories are not watched, and why; 0: all are watched again.
    case watchLimit(unwatched: Int, cause: String)
    /// The watching program sent an invalid line.
    case garbled
    case helperEnded
    /// The watching program was restarted: changes in between were not seen.
    case watchingAgain
    /// There is no watching program.
    case polling

    /// Parses the watching program's word; `nil` for an unknown one.
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
    /// The text for the log and for `status`.
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
