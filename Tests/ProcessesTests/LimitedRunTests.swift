import Foundation
import Testing

@testable import Processes

@Suite struct LimitedRunTests {
    private func outcome(
        of script: String,
        input: String = "",
        _ change: (inout LimitedRun.Limits) -> Void = { _ in }
    ) async -> LimitedRun.Outcome {
        var run = LimitedRun("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        run.input = Array(input.utf8)
        // Longer than the tests take, so that it counts only where it is set.
        run.limits.time = .seconds(300)
        change(&run.limits)
        return await run.outcome()
    }

    /// Processes with this argument. They are gone once `outcome` returns.
    private func processes(with argument: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { process in
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return line.split(separator: 0).contains { $0.elementsEqual(argument.utf8) }
        }
    }

    @Test func `a program gets its input and environment, and its output is kept`() async {
        let ended = await outcome(of: "cat; env; pwd; echo oh >&2; exit 3", input: "in\n")
        #expect(ended.end == .exited(3))
        let lines = String(decoding: ended.output, as: UTF8.self).split(separator: "\n")
        #expect(Set(["in", "PATH=/usr/bin:/bin", "/", "oh"]).isSubset(of: Set(lines.map(String.init))))
        #expect(!lines.contains { $0.hasPrefix("HOME=") })
    }

    @Test func `a program need not read its input`() async {
        let much = String(repeating: "a", count: 1 << 20)
        #expect(await outcome(of: "true", input: much).end == .exited(0))
    }

    @Test func `a program that hangs is ended`() async {
        let ended = await outcome(of: "echo on; sleep 1001.1") { $0.time = .milliseconds(300) }
        #expect(ended.end == .timedOut(.milliseconds(300)))
        #expect(processes(with: "1001.1").isEmpty)
    }

    @Test func `a program that prints for ever is ended`() async {
        let ended = await outcome(of: "yes 1001.2") { $0.output = 10_000 }
        #expect(ended.end == .tooMuchOutput(bytes: 10_000))
        #expect(ended.output.count == 10_000)
        #expect(processes(with: "1001.2").isEmpty)
    }

    @Test func `a program that starts processes for ever is ended with all of them`() async {
        let ended = await outcome(of: "while :; do sleep 1001.3 & done") { $0.processes = 20 }
        #expect(ended.end == .tooManyProcesses(20))
        #expect(processes(with: "1001.3").isEmpty)
    }

    @Test func `what a program leaves behind in a session of its own ends with it`() async {
        let script = "setsid sleep 1001.4 >/dev/null 2>&1 & (sleep 1001.4 &) ; exit 4"
        #expect(await outcome(of: script).end == .exited(4))
        #expect(processes(with: "1001.4").isEmpty)
    }

    @Test func `a program that closes its output runs to its end`() async {
        #expect(await outcome(of: "exec >&- 2>&-; read line; exit 5", input: "a\n").end == .exited(5))
    }

    @Test func `how a program ends is told`() async {
        #expect(await outcome(of: "kill -TERM $$").end == .killed(by: SIGTERM))
        let missing = LimitedRun("/no/such", [], environment: [:])
        #expect(await missing.outcome().end == .notStarted(errno: ENOENT))
    }

    @Test(arguments: [("1001.6", 2), ("1001.7", 3)])
    func `what a program started ends although its supervisor, or the guard of that, is killed`(
        _ argument: String,
        generations: Int
    ) async throws {
        let script = "setsid sleep \(argument) & sleep \(argument); true"
        async let ended = outcome(of: script)
        var found: [String] = []
        while found.count < 2 { found = processes(with: argument) }
        // Both have the same parent, the shell.
        var process = try #require(found.first)
        for _ in 0..<generations { process = try #require(parent(of: process)) }
        #expect(kill(try #require(Int32(process)), SIGKILL) == 0)
        #expect(await ended.end == .killed(by: SIGKILL))
        #expect(processes(with: argument).isEmpty)
    }

    private func parent(of process: String) -> String? {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        return fields.flatMap { $0.count > 1 ? String($0[1]) : nil }
    }

    @Test func `a program ends with the task that waits for it`() async {
        let task = Task { await outcome(of: "sleep 1001.5") }
        task.cancel()
        #expect(await task.value.end == .cancelled)
        #expect(processes(with: "1001.5").isEmpty)
    }
}
