import Foundation
import RaceLab
import RaceLabTesting
import Synchronization
import TestWorld
import Testing

/// A program that adds one to a counter.
private func count(_ container: RaceContainer, _ key: String) throws {
    let bytes = try container.read("a.json") ?? Array("{}".utf8)
    var values = try JSONDecoder().decode([String: Int].self, from: Data(bytes))
    values[key, default: 0] += 1
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try container.write(try encoder.encode(values), to: "a.json")
}

@Suite("Actors in Swift", .threadPerTest)
struct CodeTests {
    /// Both read, add to what they read, and save it.
    private func counters(evidence: Bool) throws -> RaceScenario {
        try RaceScenario(documents: ["a.json"], name: "counters", evidence: evidence) {
            RaceApp { try count($0, "app") }
            RaceWidget { try count($0, "widget") }
            RaceAgent()
        }
    }

    @Test("lose a save that they did not see, without marks in their contents")
    func lostUpdate() async throws {
        let scenario = try counters(evidence: false)
        let error = await #expect(throws: RaceFound.self) { try await explore(scenario) }
        let found = try #require(error)
        #expect(found.sentence.contains("is in no container at the end"))
        #expect(found.advice.contains("must read the document again"))
        let replay = try replay(found.schedule, in: scenario)
        #expect(replay.isSame && replay.recorded == "lost-update")
        #expect(replay.run.anomalies.first?.kind == "lost-update")
        #expect(throws: RaceReplayError.self) { try RaceLab.replay(found.schedule) }
        #expect(throws: RaceReplayError.self) {
            try RaceLab.replay(found.schedule, in: try RaceScenario(preset: "stat-recheck"))
        }
    }

    @Test("lose nothing beside an agent that knows what they have read")
    func protected() async throws {
        #expect(try await explore(try counters(evidence: true)) > 20)
    }

    @Test("lose nothing if they save through the bridge, over what they have read")
    func put() async throws {
        @Sendable func add(_ container: RaceContainer, _ key: String) throws {
            var isDone = false
            while !isDone {
                let old = try container.read("a.json")
                let new = String(decoding: old ?? [], as: UTF8.self)
                    .replacing("{", with: "{\"\(key)\":1\(old == Array("{}".utf8) ? "" : ",")")
                isDone = try container.put(new.utf8, to: "a.json", expecting: old)
            }
        }
        let scenario = try RaceScenario(documents: ["a.json"], evidence: false) {
            RaceApp { try add($0, "app") }
            RaceWidget { try add($0, "widget") }
            RaceAgent()
        }
        let schedules = try await explore(scenario) { run in
            let text = run.app["a.json"] ?? ""
            guard text.contains("app"), text.contains("widget"), run.group == run.app else {
                throw RaceReplayError.notASchedule(text)
            }
        }
        #expect(schedules > 10)
    }

    @Test("read half of what is written in place, and fail where they cannot")
    func torn() async throws {
        struct Half: Error {}
        let scenario = try RaceScenario(documents: [RaceDocument("a.json", holding: #"{"a":1}"#)]) {
            RaceApp { try $0.truncateAndWrite(#"{"a":2}"#.utf8, to: "a.json") }
            RaceApp("second app") { container in
                let text = String(decoding: try container.read("a.json") ?? [], as: UTF8.self)
                if !text.hasSuffix("}") { throw Half() }
            }
            RaceAgent()
        }
        var kinds: Set<String> = []
        let error = await #expect(throws: RaceFound.self) {
            try await explore(scenario) { run in kinds.formUnion(run.anomalies.map(\.kind)) }
        }
        #expect(try #require(error).advice == "app must write a new file and rename it over the document")
        #expect(kinds == ["torn-read", "own-check"])
    }

    @Test("wait for notices, and are told that they wait for ever")
    func notices() async throws {
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { try $0.write(#"{"a":1}"#.utf8, to: "a.json") }
            RaceWidget { container in
                try container.subscribe(to: "a.json")
                try container.pause(for: .milliseconds(1))
                _ = try container.readOnNotice(of: "a.json")
                _ = try container.readOnNotice(of: "a.json")
            }
            RaceAgent()
        }
        let error = await #expect(throws: RaceFound.self) { try await explore(scenario, bound: 1) }
        let sentence = try #require(error).sentence
        #expect(sentence.hasPrefix("Everything is at rest, and widget waits for ever for a notice of a.json"))
    }

    @Test("survive a crash of the agent")
    func crash() async throws {
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { try $0.write(#"{"a":1}"#.utf8, to: "a.json") }
            RaceAgent()
            RaceCrash()
        }
        let schedules = try await explore(scenario, bound: 1) { run in
            guard run.group["a.json"] == #"{"a":1}"# else { throw RaceReplayError.unrepeatable }
        }
        #expect(schedules > 10)
    }

    @Test("must do the same in every run")
    func unrepeatable() async throws {
        let runs = Mutex(0)
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { container in
                let run = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                try container.write("{\"a\":\(run)}".utf8, to: "a.json")
            }
            RaceAgent()
        }
        let error = await #expect(throws: RaceReplayError.self) { try await explore(scenario) }
        #expect("\(try #require(error))".hasPrefix("two runs of one schedule differ"))
    }

    @Test("give a check the history of each run")
    func history() async throws {
        var operations: [RaceHistory.Operation] = []
        var steps: [RaceHistory.Step] = []
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { container in
                try container.write(#"{"a":1}"#.utf8, to: "a.json")
                try container.delete("a.json")
            }
            RaceWidget { _ = try $0.read("a.json") }
            RaceAgent()
        }
        try await explore(scenario, bound: 0) { run in
            // The first one is in the order of listing.
            if !operations.isEmpty { return }
            (operations, steps) = (run.history.operations, run.history.steps)
        }
        #expect(operations.map(\.name) == ["write-from-memory", "delete", "read"])
        #expect(operations.map(\.actor) == ["app", "app", "widget"])
        #expect(operations.map(\.container) == [.app, .app, .group])
        #expect(operations[0].written?.text == #"{"a":1}"# && operations[0].isDone)
        #expect(operations[2].read?.hash?.hasPrefix("sha256:") == true)
        #expect(steps[0].action == .changed && steps[0].content == operations[0].written)
        #expect(steps.contains { $0.actor == "agent" && $0.action == .changed })
    }

    @Test("are named, and need a bridge and a document")
    func wrong() {
        func refusal(_ documents: [RaceDocument], @RaceActorsBuilder _ actors: () -> RaceActors) -> String? {
            do {
                _ = try RaceScenario(documents: documents, actors: actors)
                return nil
            } catch { return "\(error)" }
        }
        let app = RaceApp { _ in }
        #expect(refusal(["a.json"]) { app }?.hasPrefix("there is no RaceAgent") == true)
        #expect(refusal(["a.json"]) { RaceAgent() }?.hasPrefix("there is neither") == true)
        #expect(
            refusal(["a.json"]) {
                app
                app
                RaceAgent()
            } == "two actors are named `app`"
        )
        #expect(
            refusal(["a.txt"]) {
                app
                RaceAgent()
            }?.hasPrefix("`a.txt` is not a document") == true
        )
        #expect(
            refusal([RaceDocument("a.json", holding: "{")]) {
                app
                RaceAgent()
            } == "the content of `a.json` is not JSON"
        )
        #expect(
            refusal(["a.json"]) {
                app
                RaceAgent()
                RaceCrash(of: "other")
            }?.hasPrefix("there is no RaceAgent") == true
        )
    }

    @Test("make a call, since nothing is said about one that makes none")
    func idle() async throws {
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { try $0.write("{}".utf8, to: "a.json") }
            RaceWidget { _ in }
            RaceAgent()
        }
        let error = await #expect(throws: RaceScenarioError.self) { try await explore(scenario) }
        #expect("\(try #require(error))" == "the code of `widget` makes no call on its container")
    }

    @Test("end when the run does, also if they ignore that")
    func endless() async throws {
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp { container in
                try container.write(#"{"a":1}"#.utf8, to: "a.json")
                while true { _ = try? container.readOnNotice(of: "a.json") }
            }
            RaceAgent()
        }
        await #expect(throws: RaceFound.self) { try await explore(scenario, bound: 0) }
    }
}

