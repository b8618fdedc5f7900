import Documents
package import Model
package import Processes

/// The order of the gated calls of a race: with the programs, this determines a run of those whose outcome
/// follows from that order.
package struct ProcessOrder: Sendable, Hashable {
    package var segments: [StepChooser.Segment]
    /// The agent is killed before this step.
    package var kill: Int?

    package init(segments: [StepChooser.Segment] = [], kill: Int? = nil) {
        self.segments = segments
        self.kill = kill
    }
}

/// How the order of a race was controlled, and what it was.
package struct ControlReport: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Each system call on the containers waits for its turn.
        case calls
        /// The programs ask for their turn.
        case gates
        /// The programs are stopped and continued at random times.
        case stops
    }

    package var kind = Kind.stops
    /// Why it was not `calls`, where that was tried.
    package var refusal: GatedProgram.Refusal?
    package var order = ProcessOrder()
    /// The order in which the calls were made. Of a find that was made smaller, `order` is its beginning.
    package var ran: [StepChooser.Segment] = []
    /// The calls of all players until the programs had ended.
    package var steps: [String] = []
    /// What happened past the gates.
    package var escapes: [GateEscape] = []
    /// The hash of all files in both containers at the end.
    package var end: Digest?

    package init() {}

    /// A hash of the steps: equal for the same calls in the same order.
    package var trace: String {
        var hash = Trace(isKept: false)
        for step in steps { hash.record(step) }
        let digits = String(hash.hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension GatedProgram.Refusal: Fact {
    package var text: String {
        switch self {
        case .system(let errno): "the system refuses a filter for system calls: \(systemMessage(errno))"
        case .memory: "the memory of a child process cannot be read"
        case .silent: "a gated program did not start in time"
        }
    }
}
