import CLinux
import Foundation
import Glibc
import Synchronization

/// The state of the thread. Only that thread accesses it, so it need not be `Sendable`.
protocol EngineThreadOccupant: SendableMetatype {
    /// When it is readable, `step` has something to read.
    var descriptor: Int32? { get }
    /// The next time to call `step`, on the scale of `Clock.uptime`; `nil`: not before an event.
    var deadline: Duration? { get }
    /// The same on the wall clock, in milliseconds since 1970. While there is one, `step` is also called when
    /// the clock is set.
    var wallDeadline: Int64? { get }
    mutating func step()
    mutating func leave()
}

/// A thread that owns one occupant and waits in `poll` for a hint, a request or a deadline.
///
/// Blocking calls stay off the shared thread pool, and a change is handled without a switch between threads.
final class EngineThread<Occupant: EngineThreadOccupant>: Sendable {
    typealias Job = @Sendable (inout Occupant) -> Void

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
        var ended: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    private let inbox = Mutex(Inbox())
    private let bell: Int32
    private let alarm: Int32

    /// Starts the thread, which creates its occupant. Rethrows the error of `make`.
    init<Failure: Error>(
        make: @escaping @Sendable () throws(Failure) -> Occupant
    ) async throws(Failure) {
        (bell, alarm) = (linux_eventfd(), linux_alarm())
        let made: Result<Void, Failure> = await withCheckedContinuation { continuation in
            let thread = Thread { [self] in
                do throws(Failure) {
                    var occupant = try make()
                    continuation.resume(returning: .success(()))
                    run(&occupant)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
                markEnded()
            }
            thread.name = "widgetbridge"
            thread.start()
        }
        try made.get()
    }

    deinit {
        Glibc.close(bell)
        Glibc.close(alarm)
    }

    /// Runs `job` on the thread between two steps; `nil` if the thread is closed.
    func run<Value: Sendable>(_ job: @escaping @Sendable (inout Occupant) -> Value) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let isTaken = post { continuation.resume(returning: job(&$0)) }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    /// Posts `job`; `false` if the thread is closed.
    @discardableResult
    func post(_ job: @escaping Job) -> Bool {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.jobs.append(job) }
            return !inbox.isClosed
        }
        if isOpen { linux_ring(bell) }
        return isOpen
    }

    /// Runs the posted jobs, then ends the thread.
    func shut() {
        inbox.withLock { $0.isClosed = true }
        linux_ring(bell)
    }

    /// Returns once the thread has released its occupant.
    func close() async {
        shut()
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if !inbox.hasEnded { inbox.ended.append(continuation) }
                return inbox.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func run(_ occupant: inout Occupant) {
        while true {
            let (jobs, isClosed) = inbox.withLock { inbox in
                defer { inbox.jobs = [] }
                return (inbox.jobs, inbox.isClosed)
            }
            for job in jobs { job(&occupant) }
            if isClosed { return occupant.leave() }
            occupant.step()
            wait(for: occupant)
        }
    }

    private func wait(for occupant: Occupant) {
        let left = occupant.deadline.map { max($0 - Clock.uptime, .zero).components }
        let nanoseconds = left.map { $0.seconds * 1_000_000_000 + $0.attoseconds / 1_000_000_000 }
        let wall = occupant.wallDeadline
        // 0 disarms it.
        linux_set_alarm(alarm, wall.map { max(1, $0) } ?? 0)
        linux_wait(bell, alarm, occupant.descriptor ?? -1, nanoseconds ?? -1)
    }

    private func markEnded() {
        let waiting = inbox.withLock { inbox in
            inbox.hasEnded = true
            inbox.isClosed = true
            defer { inbox.ended = [] }
            return inbox.ended
        }
        for continuation in waiting { continuation.resume() }
    }
}
