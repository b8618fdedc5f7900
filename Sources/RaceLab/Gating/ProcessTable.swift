import CLinux
import Glibc
import Processes

/// The threads of the players, and whether all of them wait.
///
/// The rule: all threads are seen blocked, twice, and none has run between the two looks. Then all were
/// blocked at once, and only something from outside can wake one: a timer, a signal, another program.
struct ProcessTable {
    enum Stillness: Hashable {
        case still
        case running(thread: Int32, RacePlayer)
    }

    private struct Member {
        var player: RacePlayer
        var process: Int32
        var switches = -1
    }

    private let marks: [(player: RacePlayer, text: [UInt8])]
    private var members: [Int32: Member] = [:]
    private var lines: [Int32: RacedProcess] = [:]
    /// All threads up to this number are known. They are numbered in the order in which they are made.
    private var known: Int32

    /// More new threads than this are found by listing all.
    private static let mostNew: Int32 = 4_096

    /// - Parameter marks: variables in the environments of the players, by which a process is known whose
    ///   parent has ended.
    init(marks: [RacePlayer: String]) {
        self.marks = marks.map { ($0.key, Array("\0\($0.value)\0".utf8)) }
        known = ThreadStatus.newest
    }

    mutating func add(_ thread: Int32, _ player: RacePlayer) {
        guard members[thread] == nil else { return }
        members[thread] = Member(player: player, process: ThreadStatus(of: thread)?.process ?? thread)
    }

    /// The process of a thread, with those that it descends from; a process keeps its line if its parent
    /// ends.
    mutating func process(of thread: Int32) -> RacedProcess {
        let process = members[thread]?.process ?? thread
        if let known = lines[process] { return known }
        var line = [process]
        while let last = line.last, let parent = ThreadStatus(of: last)?.parent, parent > 1,
            parent != getpid(), !line.contains(parent)
        {
            if let known = lines[parent] {
                line += known.line
                break
            }
            line.append(parent)
        }
        lines[process] = RacedProcess(line)
        return RacedProcess(line)
    }

    /// Whether any thread of the process that was started is there.
    func isAlive(_ process: Int32) -> Bool { members.values.contains { $0.process == process } }

    func processes(of player: RacePlayer? = nil) -> Set<Int32> {
        Set(members.values.filter { player == nil || $0.player == player }.map(\.process))
    }

    /// Forgets those that have ended: another process may get their numbers.
    mutating func prune() {
        members = members.filter { thread, _ in ThreadStatus(of: thread).map { $0.state != .ended } ?? false }
    }

    // MARK: Stillness

    /// - Parameter passed: those at gates, which need no look.
    mutating func stillness(except passed: Set<Int32>) -> Stillness {
        let newest = ThreadStatus.newest
        discover(upTo: newest)
        for isSecond in [false, true] {
            for thread in members.keys.sorted() where !passed.contains(thread) {
                guard let member = members[thread] else { continue }
                guard let status = ThreadStatus(of: thread), status.state != .ended else {
                    // Its parent may be about to wake.
                    members[thread] = nil
                    return .running(thread: thread, member.player)
                }
                let isMoved = isSecond && status.switches != member.switches
                if isMoved || !isBlocked(thread, status) { return .running(thread: thread, member.player) }
                members[thread]?.switches = status.switches
            }
        }
        let count = members.count
        discover(upTo: ThreadStatus.newest)
        if members.count > count, let newest = members.max(by: { $0.key < $1.key }) {
            return .running(thread: newest.key, newest.value.player)
        }
        known = newest
        return .still
    }

    private func isBlocked(_ thread: Int32, _ status: ThreadStatus) -> Bool {
        switch status.state {
        case .blocked, .ended: true
        case .running: false
        // Until its child has a program of its own, a parent sleeps like one that waits for a disk.
        case .uninterruptible: ThreadStatus.systemCall(of: thread).map(Self.lending.contains) ?? false
        }
    }

    private static let lending: Set = [linux_call_vfork, linux_call_clone, linux_call_clone3]

    // MARK: New threads

    private mutating func discover(upTo newest: Int32) {
        let isCounted = newest >= known && newest - known < Self.mostNew
        let new =
            isCounted
            ? Array(known + 1..<max(newest, known) + 1)
            : RealTree.names(in: "/proc").compactMap { Int32($0) }.sorted()
        for thread in new where members[thread] == nil {
            guard let status = ThreadStatus(of: thread), status.state != .ended,
                let player = player(of: status)
            else { continue }
            members[thread] = Member(player: player, process: status.process)
        }
    }

    private func player(of status: ThreadStatus) -> RacePlayer? {
        let relative = members.values.first { $0.process == status.process || $0.process == status.parent }
        if let relative { return relative.player }
        guard status.parent == getpid() || status.parent == 1,
            let environment = RealTree.read("/proc/\(status.process)/environ")
        else { return nil }
        let text = [0] + environment
        return marks.first { text.firstRange(of: $0.text) != nil }?.player
    }
}
