import Documents
import RaceLab
import Testing

@Suite("A schedule")
struct ScheduleTests {
    static func found(_ preset: String) throws -> Finding {
        let scenario = try #require(try Preset.scenario(preset))
        var options = ExploreOptions()
        options.wanted = scenario.expected
        var explorer = Explorer(scenario, options)
        return try #require(explorer.explore().findings.first)
    }

    @Test("gives the same trace in every run of it, in this process and in another")
    func repeats() async throws {
        let traces = try Self.traces()
        #expect(try Self.traces() == traces)
        let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for trace in try ScheduleTests.traces() { print("trace \(trace)") }
        }
        let output = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self)
        #expect(
            output.split(separator: "\n").filter { $0.hasPrefix("trace ") } == traces.map { "trace \($0)" }
        )
    }

    /// Drawn ones, of every preset, with faults.
    static func traces() throws -> [String] {
        try Preset.names.flatMap { name in
            var scenario = try #require(try Preset.scenario(name))
            scenario.machine.faults = 30
            return (0..<UInt64(5)).map { Run.random(scenario, seed: $0).trace }
        }
    }

    @Test("as it was drawn is the same when it is replayed as it is written")
    func replays() throws {
        for name in Preset.names {
            let scenario = try #require(try Preset.scenario(name))
            for seed in 0..<UInt64(20) {
                let run = Run.random(scenario, seed: seed)
                #expect(Run.replay(scenario, run.schedule).trace == run.trace)
            }
        }
    }

    @Test("goes in a world that has served before as it goes in a new one")
    func restored() throws {
        for name in ["stat-recheck", "two-agents", "crash-between-two-sides", "app-todo"] {
            let scenario = try #require(try Preset.scenario(name)).withOwnEngine
            var options = ExploreOptions()
            options.bound = 1
            options.randomSchedules = 30
            options.check = { run in
                Run.replay(scenario, run.schedule).trace == run.trace ? nil : "another trace"
            }
            var explorer = Explorer(scenario, options)
            #expect(explorer.explore().counts[.ownCheck] == nil, "\(name)")
        }
    }

    @Test("is found by priorities too")
    func priorities() throws {
        var options = ExploreOptions()
        options.bound = 0
        options.randomSchedules = 20_000
        options.priorityChanges = 2
        options.wanted = .lostUpdate
        var explorer = Explorer(try #require(try Preset.scenario("stat-recheck")), options)
        #expect(explorer.explore().ending == .found)
    }

    @Test("comes back from its text")
    func printed() throws {
        let saved = try Self.found("stat-recheck").saved
        #expect(try SavedSchedule(text: saved.text, file: "a.json") == saved)
    }

    @Test("is refused if it is of another format, of another scenario, or of nobody")
    func refused() throws {
        let text = try Self.found("stat-recheck").saved.text
        let wrong = [
            (text.replacing("\"format\": 1", with: "\"format\": 2"), "format 2 is not supported"),
            (text.replacing("\"write\"", with: "\"delete\""), "the scenario differs from"),
            (text.replacing("\"schedule\": [\"", with: "\"schedule\": [\"no"), "expected an actor"),
            ("{}", "this is not a saved schedule"),
        ]
        for (text, reason) in wrong {
            do throws(ProfileError) {
                _ = try SavedSchedule(text: text, file: "a.json")
                Issue.record("it was read: \(reason)")
            } catch {
                #expect(error.reason.text.contains(reason), "\(error.reason.text)")
            }
        }
    }

    @Test("whose trace is another one than was saved is called changed")
    func changed() throws {
        var saved = try Self.found("stat-recheck").saved
        saved.trace = "0000000000000000"
        guard case .changed = saved.replay().outcome else {
            Issue.record("\(saved.replay().outcome)")
            return
        }
    }

    @Test("is made smaller than it was found, and still shows the same")
    func shrinks() throws {
        var scenario = try #require(try Preset.scenario("stat-recheck"))
        scenario.documents[0].padding = 100
        for place in scenario.actors.indices where scenario.actors[place].isProgram {
            let read = Operation(.read, scenario.documents[0].path)
            scenario.actors[place].operations = [read] + scenario.actors[place].operations + [read, read]
        }
        scenario.actors.append(
            ScenarioActor(
                name: "onlooker",
                kind: .widget,
                operations: [Operation(.read, scenario.documents[0].path)]
            )
        )
        var options = ExploreOptions()
        options.bound = 0
        options.randomSchedules = 5_000
        options.wanted = .lostUpdate
        var explorer = Explorer(scenario, options)
        let finding = try #require(explorer.explore().findings.first { $0.anomaly.kind == .lostUpdate })
        #expect(finding.saved.scenario.actors.map(\.name) == ["app", "widget", "agent"])
        #expect(finding.saved.scenario.operationCount == 2)
        #expect(finding.saved.scenario.documents[0].padding == 0)
        #expect(finding.saved.schedule.switches <= 3)
        #expect(finding.original.schedule.switches > finding.saved.schedule.switches)
        #expect(finding.size.hasPrefix("minimal: \(finding.saved.schedule.switches) switch"))
        let steps = finding.history.steps.count
        #expect(finding.size.contains(", \(steps) steps, "))
        #expect(steps <= finding.original.replay().run.history.steps.count)
        #expect(finding.replays > 0)
        #expect(finding.saved.replay().run.judgement.kinds.contains(.lostUpdate))
    }
}
