import RaceLab
import TestWorld
import Testing

@Suite("The project's own engine", .threadPerTest)
struct OwnEngineTests {
    struct World: Sendable, CustomTestStringConvertible {
        let name: String
        let yaml: String
        var testDescription: String { name }

        /// A bridge that is killed no longer knows who has read what: with that evidence it is not killed.
        var decidable: String {
            yaml.contains("evidence") ? yaml.replacing("  fate: {does: [crash: agent]}\n", with: "") : yaml
        }
    }

    static let worlds = [
        World(
            name: "loses nothing that was synced when the power goes",
            yaml: """
                documents: [a.json]
                actors:
                  app: {does: [write, write]}
                  widget: {does: [subscribe, write, read-on-notice, read]}
                  fate: {does: [cut-power]}
                  agent: {}
                """
        ),
        World(
            name: "is started again when the power goes in the middle of a turn, and nobody else is left",
            yaml: """
                documents: [a.json]
                settings: {durability: none}
                actors:
                  app: {does: [write]}
                  fate: {does: [cut-power]}
                  agent: {}
                """
        ),
        World(
            name: "is killed twice, on a disk that fails",
            yaml: """
                documents: [a.json, b.json]
                machine: {faults: 40}
                actors:
                  app: {does: [write, {write: b.json}, truncate-and-write]}
                  widget: {does: [subscribe, {subscribe: b.json}, write, read-on-notice, {write: b.json}]}
                  fate: {does: [crash: agent, crash: agent]}
                  agent: {}
                """
        ),
        World(
            name: "is asked to put by both sides, while somebody reads",
            yaml: """
                documents: [a.json]
                actors:
                  app: {does: [edit, edit]}
                  widget: {does: [edit, wait: 30ms, edit]}
                  reader: {kind: widget, does: [read, wait: 1ms, read, wait: 30ms, read]}
                  agent: {}
                """
        ),
        World(
            name: "is killed while it puts, before it has said that it has",
            yaml: """
                documents: [a.json]
                actors:
                  app: {does: [write, edit]}
                  widget: {does: [read]}
                  fate: {does: [crash: agent]}
                  agent: {}
                """
        ),
        World(
            name: "hears who has read what its programs save over from memory, and is killed",
            yaml: """
                documents: [a.json]
                settings: {evidence: yes}
                actors:
                  app: {does: [write-from-memory, edit]}
                  widget: {does: [edit, delete, write-from-memory]}
                  fate: {does: [crash: agent]}
                  agent: {}
                """
        ),
        World(
            name: "is killed, as are its programs, at any of their steps",
            yaml: """
                documents: [a.json, {name: b.json, there: no}]
                actors:
                  app: {does: [write, edit, {write: b.json}, read]}
                  widget: {does: [subscribe, {subscribe: b.json}, edit, read-on-notice, {write: b.json}]}
                  fate: {does: [crash: app, crash: widget, crash: agent, crash: widget]}
                  agent: {}
                """
        ),
        World(
            name: "is halted, as an app deletes all of several documents, and holds them",
            yaml: """
                documents: [a.json, b.json, c.json, d.json, e.json]
                actors:
                  app:
                    does: [{delete: a.json}, {delete: b.json}, {delete: c.json}, {delete: d.json}, {delete: e.json}]
                  agent: {}
                """
        ),
        World(
            name: "brings back nothing that is deleted, but what a power cut brings back",
            yaml: """
                documents: [a.json]
                actors:
                  app: {does: [delete]}
                  widget: {does: [wait: 1ms, read]}
                  fate: {does: [cut-power]}
                  agent: {}
                """
        ),
        World(
            name: "carries deletions and what is saved after them",
            yaml: """
                documents: [a.json, {name: b.json, there: no}]
                actors:
                  app: {does: [delete, wait: 150ms, {write: b.json}, wait: 150ms, {delete: b.json}]}
                  widget: {does: [subscribe, {subscribe: b.json}, write, {write: b.json}, read]}
                  agent: {}
                """
        ),
    ]

