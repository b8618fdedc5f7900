import Documents
import RaceLab
import TestWorld
import Testing

/// `agent: {engine: …}`.
@Suite("Bridges side by side", .threadPerTest)
struct SideBySideTests {
    private static let pair = """
        documents: [a.json]
        actors:
          app: {does: [write]}
          widget: {does: [write]}
          agent: {}
          loop: {kind: agent, engine: copier}
        """

    private func scenario(_ yaml: String) throws -> Scenario { try Scenario(yaml: yaml, file: "a.yaml") }

    private func report(_ scenario: Scenario, shrinks: Bool = true) -> ExplorationReport {
        var options = ExploreOptions()
        options.bound = 1
        options.shrinks = shrinks
        var explorer = Explorer(scenario, options)
        return explorer.explore()
    }

    @Test("are explored and judged, and the one with the fault is named with its engine")
    func judged() throws {
        let report = report(try scenario(Self.pair))
        let finding = try #require(report.findingsByWeight.first)
        #expect(report.isExhaustive && finding.anomaly.kind == .lostUpdate)
        #expect(finding.anomaly.sentence.contains("loop (copier)"), "\(finding.anomaly.sentence)")
        #expect(finding.saved.scenario.engineText == "engine copier")
        #expect(finding.saved.replay().outcome == .same)
        let saved = try SavedSchedule(text: finding.saved.text, file: "a.json")
        #expect(saved.scenario == finding.saved.scenario)
    }

    @Test("are named with their engines in drawings, on pages and for programs")
    func named() throws {
        let finding = try #require(report(try scenario(Self.pair), shrinks: false).findingsByWeight.first)
        let drawn = SwimLanes(finding.history, width: 120).lines[0].text
        #expect(drawn.contains("agent (widgetbridge)") && drawn.contains("loop (copier)"))
        let page = HTMLReport([Picture(finding)], summary: "").text
        #expect(page.contains("engines widgetbridge and copier"))
        #expect(page.contains("<td>loop (copier)</td>"))
        #expect(page.contains(">copier</text>"))
        let json = Picture(finding).json.description
        #expect(json.contains(#""kind":"agent","side":"app","version":null,"engine":"copier""#))
    }

    @Test("are one bridge's own engine each, and lose nothing, with --own-engine")
    func withOwnEngine() throws {
        let own = try scenario(Self.pair).withOwnEngine
        #expect(own.engines == [.widgetbridge])
        #expect(report(own).verdict == .clean)
    }

    @Test("of which each has the engine of the scenario are as they were without engines of their own")
    func same() throws {
        let words = "documents: [a.json]\nactors: {app: {does: [write]}, widget: {does: [write]}, "
        let one = try scenario("engine: swap-back\n\(words) agent: {}}")
        let other = try scenario("\(words) agent: {engine: swap-back}}")
        #expect(other.engines == [.swapBack] && other.engineText == "engine swap-back")
        for seed in 0..<UInt64(20) {
            #expect(Run.random(one, seed: seed).trace == Run.random(other, seed: seed).trace)
        }
    }

    @Test("share a journal only with those of the engine that shares it")
    func shares() throws {
        let yaml = """
            documents: [a.json]
            engine: shared-state
            actors:
              app: {does: [write]}
              widget: {does: [write]}
              own: {kind: agent, engine: widgetbridge}
              agent: {}
              second: {kind: agent}
            """
        let one = try scenario(yaml)
        #expect(one.engineText == "engines widgetbridge and shared-state")
        #expect(one.drawn(seed: 1) == one)
        let run = Run.random(one, seed: 3)
        #expect(run.history.lanes.map(\.label).contains("second (shared-state)"))
        #expect(Run.replay(one, run.schedule).trace == run.trace)
    }

    @Test("come back from their text, and have another hash than one bridge")
    func printed() throws {
        let scenario = try scenario(Self.pair)
        #expect(try Scenario(yaml: scenario.json.description, file: "printed") == scenario)
        #expect(scenario.hash != scenario.withOwnEngine.hash)
    }
}
