import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import TestWorld
import Testing

/// Events of real bridges, passed by real processes.
@Suite(.serialized, .timeLimit(.minutes(4))) struct EventCommandTests {
    private struct Line: Decodable, Equatable {
        var id: String
        var seq: Int64
        var name: String
    }

    private func event(_ bridge: RealBridge, _ words: String..., input: String = "") async throws
        -> Binary.Ended
    {
        try await Binary.run(["event"] + words + bridge.places + ["--profile", "habits"], input: input)
    }

    private func lines(_ text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    private func pulled(_ bridge: RealBridge) async throws -> [String] {
        let ended = try await event(bridge, "pull")
        #expect(ended.status == 0 && ended.errors.isEmpty)
        return try lines(ended.output).map(\.id)
    }

    @Test func `A tap while the app is down and the agent is killed twice reaches the app`() async throws {
        try await RealBridge.with { bridge in
            let first = try await bridge.startAgent(["--profile", "habits"])
            let tap = #"{"habit":"h1"}"#
            let pushed = try await event(bridge, "push", "HabitWidget", "toggle", "--data", tap)
            #expect(pushed.status == 0)
            let id = pushed.output.trimmingCharacters(in: .newlines)
            first.send(SIGKILL)
            _ = await first.ended()
            // Without an agent, too.
            #expect(try await pulled(bridge) == [id])
            let second = try await bridge.startAgent(["--profile", "habits"])
            #expect(try await pulled(bridge) == [id])
            second.send(SIGKILL)
            _ = await second.ended()
            let third = try await bridge.startAgent(["--profile", "habits"])
            // The widget cannot tell whether the first push was queued.
            let again = try await event(bridge, "push", "HabitWidget", "toggle", "--data", tap, "--id", id)
            #expect(again == pushed)
            #expect(try await pulled(bridge) == [id])
            #expect(try await event(bridge, "ack", id) == Binary.Ended(status: 0))
            #expect(try await pulled(bridge) == [])
            let late = try await event(bridge, "push", "HabitWidget", "toggle", "--data", tap, "--id", id)
            #expect(late == pushed)
            #expect(try await pulled(bridge) == [])
            try await bridge.end(third)
            #expect(try await pulled(bridge) == [])
        }
    }

    @Test(arguments: [false, true])
    func `What was printed is queued, whenever the pushing processes and the agent are killed`(
        _ hasAgent: Bool
    ) async throws {
        try await RealBridge.with { bridge in
            var agent = hasAgent ? try await bridge.startAgent() : nil
            var told: Set<String> = []
            var random = SplitMix(16)
            for round in 0..<6 {
                let running = try (0..<8).map { number in
                    let words = ["event", "push", "K", "tap", "--id", "\(round)-\(number)", "--state"]
                    return try Running(words + [bridge.state])
                }
                _ = poll(nil, 0, Int32(random.next() % 120))
                for one in running.prefix(3) { one.send(SIGKILL) }
                if round % 2 == 1 { agent?.send(SIGKILL) }
                for (number, one) in running.enumerated() {
                    let ended = await one.ended()
                    if !ended.output.isEmpty { told.insert("\(round)-\(number)") }
                    #expect(number < 3 || ended == Binary.Ended(status: 0, output: "\(round)-\(number)\n"))
                }
                if round % 2 == 1, let killed = agent {
                    _ = await killed.ended()
                    agent = try await bridge.startAgent()
                }
            }
            let queued = try lines(try await Binary.run(["event", "pull", "--state", bridge.state]).output)
            #expect(told.isSubset(of: queued.map(\.id)) && told.count >= 30)
            #expect(Set(queued.map(\.id)).count == queued.count)
            #expect(queued.map(\.seq) == queued.map(\.seq).sorted())
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test(arguments: [false, true])
    func `Waiting ends with the next event, also if the agent is killed meanwhile`(
        _ hasAgent: Bool
    ) async throws {
        try await RealBridge.with { bridge in
            let agent = hasAgent ? try await bridge.startAgent(["--profile", "habits"]) : nil
            let waiting = try Running(["event", "pull", "--wait", "--state", bridge.state])
            await (agent ?? waiting).watchesEvents()
            agent?.send(SIGKILL)
            _ = await agent?.ended()
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "a").status == 0)
            let ended = await waiting.ended()
            #expect(ended.status == 0)
            #expect(try lines(ended.output) == [Line(id: "a", seq: 1, name: "open")])
        }
    }

    @Test func `An agent that ends does not end the wait`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "habits"])
            let waiting = try Running(["event", "pull", "--wait", "--state", bridge.state])
            await agent.watchesEvents()
            try await bridge.end(agent)
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "a").status == 0)
            #expect(try lines(await waiting.ended().output).map(\.id) == ["a"])
        }
    }

    @Test func `A client that stops waiting is no error of the agent`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "habits"])
            let waiting = try Running(["event", "pull", "--wait", "--state", bridge.state])
            await agent.watchesEvents()
            waiting.send(SIGINT)
            #expect(await waiting.ended().status == 130)
            // The agent ends once it has dealt with all requests.
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
        }
    }

    private func refusal(_ text: String, _ status: Int32 = 1) -> Binary.Ended {
        Binary.Ended(status: status, errors: "widgetbridge: \(text)\n")
    }

    /// Calls `body` with an agent of the profile, or without one.
    private func with(agent hasAgent: Bool, _ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            let agent = hasAgent ? try await bridge.startAgent(["--profile", "habits"]) : nil
            try await body(bridge)
            if let agent { try await bridge.end(agent) }
        }
    }

    private func push(_ bridge: RealBridge, _ words: String..., input: String = "") async throws
        -> Binary.Ended
    {
        let all = ["event", "push", "HabitWidget"] + words + bridge.places + ["--profile", "habits"]
        return try await Binary.run(all, input: input)
    }

    @Test(arguments: [false, true])
    func `An ID of another event is 7, and an unknown one 1`(_ hasAgent: Bool) async throws {
        try await with(agent: hasAgent) { bridge in
            #expect(try await push(bridge, "open", "--id", "a", "--data", "1.0").status == 0)
            #expect(try await push(bridge, "open", "--id", "a", "--data", "1").status == 0)
            #expect(
                try await push(bridge, "open", "--id", "a", "--data", "2")
                    == refusal("another event has this ID, `a`; give each event an ID of its own, or none", 7)
            )
            let unknown = try await event(bridge, "ack", "a", "x")
            #expect(unknown.status == 1 && unknown.errors.hasPrefix("widgetbridge: no such event, `x`; "))
            #expect(try await event(bridge, "list", "--json").output.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [false, true])
    func `A refused event is one line that says why`(_ hasAgent: Bool) async throws {
        try await with(agent: hasAgent) { bridge in
            let megabyte = "\"" + String(repeating: "x", count: 1 << 20) + "\""
            #expect(
                try await push(bridge, "open", "--id", "b", "--data", "-", input: megabyte)
                    == refusal(
                        "the event has more than 65536 bytes; keep large data in a document, and name it in "
                            + "the event"
                    )
            )
            let link = "the profile has no such deep link, `beebloom://else`; there are beebloom://today"
            #expect(try await push(bridge, "beebloom://else") == refusal(link))
            let data = #"{"url":"beebloom://else"}"#
            #expect(try await push(bridge, "open", "--data", data) == refusal(link))
            #expect(try await push(bridge, "beebloom://today?habit=h1").status == 0)
            let broken = try await push(bridge, "open", "--data", "{")
            let start = "widgetbridge: the event's data is not JSON"
            #expect(broken.status == 1 && broken.errors.hasPrefix(start))
            // An app may read another one of two than the one that is checked.
            for twice in [
                #"{"url":"beebloom://today","url":"beebloom://else"}"#,
                #"{"url":"beebloom://else","a":1,"a":2}"#, #"{"ur\u006c":"beebloom://else","url":1}"#,
            ] {
                #expect(try await push(bridge, "open", "--data", twice) == refusal(link))
            }
            let unusable = try await event(bridge, "ack", "b\r")
            #expect(
                unusable
                    == refusal(
                        "the event's id is not usable; give 1 to 200 bytes without control characters"
                    )
            )
            #expect(try await push(bridge, "").errors.contains("the event's name is not usable"))
        }
    }

    @Test(arguments: [false, true])
    func `No form of a link passes that the profile does not have`(_ hasAgent: Bool) async throws {
        try await with(agent: hasAgent) { bridge in
            for link in [
                "my:c", "mailto:a@b", "javascript:x", "beebloom:", " beebloom://today", "10:30", "//a:1",
            ] {
                let known = "the profile has no such deep link, `\(link)`; there are beebloom://today"
                let named = try await push(bridge, link)
                #expect(named == refusal(known))
                let data = "{\"url\":\"\(link)\"}"
                #expect(try await push(bridge, "open", "--data", data) == refusal(known))
            }
            let noText = refusal(
                "the member `url` of the event's data is not text; it is the event's link: give a text, or call "
                    + "the member something else"
            )
            for value in [#"["my://c"]"#, "{}", "1", "true"] {
                #expect(try await push(bridge, "open", "--data", "{\"url\":\(value)}") == noText)
            }
            #expect(try await push(bridge, "open", "--data", #"{"url":null}"#).status == 0)
            #expect(try await push(bridge, "BeeBloom://today").status == 0)
        }
    }

    @Test func `Events survive a journal that is set aside`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "a").status == 0)
            try write("no journal", to: "\(bridge.state)/journal.sqlite")
            let agent = try await bridge.startAgent(["--profile", "habits"])
            #expect(try await pulled(bridge) == ["a"])
            try await bridge.end(agent)
            let list = try await event(bridge, "list").output
            #expect(list.hasPrefix("a  ") && list.contains("  HabitWidget  open"))
        }
    }

    @Test func `Waiting and acknowledging create nothing`() async throws {
        try await RealBridge.with { bridge in
            let unknown = try await event(bridge, "ack", "x")
            #expect(unknown.status == 1 && unknown.errors.hasPrefix("widgetbridge: no such event, `x`; "))
            let waiting = try Running(["event", "pull", "--wait", "--state", bridge.state])
            await waiting.watchesEvents()
            #expect(!FileManager.default.fileExists(atPath: bridge.state))
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "a").status == 0)
            #expect(try lines(await waiting.ended().output).map(\.id) == ["a"])
        }
    }

    @Test(arguments: [false, true])
    func `Data is kept as it is written`(_ hasAgent: Bool) async throws {
        try await with(agent: hasAgent) { bridge in
            let data = [#"{"a":1,"a":2.0}"#, "1e400", "-0", "12345678901234567890.10", #""\ud800""#]
            for one in data { #expect(try await push(bridge, "open", "--data", one).status == 0) }
            let printed = try await event(bridge, "list", "--json").output.split(separator: "\n")
            #expect(printed.count == data.count)
            for (line, one) in zip(printed, data) { #expect(line.contains("\"data\":\(one),")) }
        }
    }

    @Test(arguments: [false, true])
    func `A long queue is printed whole, and a limit is kept`(_ hasAgent: Bool) async throws {
        try await with(agent: hasAgent) { bridge in
            let inbox = try EventInbox(of: BridgeSettings(app: "", group: "", state: bridge.state))
            for number in 0..<150 {
                _ = try await inbox.push(EventDraft(id: "e\(number)", kind: "K", name: "n"))
            }
            await inbox.close()
            let ids = (0..<150).map { "e\($0)" }
            #expect(try await pulled(bridge) == ids)
            #expect(try await event(bridge, "list").output.split(separator: "\n").count == 150)
            for limit in [1, 64, 65, 150, 151] {
                let some = try await event(bridge, "pull", "--limit", "\(limit)")
                #expect(try lines(some.output).map(\.id) == Array(ids.prefix(limit)))
            }
        }
    }

    @Test func `An agent whose queue was removed keeps what is pushed from then on`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "habits"])
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "one").status == 0)
            try FileManager.default.removeItem(atPath: "\(bridge.state)/events")
            #expect(try await event(bridge, "pull").output == "")
            #expect(try await event(bridge, "push", "HabitWidget", "open", "--id", "two").status == 0)
            agent.send(SIGKILL)
            _ = await agent.ended()
            #expect(try lines(try await event(bridge, "pull").output).map(\.id) == ["two"])
        }
    }

    @Test func `Looking creates nothing, and a damaged queue is not replaced`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await event(bridge, "list") == Binary.Ended(status: 0, output: "no events\n"))
            #expect(!FileManager.default.fileExists(atPath: bridge.state))
            #expect(try await event(bridge, "push", "HabitWidget", "open").status == 0)
            let file = "\(bridge.state)/events/queue.sqlite"
            try write(String(repeating: "x", count: 9_000), to: file)
            let damaged = try await event(bridge, "pull")
            #expect(damaged.status == 1)
            #expect(damaged.errors.hasPrefix("widgetbridge: cannot use the queue of events: "))
            #expect(damaged.errors.contains(file))
        }
    }
}

extension Running {
    /// Returns once it waits for an event: an agent watches the containers by another process.
    fileprivate func watchesEvents() async {
        let directory = "/proc/\(identifier)/fd"
        await onThread {
            while true {
                let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
                let targets = files.map { file in
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(file)")) ?? ""
                }
                if targets.contains("anon_inode:inotify") { return }
                _ = poll(nil, 0, 10)
            }
        }
    }
}
