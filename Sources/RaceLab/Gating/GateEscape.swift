package import Model

/// What a program did past the gates, so that the order of calls does not have it.
package enum GateEscape: Fact {
    /// What is submitted to an io_uring, or by `io_submit`, is no system call of its own.
    case ring(RacePlayer)
    /// Of another architecture's programs, such as those of 32-bit code and of `int 0x80`.
    case otherCalls(RacePlayer)
    /// A store into mapped memory is no system call.
    case sharedMapping(RacePlayer, path: String)
    /// A process of it was still running when its command had ended.
    case outlived(RacePlayer)
    /// Where it gains rights by its set-user-ID bit.
    case setUserID(RacePlayer, program: String)
    /// The paths of its calls cannot be read.
    case unreadable(RacePlayer)
    /// It came to neither a gate nor a wait in time, so others went on beside it.
    case late(RacePlayer, step: Int)
    /// A document changed, and no call that passed a gate did it.
    case ungated(Location, step: Int, count: Int)

    /// Since then calls do not show in which order things happened.
    var isUnordered: Bool {
        switch self {
        case .ring, .otherCalls, .late: true
        default: false
        }
    }

    var isLate: Bool { if case .late = self { true } else { false } }

    var isMapping: Bool { if case .sharedMapping = self { true } else { false } }

    package var text: String {
        switch self {
        case .ring(let player):
            "\(player.name) uses io_uring or io_submit, whose reads and writes pass no gate"
        case .otherCalls(let player):
            "\(player.name) makes system calls of another architecture (32-bit code), which pass no gate"
        case .sharedMapping(let player, let path):
            "\(player.name) maps \(path) to write, and stores into memory pass no gate"
        case .outlived(let player):
            "a process of \(player.name) was still running after its command had ended"
        case .setUserID(let player, let program):
            "\(player.name) runs \(program), which cannot gain other rights under the gates"
        case .unreadable(let player): "the paths of \(player.name)'s calls cannot be read; they pass no gate"
        case .late(let player, let step):
            "\(player.name) ran past the time limit at step \(step); the order is not controlled from there"
        case .ungated(let file, let step, let count):
            "\(file) changed at step \(step)"
                + (count > 1 ? ", and documents at \(counted(count - 1, "other step", "other steps"))" : "")
                + ", by no call that passed a gate: by another program, or under another name"
        }
    }
}
