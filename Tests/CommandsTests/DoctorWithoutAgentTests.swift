import Foundation
import GRDB
import Glibc
import TestWorld
import Testing

@testable import Commands

/// What `doctor` says of a bridge that no agent keeps in sync.
@Suite(.timeLimit(.minutes(2))) struct DoctorWithoutAgentTests {
    /// The findings of all severities, and the exit status.
    private func lines(_ bridge: RealBridge, _ flags: String...) async throws -> (Int32, [DoctorLine]) {
        let ended = try await Binary.run(["doctor", "--format", "json"] + bridge.places + flags)
        return (ended.status, try DoctorLine.all(ended.output).filter { $0.place != "this machine" })
    }

    private func synced(_ count: Int, _ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            for number in 0..<count { try bridge.save("[\(number)]", as: "\(number).json", in: bridge.app) }
            #expect(try await bridge.run("sync").status == 0)
            try await body(bridge)
        }
    }

    @Test func `That no agent runs is a note, and an error while a change waits`() async throws {
        try await synced(1) { bridge in
            let (status, rest) = try await lines(bridge)
            #expect(status == 0 && rest.map(\.rule) == ["no-agent"] && rest.map(\.severity) == ["note"])
            try bridge.save("[9]", as: "0.json", in: bridge.app)
            let before = try bridge.allFiles()
            let (failed, waiting) = try await lines(bridge)
            #expect(failed == 1 && waiting.map(\.severity) == ["error"])
            #expect(waiting.map(\.what) == ["no agent runs; a changed document waits to be synced"])
            #expect(try bridge.allFiles() == before)
        }
    }

    @Test func `A held document, a halt and a pause are found`() async throws {
        try await synced(12) { bridge in
            try write("{", to: "\(bridge.app)/0.json")
            let (heldStatus, held) = try await lines(bridge)
            #expect(heldStatus == 1 && held.map(\.rule) == ["held", "no-agent"])
            try bridge.save("[0]", as: "0.json", in: bridge.app)
            #expect(try await bridge.run("pause").status == 0)
            let (_, paused) = try await lines(bridge)
            #expect(paused.map(\.rule) == ["paused"])
            try bridge.save("[7]", as: "0.json", in: bridge.app)
            #expect(try await lines(bridge).1.map(\.severity) == ["error"])
            #expect(try await bridge.run("resume").status == 0)
            for number in 0..<12 { #expect(unsafe unlink("\(bridge.app)/\(number).json") == 0) }
            #expect(try await bridge.run("sync").status == 7)
            let (haltStatus, halted) = try await lines(bridge)
            #expect(haltStatus == 1 && halted.map(\.rule).contains("halted"), "\(halted)")
        }
    }

    @Test func `A document that every user may change is a warning`() async throws {
        try await synced(1) { bridge in
            #expect(unsafe chmod("\(bridge.app)/0.json", 0o666) == 0)
            let found = try await bridge.doctor()
            #expect(found.map(\.rule) == ["exposed"] && found.map(\.place) == ["app:0.json"])
        }
    }

    @Test func `A journal that another program has locked is an error`() async throws {
        try await synced(1) { bridge in
            let journal = "\(bridge.state)/journal.sqlite"
            // A lock of this process would be none for its child.
            let script =
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
                + "c.execute('BEGIN IMMEDIATE'); print('ready', flush=True); sys.stdin.read()"
            let locker = try Running(command: ["/usr/bin/python3", "-c", script, journal])
            guard await locker.line() == "ready" else { return }
            let found = try await bridge.doctor()
            #expect(found.map(\.rule) == ["journal"] && found.first?.place == journal, "\(found)")
            #expect(found.first?.what == "another process has locked the journal")
            locker.send(SIGKILL)
            _ = await locker.ended()
            #expect(try await bridge.doctor() == [])
        }
    }

    @Test func `A manifest of AsyncStorage in the place of another release is an error`() async throws {
        try await RealBridge.with { bridge in
            let old = "\(bridge.app)/Documents/RCTAsyncLocalStorage_V1"
            try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
            try write("{}", to: "\(old)/manifest.json")
            let flags = ["--profile", "balances", "--app-stores", "ios"]
            let found = try await bridge.doctor(flags)
            #expect(found.map(\.rule).contains("other-place"), "\(found)")
            let place = found.first { $0.rule == "other-place" }
            #expect(place?.what.contains("`Documents/RCTAsyncLocalStorage_V1/manifest.json`") == true)
        }
    }

    @Test(arguments: ["budget", "habits", "todo", "finance", "balances"])
    func `A fresh bridge with a built-in profile has no warning`(_ profile: String) async throws {
        try await RealBridge.with { bridge in
            let (status, found) = try await lines(bridge, "--profile", profile)
            #expect(status == 0 && found.map(\.rule) == ["no-agent"], "\(found)")
            #expect(found.map(\.severity) == ["note"])
        }
    }
}
