import Model
import Testing

@testable import RaceLab

@Suite("A drawing of real programs")
struct ProcessLanesTests {
    private static let start = #"{"n":0,"m":0}"#

    /// Two processes of the app read, and long after that each of them saves.
    private func observation() throws -> ObservationReport {
        var sight = try Sight(Self.start)
        sight.seesCalls()
        for lane in [0, 1] { sight.calls(.app, .read, at: .app, by: [Int32(lane) + 1], lane: lane) }
        for _ in 0..<100 { sight.sees(.group, Self.start) }
        for (lane, text) in [#"{"n":1,"m":0}"#, #"{"n":0,"m":1}"#].enumerated() {
            sight.calls(.app, .rename, at: .app, by: [Int32(lane) + 1], lane: lane)
            sight.sees(.app, text)
        }
        let judged = sight.judged()
        return ObservationReport(
            history: judged.history,
            judgement: judged.judgement,
            latencies: Latencies(of: judged.history) { $1 == $2 },
            duration: .seconds(1),
            changes: 2,
            looks: 102,
            noticed: [],
            unseenReloads: 0,
            lanes: sight.observed.evidence.lanes
        )
    }

    @Test("has a lane for each process that ran beside others of its program")
    func lanes() throws {
        let observation = try observation()
        let drawn = observation.drawn
        #expect(drawn.lanes.map(\.name) == observation.history.lanes.map(\.name) + ["app.2"])
        let acts = drawn.steps.filter { $0.what == .fetched || $0.what == .changed }
        #expect(acts.map { drawn.lanes[$0.lane].name } == ["app", "app.2", "app", "app.2"])
        #expect(drawn.stretches.map { drawn.lanes[$0.lane].name } == ["app", "app.2"])
    }

    @Test("shows the reads that decided, however long before that was, and little room there is")
    func reads() throws {
        let observation = try observation()
        let anomaly = try #require(observation.judgement.anomalies.first { $0.kind == .lostUpdate })
        let lines = SwimLanes(observation.drawn, anomaly: anomaly, width: 120, height: 12).lines.map(\.text)
        #expect(lines.count { $0.contains("calls read: A") } == 2, "\(lines.joined(separator: "\n"))")
        let picture = try #require(observation.pictures(named: "race").first)
        #expect(picture.history.steps.count { $0.what == .fetched } == 2)
        let page = HTMLReport(observation, name: "race", about: "", summary: "").text
        #expect(page.contains("<b>app.2</b> calls read: A"))
    }

    @Test("names each document, if there are several")
    func documents() throws {
        let yaml = "{documents: [a.json, b.json], actors: {app: {does: [{write: b.json}]}, agent: {}}}"
        let scenario = try Scenario(yaml: yaml, file: "several")
        let run = Run.replay(scenario, Schedule())
        let lines = SwimLanes(run.history, width: 120).lines.map(\.text)
        #expect(lines.contains { $0.contains("write b.json") }, "\(lines.joined(separator: "\n"))")
        #expect(LaneDrawing(Picture(scenario, run, layer: 0)).svg.contains(">b.json</text>"))
    }
}