    @Test("gives no anomaly in workloads that are drawn")
    func workloads() throws {
        let yaml = """
            documents: [a.json, {name: b.json, there: no}]
            actors:
              app: {does: [{anything: 5}]}
              widget: {does: [subscribe, {anything: 5}]}
              agent: {}
            checks: [lost-update, divergence, missed-reload, duplicate-reload, premature-reload, ping-pong]
            """
        var options = ExploreOptions()
        options.bound = 0
        options.randomSchedules = 320
        var explorer = Explorer(try Scenario(yaml: yaml, file: "world"), options)
        let report = explorer.explore()
        #expect(report.verdict == .clean, "\(report.findings.map { $0.anomaly.sentence + $0.saved.text })")
    }

    @Test("gives no anomaly in any world", arguments: worlds)
    func holds(world: World) throws {
        var options = ExploreOptions()
        options.bound = 1
        options.randomSchedules = 200
        var explorer = Explorer(try Scenario(yaml: world.decidable, file: "world"), options)
        let report = explorer.explore()
        #expect(report.verdict == .clean, "\(report.findings.map { $0.anomaly.sentence + $0.saved.text })")
        #expect(report.randomSchedules == 200)
    }

    @Test("gives no anomaly in schedules by random priorities", arguments: worlds)
    func holdsByPriorities(world: World) throws {
        var options = ExploreOptions()
        options.bound = 0
        options.randomSchedules = 100
        options.priorityChanges = 3
        var explorer = Explorer(try Scenario(yaml: world.decidable, file: "world"), options)
        let report = explorer.explore()
        #expect(report.verdict == .clean, "\(report.findings.map { $0.anomaly.sentence + $0.saved.text })")
    }

    @Test("reads everything again after a power cut that has left the times of files without their data")
    func powerCut() throws {
        let yaml = """
            documents: [{name: a.json, padding: %}]
            settings: {durability: none}
            actors:
              app: {does: [write]}
              widget: {does: [write]}
              agent: {}
              fate: {does: [cut-power]}
            checks: [divergence]
            """
        for seed in 1...20 {
            var options = ExploreOptions()
            options.seed = UInt64(seed)
            let padding = seed.isMultiple(of: 2) ? "0" : "40"
            let scenario = try Scenario(yaml: yaml.replacing("%", with: padding), file: "world")
            var explorer = Explorer(scenario, options)
            let report = explorer.explore()
            #expect(report.verdict == .clean, "\(report.findings.map(\.anomaly.sentence))")
        }
    }

    @Test("has not lost what it displaced on a disk that fails for as long as the run takes")
    func unrest() throws {
        let yaml = """
            documents: [a.json]
            machine: {faults: 2}
            actors:
              app: {does: [write, write-from-memory]}
              widget: {does: [write]}
              agent: {}
            """
        let scenario = try Scenario(yaml: yaml, file: "world")
        var schedule = Schedule()
        for (lane, count) in [(1, 2), (0, 1), (2, 20), (0, 1)] {
            for _ in 0..<count { schedule.append(lane) }
        }
        schedule.faults = 10_586_758_624_409_345_117
        let run = Run.replay(scenario, schedule)
        #expect(run.history.rest?.unrest != nil && run.judgement.anomalies == [])
    }

    @Test("gives a subscriber what it finished when it was started again, wherever it was killed")
    func startedAgain() throws {
        let yaml = """
            documents: [a.json]
            actors:
              app: {does: [write]}
              widget: {does: [subscribe, read-on-notice]}
              fate: {does: [crash: agent]}
              agent: {}
            """
        let scenario = try Scenario(yaml: yaml, file: "world")
        for steps in 1...40 {
            var schedule = Schedule()
            schedule.append(0)
            for _ in 1...steps { schedule.append(3) }
            schedule.append(2)
            let run = Run.replay(scenario, schedule)
            #expect(run.judgement.anomalies == [], "killed after \(steps) steps")
        }
    }
}
