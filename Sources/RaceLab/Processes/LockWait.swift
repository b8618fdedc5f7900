import Glibc

/// A file lock that a program waits for.
package struct LockWait: Sendable, Hashable {
    package var waiting: RacePlayer
    /// As `app/.lock`, or its path if it is in no container.
    package var file: String
    /// `nil`: none of the race's programs.
    package var holder: RacePlayer?

    /// What the program waits for, and what its holder waits for, until one of them comes again.
    static func chain(from first: RacePlayer, among programs: [RacedProgram]) -> [LockWait] {
        var chain: [LockWait] = []
        let locks = LockedFiles(programs)
        var next: RacePlayer? = first
        while let player = next, !chain.contains(where: { $0.waiting == player }),
            let wait = locks.wait(of: player)
        {
            chain.append(wait)
            next = wait.holder
        }
        return chain
    }
}

extension [LockWait] {
    /// `; app waits for a lock on group/.lock, which widget holds`; empty if there is none.
    package var text: String {
        map { wait in
            let holder = wait.holder?.name ?? "another program"
            return "; \(wait.waiting.name) waits for a lock on \(wait.file), which \(holder) holds"
        }
        .joined()
    }
}

/// The locks of a race's programs, as the kernel lists them.
private struct LockedFiles {
    private let processes: [(program: RacedProgram, ids: [pid_t])]
    /// The processes that wait, each with the file's number.
    private let waiting: [pid_t: UInt64]

    init(_ programs: [RacedProgram]) {
        processes = programs.map { ($0, $0.processes) }
        let table = String(decoding: RealTree.read("/proc/locks") ?? [], as: UTF8.self)
        // `1: -> FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF`
        let waits = table.split(separator: "\n").compactMap { line -> (pid_t, UInt64)? in
            let fields = line.split(separator: " ")
            guard fields.count > 6, fields[1] == "->", let process = pid_t(fields[5]),
                let file = fields[6].split(separator: ":").last.flatMap({ UInt64($0) })
            else { return nil }
            return (process, file)
        }
        waiting = Dictionary(waits) { first, _ in first }
    }

    func wait(of player: RacePlayer) -> LockWait? {
        for (program, ids) in processes where program.player == player {
            for process in ids {
                guard let file = waiting[process], let path = path(of: file, in: process) else { continue }
                return LockWait(
                    waiting: player,
                    file: program.containers.name(of: path) ?? path,
                    holder: holder(of: file)
                )
            }
        }
        return nil
    }

    private func holder(of file: UInt64) -> RacePlayer? {
        let holder = processes.first { $0.ids.contains { FileLock.inodes(heldBy: $0).contains(file) } }
        return holder?.program.player
    }

    private func path(of file: UInt64, in process: pid_t) -> String? {
        let directory = "/proc/\(process)/fd"
        let number = RealTree.names(in: directory).first { facts($0, process).contains("ino:\t\(file)\n") }
        return number.flatMap { RealPath.link("\(directory)/\($0)") }
    }

    private func facts(_ number: String, _ process: pid_t) -> String {
        String(decoding: RealTree.read("/proc/\(process)/fdinfo/\(number)") ?? [], as: UTF8.self)
    }
}