@Suite("The linearizability of a document", .threadPerTest)
struct LinearizableTests {
    private func check(
        in container: RaceHistory.Container?,
        app: @escaping @Sendable (RaceContainer) throws -> Void,
        other: @escaping @Sendable (RaceContainer) throws -> Void
    ) async throws -> String? {
        let scenario = try RaceScenario(documents: ["a.json"]) {
            RaceApp(does: app)
            if container == nil { RaceWidget(does: other) } else { RaceApp("other", does: other) }
            RaceAgent()
        }
        do {
            try await explore(scenario) { try $0.history.checkLinearizable(in: container) }
            return nil
        } catch let found as RaceFound { return found.sentence }
    }

    @Test("holds for reads and renames in one container")
    func holds() async throws {
        let violation = try await check(in: .app) { container in
            try container.write(#"{"a":1}"#.utf8, to: "a.json")
            try container.write(#"{"a":2}"#.utf8, to: "a.json")
        } other: { container in
            _ = try container.read("a.json")
            _ = try container.read("a.json")
        }
        #expect(violation == nil)
    }

    @Test("does not hold between two containers, and the read that shows it is named")
    func twoContainers() async throws {
        let violation = try await check(in: nil) { container in
            try container.write(#"{"a":1}"#.utf8, to: "a.json")
        } other: { container in
            _ = try container.read("a.json")
        }
        #expect(violation?.contains("a.json is not linearizable: widget read `{}` at step 1") == true)
        #expect(violation?.contains("leaves `{\"a\":1}`") == true)
    }
}
