import BridgeRuntime
import Documents
import Glibc
import Model
import Reloads
import TestBridge
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(2))) struct HistoryDayTests {
    private static let midnight: Int64 = 1_768_694_400_000

    private func event(_ generation: Int64, at: Int64, _ kinds: [String], _ cause: Cause = .app)
        -> DocumentStory.Event
    {
        DocumentStory.Event(
            generation: generation,
            cause: cause,
            what: .reported("whatever"),
            app: nil,
            group: nil,
            at: Self.midnight + at,
            kinds: kinds
        )
    }

    private func times(_ events: [DocumentStory.Event]) throws -> [Int64]? {
        let yaml = "profile: p\ndocuments: {d.json: {kinds: {K: {budget: 2}, L: {}}}}"
        let story = DocumentStory(now: .init(name: "d.json", state: .synced), events: events)
        let profile = try Profile(yaml: yaml, file: "p.yaml")
        let document = try #require(RelativePath("d.json"))
        return HistoryDay.day(of: [(document, story)], profile)?.events.map { $0.at - Self.midnight }
    }

    @Test func `Changes that had to wait count when they were made, and invisible ones do not`() throws {
        let events = [
            event(1, at: 1000, ["K"]), event(2, at: 2000, []), event(3, at: 3000, []),
            event(3, at: 4000, ["K"]), event(3, at: 5000, ["K"], .time), event(4, at: 6000, []),
        ]
        #expect(try times(events) == [1000, 2000, 3000])
        #expect(try times([event(1, at: 0, [])]) == nil)
    }

    @Test func `The day with the most changes is taken`() throws {
        let day: Int64 = 86_400_000
        let events = [event(1, at: 1, ["L"]), event(2, at: day, ["L"]), event(3, at: day + 1, ["L"])]
        #expect(try times(events) == [day, day + 1])
    }

    @Test func `What a bridge has recorded is simulated, and played`() async throws {
        try await RealBridge.with { bridge in
            let profile = "\(bridge.root)/p.yaml"
            try write("profile: p\ndocuments: {d.json: {kinds: {K: {shows: [/x], budget: 2}}}}", to: profile)
            let options = bridge.flags + ["--profile", profile]
            let none = try await Binary.run(["reloads", "simulate", "--from-history"] + options)
            #expect(none.status == 64 && none.errors.contains("nothing that widgets show has changed"))
            let agent = try await bridge.startAgent(["--profile", profile])
            for number in 1...3 {
                try bridge.save(#"{"x":\#(number)}"#, as: "d.json", in: bridge.app)
                #expect(try await bridge.wait().status == 0)
            }
            let ran = try await Binary.run(["reloads", "simulate", "--from-history", "--json"] + options)
            #expect(ran.output.contains(#""kind":"K","budget":2,"#), "\(ran)")
            let beside = try await Binary.run([
                "reloads", "simulate", "--from-history", "--json", "--state", bridge.state,
            ])
            #expect(beside.output == ran.output, "\(beside)")
            try await bridge.end(agent)
            let played = await run(
                ["reloads", "simulate", "--profile", "todo", "--speed", "1000000000"],
                columns: 80
            )
            #expect(
                played.output.hasPrefix("00:00:00  TodoWidget  schedule\n00:05:00  TodoWidget  schedule\n")
            )
            #expect(played.output.contains("KIND"))
        }
    }

    @Test(arguments: [[], ["--from-history", "--day", "x"], ["--profile", "todo", "--speed", "0"]])
    func `What cannot be meant is wrong usage`(_ options: [String]) async {
        #expect(await run(["reloads", "simulate"] + options).status == .usage)
    }
}
