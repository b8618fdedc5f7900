import BridgeRuntime
import Foundation
import GRDB
import Glibc
import StateStore
import TestWorld
import Testing

/// What `doctor` finds wrong with the queue of events, and what those say who use it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorEventTests {
    @Test func `A queue of events that is damaged is found, and not changed`() async throws {
        try await RealBridge.with { bridge in
            let pushed = try await bridge.run("event", "push", "K", "open")
            #expect(pushed.status == 0, "\(pushed)")
            #expect(try await bridge.doctor() == [])
            let queue = "\(bridge.state)/events/queue.sqlite"
            try write("no database, but long enough" + String(repeating: ".", count: 100), to: queue)
            for name in ["wal", "shm"] { try? FileManager.default.removeItem(atPath: "\(queue)-\(name)") }
            let before = try bridge.allFiles()
            let found = try await bridge.doctor()
            #expect(found.map(\.rule) == ["events"] && found.first?.place == queue, "\(found)")
            #expect(try bridge.allFiles() == before)
        }
    }

    /// What the doctor finds wrong with the queue of events is what those say who use it.
    private func expectSameFault(_ bridge: RealBridge, _ what: String, at place: String) async throws {
        let before = try filesOfQueue(bridge)
        let found = try await bridge.doctor()
        #expect(found.map(\.rule) == ["events"] && found.first?.severity == "error", "\(found)")
        let finding = try #require(found.first)
        #expect(finding.what == "cannot use the queue of events: \(what)" && finding.place == place)
        #expect(try filesOfQueue(bridge) == before)
        for words in [["push", "K", "open"], ["pull"], ["ack", "x"]] {
            let ended = try await Binary.run(["event"] + words + bridge.places)
            #expect(ended.status == 1)
            #expect(ended.errors == "widgetbridge: \(finding.what), \(place); \(finding.advice)\n")
        }
        #expect(try filesOfQueue(bridge) == before)
    }

    private func filesOfQueue(_ bridge: RealBridge) throws -> [String] {
        try bridge.allFiles().filter { $0.hasPrefix("state/events") || $0.hasPrefix("elsewhere") }
    }

    @Test(arguments: [false, true])
    func `What has the name of the queue of events is found by all in the same words`(
        _ hasAgent: Bool
    ) async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync").status == 0)
            let agent = hasAgent ? try await bridge.startAgent() : nil
            let events = "\(bridge.state)/events"
            let files = FileManager.default
            try write("", to: events)
            try await expectSameFault(bridge, "it needs a directory of this name", at: events)
            try files.removeItem(atPath: events)
            try files.createSymbolicLink(atPath: events, withDestinationPath: "\(bridge.root)/nowhere")
            try await expectSameFault(bridge, "it needs a directory of this name", at: events)
            try files.removeItem(atPath: events)
            let queue = "\(events)/queue.sqlite"
            try files.createDirectory(atPath: queue, withIntermediateDirectories: true)
            try await expectSameFault(bridge, "it is not a regular file", at: queue)
            try files.removeItem(atPath: queue)
            let target = "\(bridge.root)/elsewhere"
            try files.createSymbolicLink(atPath: queue, withDestinationPath: target)
            try await expectSameFault(bridge, "it is not a regular file", at: queue)
            #expect(!files.fileExists(atPath: target))
            try files.removeItem(atPath: queue)
            for name in ["wal", "shm", "journal"] {
                try write("", to: queue)
                try files.createDirectory(atPath: "\(queue)-\(name)", withIntermediateDirectories: false)
                try await expectSameFault(bridge, "it is not a regular file", at: "\(queue)-\(name)")
                try files.removeItem(atPath: "\(queue)-\(name)")
            }
            try write("no database", to: queue)
            try await expectSameFault(bridge, "file is not a database", at: queue)
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `A queue of events that this user cannot write is found`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("event", "push", "K", "open").status == 0)
            let events = "\(bridge.state)/events"
            for (path, mode) in [("\(events)/queue.sqlite", 0o444), (events, 0o555), (events, 0)] {
                let usual: mode_t = path == events ? 0o700 : 0o600
                #expect(unsafe chmod(path, mode_t(mode)) == 0)
                let words = ["doctor"] + bridge.places
                let ended = try await Running(words, through: Wrapper.boundByModes).ended()
                #expect(ended.output.contains("\(path)") && ended.output.contains("let this user write it"))
                #expect(ended.status == 1, "\(ended)")
                #expect(unsafe chmod(path, usual) == 0)
            }
        }
    }

    @Test func `A damaged page of the queue of events is found, and another process's lock`() async throws {
        try await RealBridge.with { bridge in
            let data = "\"" + String(repeating: "x", count: 9_000) + "\""
            for _ in 0..<5 {
                #expect(try await bridge.run("event", "push", "K", "open", "--data", data).status == 0)
            }
            let path = "\(bridge.state)/events/queue.sqlite"
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // The findings are those of another process.
            try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let found = try await bridge.doctor()
            #expect(found.map(\.what) == ["cannot use the queue of events: another process has locked it"])
            #expect(found.map(\.place) == [path])
            try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            #expect(try await bridge.doctor() == [])
            try queue.close()
            var bytes = try Data(contentsOf: URL(filePath: path))
            for place in (bytes.count - 8_192)..<bytes.count { bytes[place] = 0xA5 }
            try bytes.write(to: URL(filePath: path))
            let damaged = try await bridge.doctor()
            #expect(damaged.map(\.rule) == ["events"] && damaged.first?.place == path, "\(damaged)")
            #expect(damaged.first?.advice.hasPrefix("mend it or move it away") == true)
            #expect(damaged.first?.what.contains("\\u{a}") == false)
        }
    }

    @Test func `A full queue of events is found`() async throws {
        try await RealBridge.with { bridge in
            let inbox = try EventInbox(of: BridgeSettings(app: "", group: "", state: bridge.state))
            // Less than the largest event is left of the 64 MiB.
            let data = Array(("\"" + String(repeating: "x", count: 60 << 10) + "\"").utf8)
            var count = 0
            do throws(BridgeError) {
                while true {
                    _ = try await inbox.push(EventDraft(id: "e\(count)", kind: "K", name: "n", data: data))
                    count += 1
                }
            } catch {
                #expect(error == .event(.full(limit: 10_000)))
            }
            await inbox.close()
            let found = try await bridge.doctor()
            #expect(found.map(\.what) == ["the queue of events is full, 10000 events or 64 MiB wait"])
            #expect(found.map(\.severity) == ["error"] && found.first?.advice.contains("event list") == true)
            #expect(try await bridge.run("event", "ack", "e0", "e1").status == 0)
            #expect(try await bridge.doctor() == [])
        }
    }
}
