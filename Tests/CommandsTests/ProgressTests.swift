import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

/// A waiting command says on a terminal what it waits for; output for programs stays the same.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProgressTests {
    /// A terminal, and everything written to its standard error.
    private func terminal() -> (Terminal, AsyncStream<String>, AsyncStream<String>.Continuation) {
        let (said, saying) = AsyncStream<String>.makeStream()
        let terminal = Terminal(
            isInteractive: true,
            output: { _ in .all },
            errors: { bytes in
                saying.yield(String(decoding: bytes, as: UTF8.self))
                return .all
            }
        )
        return (terminal, said, saying)
    }

    @Test(arguments: [["status"], ["get", "a.json"], ["subscribe", "--count", "1"], ["wait"]])
    func `A command that waits for a stopped agent says so`(_ command: [String]) async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            let agent = try await bridge.startAgent()
            agent.send(SIGSTOP)
            let (terminal, said, _) = terminal()
            let timeout = command == ["wait"] ? ["--timeout", "60s"] : []
            async let watched = Program.run(command + timeout + bridge.flags, on: terminal)
            async let piped = Binary.run(command + timeout + bridge.flags)
            let words = "waiting for the agent, process \(agent.identifier) … "
            #expect(await said.contains { $0.contains(words) })
            agent.send(SIGCONT)
            #expect(await watched == .done)
            let ended = try await piped
            #expect(ended.status == 0 && ended.errors == "")
            try await bridge.end(agent)
        }
    }

    @Test func `A sync of many documents counts them on a terminal, and leaves nothing behind`() async throws
    {
        try await RealBridge.with { bridge in
            let count = 4_000
            for number in 0..<count { try bridge.save("[\(number)]", as: "\(number).json", in: bridge.app) }
            let (terminal, said, saying) = terminal()
            #expect(await Program.run(["sync"] + bridge.flags, on: terminal) == .done)
            saying.finish()
            let texts = await said.reduce(into: []) { $0.append($1) }
            #expect(texts.contains { $0.contains("reconciling: ") && $0.contains(" of 4,000") }, "\(texts)")
            #expect(texts.last == "\r\u{1B}[K")
        }
    }

    @Test func `A wait for a stopped agent says that it does not answer`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            agent.send(SIGSTOP)
            let ended = try await bridge.run("wait", "--timeout", "100ms")
            #expect(ended.status == 1)
            let words =
                "the agent, process \(agent.identifier), does not answer, \(bridge.state)/agent.sock; "
            #expect(ended.errors.hasPrefix("widgetbridge: \(words)"))
            agent.send(SIGCONT)
            try await bridge.end(agent)
        }
    }
}
