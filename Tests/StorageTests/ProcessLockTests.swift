import FileSystem
import Foundation
import Model
import TestWorld
import Testing

@Suite struct ProcessLockTests {
    /// Runs a test with a state directory.
    private func withState(_ test: (String) throws -> Void) throws {
        let state = try LinuxGround.makeTemporaryDirectory(in: LinuxGround.temporary)
        defer { LinuxGround.removeTree(state) }
        try test(state)
    }

    private func refusal(_ state: String) -> ProcessLock.Refusal? {
        do {
            _ = try ProcessLock(state: state)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ state: String) -> String { "\(state)/\(ProcessLock.fileName)" }

    @Test func `a second process is told which one holds the lock`() throws {
        try withState { state in
            let lock = try ProcessLock(state: state)
            #expect(refusal(state) == .held(by: getpid()))
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `a released lock can be taken again`() throws {
        try withState { state in
            for _ in 0..<3 { #expect(eventually { refusal(state) == nil }) }
        }
    }

    @Test func `a lock of another process is respected until that process is killed`() throws {
        try withState { state in
            let holder = try Child.running(
                "exec 9>>\(file(state)); flock -n 9; echo $$ >\(file(state)); echo held; exec sleep 1000"
            )
            #expect(refusal(state) == .held(by: holder.identifier))
            holder.send(SIGKILL)
            #expect(eventually { refusal(state) == nil })
        }
    }

    @Test func `a holder that has not written its process ID yet holds the lock as well`() throws {
        try withState { state in
            let holder = try Child.running("exec 9>>\(file(state)); flock -n 9; echo held; exec sleep 1000")
            #expect(refusal(state) == .held(by: nil))
            holder.send(SIGKILL)
        }
    }

    @Test func `other processes are kept out until the lock is released`() throws {
        try withState { state in
            let flock = try #require(Child.find("flock"))
            do {
                let lock = try ProcessLock(state: state)
                #expect(try Child.run(flock, ["-n", file(state), "true"]) == 1)
                let content = try String(contentsOfFile: file(state), encoding: .utf8)
                #expect(content == "\(getpid())\n")
                withExtendedLifetime(lock) {}
            }
            #expect(try Child.run(flock, ["-w", "10", file(state), "true"]) == 0)
        }
    }

    @Test func `a child of the holder does not inherit the lock`() throws {
        try withState { state in
            var child: Running?
            do {
                let lock = try ProcessLock(state: state)
                child = try Child.running("echo started; exec sleep 1000")
                withExtendedLifetime(lock) {}
            }
            #expect(eventually { refusal(state) == nil })
            child?.send(SIGKILL)
        }
    }

    /// Otherwise two processes could hold it: one with the deleted file, one with the file that replaced
    /// it.
    @Test func `a lock file that was deleted in the meantime does not count`() throws {
        try withState { state in
            let old = try ProcessLock(state: state)
            unsafe unlink(file(state))
            let new = try ProcessLock(state: state)
            #expect(refusal(state) == .held(by: getpid()))
            withExtendedLifetime(old) {}
            withExtendedLifetime(new) {}
        }
    }

    @Test func `of many processes that want the lock exactly one gets it`() async throws {
        let state = try LinuxGround.makeTemporaryDirectory(in: LinuxGround.temporary)
        defer { LinuxGround.removeTree(state) }
        let barrier = Barrier()
        let won = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let lock = try? ProcessLock(state: state) else {
                        await barrier.arrive(8)
                        return 0
                    }
                    await barrier.arrive(8)
                    withExtendedLifetime(lock) {}
                    return 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(won == 1)
    }

    @Test func `a file that is not regular is not opened as a lock`() throws {
        try withState { state in
            unsafe mkfifo(file(state), 0o600)
            #expect(refusal(state) == .notRegular)
            unsafe unlink(file(state))
            unsafe symlink("/dev/null", file(state))
            #expect(refusal(state) == .notRegular)
            unsafe unlink(file(state))
            unsafe mkdir(file(state), 0o700)
            #expect(refusal(state) == .notRegular)
            #expect(refusal("\(state)/absent") == .system(errno: ENOENT))
        }
    }
}

/// Lets nobody continue before all have arrived.
actor Barrier {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func arrive(_ all: Int) async {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            if waiting.count == all { for one in waiting { one.resume() } }
        }
    }
}
