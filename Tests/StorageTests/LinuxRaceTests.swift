import FileSystem
import Foundation
import Model
import StateStore
import Synchronization
import Testing

/// The same race on real disks with real threads, in no determined order.
@Suite(.serialized) struct LinuxRaceTests {
    /// Writers that take turns with a lock of their own, and do not use the bridge.
    private final class Crew: Sendable {
        private let path: String
        private let turn = Mutex<[String]>([])
        private let working: Atomic<Int>
        private let isOver = Atomic(false)
        /// How many saves they may have made by now, so that they do not outrun the bridge.
        private let allowed = Atomic(8)

        init(_ count: Int, path: String) {
            self.path = path
            working = Atomic(count)
            for writer in 0..<count {
                Thread.detachNewThread { [self] in
                    var saves = 0
                    while !isOver.load(ordering: .acquiring) {
                        guard acknowledged.count < allowed.load(ordering: .acquiring) else {
                            sched_yield()
                            continue
                        }
                        work("writer\(writer)-\(saves)", style: saves % 3)
                        saves += 1
                    }
                    working.subtract(1, ordering: .acquiringAndReleasing)
                }
            }
        }

        var acknowledged: [String] { turn.withLock { $0 } }

        func proceed() { allowed.add(4, ordering: .releasing) }

        /// Lets the current saves finish, and then ends all writers.
        func stop() {
            isOver.store(true, ordering: .releasing)
            while working.load(ordering: .acquiring) > 0 { sched_yield() }
        }

        private func work(_ line: String, style: Int) {
            turn.withLock { done in
                switch style {
                case 0:
                    let bytes = content(of: open(O_RDONLY)) + .text(line + "\n")
                    write(bytes, to: unsafe Glibc.open("\(path).new", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
                    unsafe check(rename("\(path).new", path))
                case 1:
                    let bytes = content(of: open(O_RDONLY)) + .text(line + "\n")
                    write(bytes, to: open(O_WRONLY | O_CREAT | O_TRUNC))
                default:
                    // All through one descriptor, whose file may be displaced by now.
                    let pen = open(O_RDWR | O_CREAT)
                    let bytes = content(of: dup(pen)) + .text(line + "\n")
                    check(ftruncate(pen, 0))
                    check(lseek(pen, 0, SEEK_SET))
                    write(bytes, to: pen)
                }
                done.append(line)
            }
        }

        private func open(_ flags: Int32) -> Int32 { unsafe Glibc.open(path, flags | O_CLOEXEC, 0o644) }

        private func content(of descriptor: Int32) -> [UInt8] {
            guard descriptor >= 0 else { return [] }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            return [UInt8]((try? file.readToEnd()) ?? Data())
        }

        private func write(_ bytes: [UInt8], to descriptor: Int32) {
            let pen = RealPen(descriptor)
            let middle = bytes.count / 2
            pen.write(Array(bytes[..<middle]))
            pen.write(Array(bytes[middle...]))
            pen.close()
        }
    }

    private struct Outcome {
        var acknowledged = 0
        var lost: [String] = []
        /// Kept under the name of other bytes: a program wrote to it after it was examined.
        var late: [String] = []
    }

    private func race(
        _ writers: Int,
        in place: String,
        mistake: LineBridge<LinuxFileSystem>.Mistake? = nil
    ) throws -> Outcome {
        let ground = try LinuxGround(in: place)
        ground.save(app("a.json"), .text("first\n"))
        var bridge = try LineBridge(ground.door, app("a.json"), mistake: mistake)
        let crew = Crew(writers, path: ground.path(app("a.json")))
        for number in 0..<150 {
            try bridge.add("bridge-\(number)")
            try bridge.resolve()
            crew.proceed()
        }
        crew.stop()
        while !bridge.isAtRest { try bridge.resolve() }
        var outcome = Outcome(acknowledged: crew.acknowledged.count)
        var kept = [lines(try ground.door.contents(app("a.json")))]
        for entry in try ground.door.list(directory(.state, "trash")) {
            let name = String(decoding: entry.bytes, as: UTF8.self)
            let bytes = try ground.door.contents(state("trash/\(name)"))
            if Digest(of: bytes).hex != name { outcome.late.append(name) }
            kept.append(lines(bytes))
        }
        outcome.lost = crew.acknowledged.filter { line in !kept.contains { $0.contains(line) } }
        if mistake == nil { try require(ground.door.list(directory(.app)).count, is: 1, "files left") }
        return outcome
    }

    @Test(arguments: [2, 4, 8], ["/dev/shm", LinuxGround.temporary])
    func `nothing that was saved is lost`(writers: Int, place: String) throws {
        let outcome = try race(writers, in: place)
        #expect(outcome.lost.isEmpty && outcome.late.isEmpty, "of \(outcome.acknowledged)")
        #expect(outcome.acknowledged > 0)
    }

    @Test func `a bridge that drops displaced files loses a save`() throws {
        let loses = try (0..<20).contains { _ in
            try !race(4, in: "/dev/shm", mistake: .dropsWhatItDisplaced).lost.isEmpty
        }
        #expect(loses)
    }
}
