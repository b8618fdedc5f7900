import Documents
import Model
import RaceLab
import TestWorld
import Testing

@Suite("What a search has not shown", .threadPerTest)
struct CoverageTests {
    private func report(_ yaml: String, bound: Int = 2) throws -> ExplorationReport {
        var options = ExploreOptions()
        options.bound = bound
        var explorer = Explorer(try Scenario(yaml: yaml, file: "a.yaml"), options)
        return explorer.explore()
    }

    @Test("a program that waits for a notice that is never sent is found")
    func isNeverTold() throws {
        let report = try report(
            "{documents: [a.json], actors: {app: {does: [read]}, widget: {does: [subscribe, read-on-notice]}, agent: {}}}"
        )
        #expect(report.verdict == .anomaly && Set(report.counts.keys) == [.deadlock])
        let finding = try #require(report.findings.first)
        #expect(
            finding.anomaly.sentence
                == "Everything is at rest, and widget waits for ever for a notice of a.json from agent, "
                + "which never sends one."
        )
        #expect(finding.saved.replay().run.judgement.kinds == [.deadlock])
    }

    @Test("a document that is never there proves nothing")
    func neverThere() throws {
        let report = try report(
            """
            documents: [{name: a.json, there: no}]
            actors:
              app: {does: [delete]}
              widget: {does: [read]}
              agent: {}
            """
        )
        #expect(report.verdict == .unknown && !report.isProof && report.findings.isEmpty)
    }

    @Test("an operation that runs in no schedule is found, and its schedule shows the same again")
    func neverRuns() throws {
        let report = try report(
            """
            documents: [a.json]
            actors:
              app: {does: [write]}
              widget: {does: [subscribe, read-on-notice, read-on-notice, read]}
              agent: {}
            """
        )
        #expect(report.coverage.untouched.map(\.operation.verb) == [.readOnNotice, .read])
        let finding = try #require(report.findings.first { $0.anomaly.kind == .deadlock })
        #expect(finding.anomaly.sentence.hasSuffix("which has sent all that it will."))
        let saved = try SavedSchedule(text: finding.saved.text, file: "a.json")
        #expect(saved.replay().outcome == .same)
        #expect(saved.replay().run.judgement.kinds == [.deadlock])
        #expect(saved.scenario.operationCount == 5)
    }

    @Test("a program that waits for ever in some schedules only is counted")
    func waits() throws {
        let yaml =
            "{documents: [a.json], actors: {app: {does: [write]}, widget: {does: [subscribe, read-on-notice]}, agent: {}}}"
        let report = try report(yaml)
        #expect(report.verdict == .clean && !report.isProof)
        let waiting = try #require(report.coverage.waiting.first)
        #expect(waiting.place.actor == "widget" && waiting.place.operation.verb == .readOnNotice)
        #expect((1..<report.schedules).contains(waiting.schedules))
        var strict = try Scenario(yaml: yaml, file: "a.yaml")
        strict.checks = [.deadlock]
        var explorer = Explorer(strict)
        #expect(explorer.explore().counts[.deadlock] == waiting.schedules)
    }

    @Test("a program that pauses for long goes on, and the run does not end before")
    func longWait() throws {
        let report = try report(
            "{documents: [a.json], actors: {app: {does: [write, wait: 60s, write]}, agent: {}}}"
        )
        #expect(report.isProof && report.coverage.untouched.isEmpty && report.unfinished == 0)
    }

    @Test("a run that does not come to rest decides nothing")
    func isRestless() throws {
        let yaml = "{documents: [a.json], actors: {app: {does: [write]}, agent: {}}}"
        var scenario = try Scenario(yaml: yaml, file: "a.yaml")
        scenario.machine.faults = 1
        var explorer = Explorer(scenario)
        let report = explorer.explore()
        #expect(report.unfinished == report.schedules && report.verdict == .unknown && report.unrest != nil)
    }

    @Test("a search that checks for nothing that can occur proves nothing, except for a check of one's own")
    func unchecked() throws {
        let yaml = "{documents: [a.json], checks: [own-check], actors: {app: {does: [write]}, agent: {}}}"
        let unchecked = try report(yaml)
        #expect(!unchecked.isProof && unchecked.verdict == .unknown)
        var options = ExploreOptions()
        options.check = { _ in nil }
        var explorer = Explorer(try Scenario(yaml: yaml, file: "a.yaml"), options)
        let checked = explorer.explore()
        #expect(checked.verdict == .clean)
    }

    @Test("a reader finds nothing if nothing changes, unless a fault comes")
    func readers() throws {
        let scenario = Scenario(
            name: "readers",
            documents: [ScenarioDocument(try #require(RelativePath("a.json")))],
            actors: [
                ScenarioActor(
                    name: "app",
                    kind: .app,
                    operations: [Operation(.read, RelativePath("a.json"))]
                ),
                ScenarioActor(name: "agent", kind: .agent),
            ]
        )
        var explorer = Explorer(scenario)
        let report = explorer.explore()
        #expect(report.coverage.checked.isEmpty && !report.isProof && report.verdict == .unknown)
        let crash = ScenarioActor(name: "fate", kind: .fate, operations: [Operation(.crash, target: "agent")])
        var struck = scenario
        struck.actors.append(crash)
        #expect(struck.reasonNever(.tornRead) == nil)
        var faulty = scenario
        faulty.machine.faults = 9
        #expect(faulty.reasonNever(.tornRead) == nil)
    }

    @Test("kinds of anomalies that cannot occur are told apart from those that did not")
    func impossible() throws {
        let yaml = "{documents: [a.json], actors: {app: {does: [write, delete]}, agent: {}}}"
        let report = try report(yaml)
        let pairs = report.coverage.impossible.map { ($0.kind, $0.reason) }
        let reasons = Dictionary(uniqueKeysWithValues: pairs)
        #expect(reasons[.missedReload] == .noSubscriber)
        #expect(reasons[.tornRead] == .noReader)
        #expect(reasons[.deadlock] == .noWaiter)
        #expect(report.coverage.checked == [.lostUpdate, .resurrectedDeletion, .divergence, .pingPong])
        let junit = JUnitReport(report, seconds: 1).text
        #expect(junit.contains("<skipped message=\"no actor subscribes\"/>"))
        #expect(junit.contains("failures=\"0\" errors=\"0\" skipped=\"14\""))
    }

    @Test("every order there is was tried, if no schedule would go on differently with more preemptions")
    func everyOrder() throws {
        let yaml = "{documents: [a.json], actors: {app: {does: [write, write]}, agent: {}}}"
        #expect(try !report(yaml, bound: 1).isEveryOrder)
        let (all, more) = (try report(yaml, bound: 40), try report(yaml, bound: 60))
        #expect(all.isEveryOrder && more.isEveryOrder)
        #expect(all.schedules == more.schedules && all.coverage.views == more.coverage.views)
    }

    @Test("every kind has one place among causes and consequences")
    func causes() {
        #expect(Set(AnomalyKind.causesFirst) == Set(AnomalyKind.allCases))
        #expect(AnomalyKind.causesFirst.count == AnomalyKind.allCases.count)
        let pairs: [(cause: AnomalyKind, consequence: AnomalyKind)] = [
            (.lostUpdate, .divergence), (.lostUpdate, .staleRead), (.tornRead, .lostUpdate),
            (.divergence, .staleRead), (.lostUpdate, .nonMonotonicRead), (.pingPong, .reloadStorm),
            (.missedReload, .deadlock), (.resurrectedDeletion, .divergence),
        ]
        for (cause, consequence) in pairs { #expect(cause.causalRank < consequence.causalRank) }
    }

    @Test("of several anomalies of one run, the cause is drawn")
    func cause() throws {
        let scenario = try #require(try Preset.scenario("base-before-files"))
        var options = ExploreOptions()
        options.shrinks = false
        var explorer = Explorer(scenario, options)
        let finding = try #require(explorer.explore().findings.first { $0.anomaly.kind == .lostUpdate })
        let run = Run.replay(scenario, finding.saved.schedule)
        let shown = Picture(scenario, run, layer: 0).anomalies
        #expect(shown.first?.kind == .lostUpdate && shown.count == run.judgement.anomalies.count)
        #expect(shown.map(\.kind.causalRank) == shown.map(\.kind.causalRank).sorted())
    }

    @Test("is no proof where the bridge is halted at the end, and tells in how many schedules")
    func halted() throws {
        let names = ["a.json", "b.json", "c.json"]
        let yaml = """
            documents: [\(names.joined(separator: ", "))]
            actors: {app: {does: [\(names.map { "{delete: \($0)}" }.joined(separator: ", "))]}, agent: {}}
            """
        var explorer = Explorer(try Scenario(yaml: yaml, file: "world"), ExploreOptions())
        let report = explorer.explore()
        #expect(report.verdict == .clean && report.coverage.held > 0 && !report.isProof)
    }

    @Test(
        "is no proof where a seed draws faults or a power cut",
        arguments: ["machine: {faults: 30}", "fate"]
    )
    func drawn(change: String) throws {
        let machine = change == "fate" ? "" : "\(change), "
        let fate = change == "fate" ? ", fate: {does: [cut-power]}" : ""
        let yaml =
            "{documents: [a.json], \(machine)actors: {app: {does: [write]}, widget: {does: [read]}, agent: {}\(fate)}}"
        var options = ExploreOptions()
        options.bound = 0
        var explorer = Explorer(try Scenario(yaml: yaml, file: "world"), options)
        let report = explorer.explore()
        #expect(report.isExhaustive && !report.isProof && report.proof.contains("no proof"))
    }
}
