import Glibc
import Model
import RaceLab
import Testing

/// What a bad bridge does, it does on real files too, whatever their times and numbers.
private let found = [
    "truncate-writer", "read-modify-write", "stat-recheck", "swap-back", "unlink-then-rename",
    "notify-before-rename", "debounce-too-short", "base-before-files", "two-agents", "late-v1-save",
    "widget-tap-lost", "widget-killed",
]

@Suite("On real files")
struct RealFilesTests {
    @Test("what a bad bridge does is found and made small, and the schedule shows it again", arguments: found)
    func finds(name: String) throws {
        let scenario = try #require(try Preset.scenario(name))
        let backendKind = RaceBackendKind.real(try RealTree())
        var options = ExploreOptions()
        options.backendKind = backendKind
        options.stopsAtFirst = true
        options.wanted = scenario.expected
        let findings = explore(scenario, options).findings
        let finding = try #require(findings.first { $0.anomaly.kind == scenario.expected })
        #expect(finding.saved.layer == 1)
        let replay = finding.saved.replay(on: backendKind)
        #expect(replay.outcome == .same)
        #expect(replay.run.judgement.kinds.contains(finding.anomaly.kind))
    }

    @Test("the project's own engine shows nothing", arguments: found + Preset.appNames)
    func passes(name: String) throws {
        let scenario = try #require(try Preset.scenario(name)).withOwnEngine
        var options = ExploreOptions()
        options.backendKind = .real(try RealTree())
        options.bound = 1
        let report = explore(scenario, options)
        #expect(report.isExhaustive)
        #expect(report.verdict == .clean, "\(report.findings.map(\.anomaly.sentence))")
    }

    @Test("a schedule comes to what it comes to on the simulated disk")
    func same() throws {
        let scenario = try #require(try Preset.scenario("read-modify-write"))
        let backendKind = RaceBackendKind.real(try RealTree())
        for seed in 0..<UInt64(20) {
            let simulated = Run.random(scenario, seed: seed)
            let real = Run.replay(scenario, simulated.schedule, on: backendKind)
            #expect(real.judgement.kinds == simulated.judgement.kinds)
        }
    }

    static let verbs: [Operation.Verb] = [
        .write, .truncateAndWrite, .writeInPlace, .unlinkAndWrite, .readModifyWrite, .edit,
    ]

    @Test("a document of a directory is like any other, on either disk", arguments: verbs, [true, false])
    func subdirectories(verb: Operation.Verb, isThere: Bool) throws {
        let path = try #require(RelativePath("x/y/a.json"))
        let scenario = Scenario(
            name: "directories",
            documents: [ScenarioDocument(path, isThere: isThere)],
            actors: [
                ScenarioActor(
                    name: "app",
                    kind: .app,
                    operations: [Operation(verb, path), Operation(.delete, path), Operation(verb, path)]
                ),
                ScenarioActor(name: "agent", kind: .agent),
            ]
        )
        for backendKind in [RaceBackendKind.simulated, .real(try RealTree())] {
            var options = ExploreOptions()
            options.backendKind = backendKind
            options.bound = 0
            let report = explore(scenario, options)
            #expect(report.findings.map(\.anomaly.sentence) == [])
            #expect(report.verdict == .clean && report.coverage.untouched.isEmpty)
            let run = Run.replay(scenario, Schedule(), on: backendKind)
            let rest = try #require(run.history.rest?.versions.first)
            #expect(rest.app != History.absent && rest.app == rest.group)
        }
    }

    @Test("a document of a directory survives a power cut, and a bridge that only copies brings it")
    func durableSubdirectories() throws {
        let head = "documents: [{name: x/a.json, there: no}]\nactors:\n  agent: {}\n  app: {does: [write]}\n"
        let cut = try Scenario(yaml: head + "  fate: {does: [cut-power]}", file: "a.yaml")
        #expect(explore(cut, ExploreOptions()).verdict == .clean)
        var copied = try Scenario(yaml: head, file: "a.yaml")
        copied.engine = .copier
        #expect(explore(copied, ExploreOptions()).verdict == .clean)
    }

    @Test("nothing is left behind")
    func leavesNothing() throws {
        let path: String
        do {
            let tree = try RealTree()
            path = tree.path
            let scenario = try #require(try Preset.scenario("read-modify-write"))
            let run = Run.random(scenario, seed: 1, on: .real(tree))
            #expect(run.history.steps.count > 10)
            #expect(unsafe access("\(path)/app", F_OK) != 0)
        }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test("a run that the disk does not let happen could not tell")
    func disturbed() throws {
        let tree = try RealTree()
        unsafe rmdir(tree.path)
        var options = ExploreOptions()
        options.backendKind = .real(tree)
        let scenario = try #require(try Preset.scenario("read-modify-write"))
        let report = explore(scenario, options)
        #expect(report.verdict == .unknown && report.unfinished == 1 && report.unrest != nil)
    }

    @Test("a scenario that needs what real files have not is refused")
    func refuses() throws {
        let backendKind = RaceBackendKind.real(try RealTree())
        let scenario = try #require(try Preset.scenario("same-size-same-second"))
        #expect(backendKind.refusal(of: scenario) != nil)
        #expect(RaceBackendKind.simulated.refusal(of: scenario) == nil)
        #expect(throws: RealTree.Failure.self) { try RealTree(in: "/nowhere") }
    }
}

private func explore(_ scenario: Scenario, _ options: ExploreOptions) -> ExplorationReport {
    var explorer = Explorer(scenario, options)
    return explorer.explore()
}
