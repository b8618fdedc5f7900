import Glibc

/// The processes that a race's programs left running in sessions of their own, which ending a process group
/// does not reach. They are found by an environment variable of the race.
struct Leftovers {
    private let mark: [UInt8]

    /// A process may start others before it is killed; this is a limit of rounds.
    private static let mostRounds = 100

    /// - Parameter variable: an environment variable; its value is unique to this race.
    init(_ variable: String, _ value: String) { mark = Array("\0\(variable)=\(value)\0".utf8) }

    /// A process that was started without its parent's environment is not found.
    var isAny: Bool { !processes.isEmpty }

    var processes: [pid_t] { RealTree.names(in: "/proc").compactMap { pid_t($0) }.filter(isOfRace) }

    func end() {
        for _ in 0..<Self.mostRounds {
            let found = processes
            if found.isEmpty { return }
            for process in found { kill(process, SIGKILL) }
            _ = poll(nil, 0, 5)
        }
    }

    /// Other users' environments cannot be read, and a process that ended has none.
    private func isOfRace(_ process: pid_t) -> Bool {
        guard process != getpid(), let environment = RealTree.read("/proc/\(process)/environ") else {
            return false
        }
        return ([0] + environment).firstRange(of: mark) != nil
    }
}
