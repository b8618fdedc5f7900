import CLinux
import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Watching

/// Makes a system call fail in the agent's engine thread, until it is ended.
struct Injection {
    /// Started with no signal blocked, like a helper; otherwise it could not be asked to end.
    private let tracer: HelperProcess
    private let log: String

    /// - Parameter fault: As in strace's `inject`: `error=EIO`, `error=EINTR:when=1+2`. Without it, calls
    ///   are only logged.
    init(_ calls: String, _ fault: String? = nil, into attacked: Attacked) async throws {
        let strace = "/usr/bin/strace"
        guard FileManager.default.isExecutableFile(atPath: strace) else { try Test.cancel("no strace here") }
        let thread = try await Self.engineThread(of: attacked.agent.identifier)
        log = "\(attacked.bridge.root)/strace.log"
        // Without a filter of its own strace injects nothing, without a message.
        let flags = ["-qq", "-y", "-o", log, "-p", "\(thread)", "-e", "trace=\(calls)"]
        let injected = fault.map { ["-e", "inject=\(calls):\($0)"] } ?? []
        tracer = try HelperProcess(strace, flags + injected)
        let status = "/proc/\(attacked.agent.identifier)/task/\(thread)/status"
        let tracer = tracer
        var hasEnded = false
        _ = try await eventually {
            hasEnded = tracer.receive() == nil
            return try hasEnded
                || !String(contentsOfFile: status, encoding: .utf8).contains("TracerPid:\t0\n")
        }
        if hasEnded {
            let complaint = String(decoding: tracer.receiveComplaints(), as: UTF8.self)
            try Test.cancel("nothing may be traced here: \(complaint)")
        }
    }

    /// The thread that waits in `ppoll`: the only one that accesses files.
    private static func engineThread(of process: Int32) async throws -> Int32 {
        let tasks = "/proc/\(process)/task"
        var engineThread: Int32?
        _ = try await eventually {
            engineThread = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { Int32($0) }
                .first {
                    let call = try? String(contentsOfFile: "\(tasks)/\($0)/syscall", encoding: .utf8)
                    return call?.hasPrefix("\(SYS_ppoll) ") == true
                }
            return engineThread != nil
        }
        return try #require(engineThread)
    }

    /// Ends the failure; returns the calls that failed, one per line.
    func end() async throws -> [String] { try await calls().filter { $0.contains("(INJECTED)") } }

    /// Ends the failure; returns all calls until then.
    func calls() async throws -> [String] {
        kill(tracer.id, SIGTERM)
        #expect(try await eventually { tracer.receive() == nil })
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
