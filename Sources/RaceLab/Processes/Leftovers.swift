import Glibc

/// What programs of a race have left running in sessions of their own, where whoever ends a process group
/// does not reach it. It is known by its environment, which it has from the race.
struct Leftovers {
    private let mark: [UInt8]

    /// What is killed may have started something meanwhile; nobody goes on like that for so long.
    private static let mostRounds = 100

    /// - Parameter variable: one of the environment; its value is of this race alone.
    init(_ variable: String, _ value: String) { mark = Array("\0\(variable)=\(value)\0".utf8) }

    func end() {
        for _ in 0..<Self.mostRounds {
            let found = RealTree.names(in: "/proc").compactMap { pid_t($0) }.filter(isOfRace)
            if found.isEmpty { return }
            for process in found { kill(process, SIGKILL) }
            _ = poll(nil, 0, 5)
        }
    }

    /// Other people's cannot be read, and what has ended has none any more.
    private func isOfRace(_ process: pid_t) -> Bool {
        guard process != getpid(), let environment = RealTree.read("/proc/\(process)/environ") else {
            return false
        }
        return ([0] + environment).firstRange(of: mark) != nil
    }
}
