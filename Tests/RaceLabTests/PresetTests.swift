import Documents
import FuzzWorlds
import RaceLab
import TestWorld
import Testing

@Suite("Every preset", .threadPerTest)
struct PresetTests {
    private static let recorded = Recorded("presets")

    @Test("finds what it is there to find", arguments: Preset.names)
    func finds(name: String) throws {
        let scenario = try #require(try Preset.scenario(name))
        let expected = try #require(scenario.expected)
        var options = ExploreOptions()
        options.wanted = expected
        let traces = Traces()
        options.check = traces.add
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        let finding = try #require(report.findings.first { $0.anomaly.kind == expected })
        #expect(finding.saved.scenario.operationCount <= scenario.operationCount)
        let replayed = finding.saved.replay()
        #expect(replayed.outcome == .same)
        #expect(replayed.run.judgement.kinds.contains(expected))
        #expect(Self.recorded.complaint("\(name) \(scenario.engine.rawValue)", traces.summary) == nil)
    }

    /// Whom it takes to see the point.
    private static let lessons = [
        "crash-between-two-sides": ["app", "widget", "fate"], "base-before-files": ["app", "fate"],
        "two-agents": ["app", "widget", "agent", "second"], "widget-tap-lost": ["app", "widget"],
        "truncate-writer": ["app", "widget"], "write-in-place": ["app", "widget"],
        "widget-killed": ["widget", "fate"], "tap-lost": ["widget", "fate"], "clock-jump": ["app", "clock"],
    ]

    @Test("is still the same lesson once it is made small", arguments: lessons.keys.sorted())
    func teaches(name: String) throws {
        let scenario = try #require(try Preset.scenario(name))
        var options = ExploreOptions()
        options.wanted = scenario.expected
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        let finding = try #require(report.findings.first { $0.anomaly.kind == scenario.expected })
        let steps = finding.history.steps[...finding.anomaly.steps.upperBound]
        // What fate does is a step of its victim's.
        let acting = Set(steps.map { $0.what == .died ? "fate" : finding.history.lanes[$0.lane].name })
        #expect(acting.isSuperset(of: Self.lessons[name] ?? []), "\(finding.saved.text)")
    }

    @Test("of torn reads shows them alone")
    func isPrecise() throws {
        let scenario = try #require(try Preset.scenario("truncate-writer"))
        var explorer = Explorer(scenario)
        #expect(Set(explorer.explore().counts.keys) == [.tornRead])
    }

    @Test(
        "finds nothing in the project's own engine, in any schedule with one preemption",
        arguments: Preset.names + Preset.appNames
    )
    func passes(name: String) throws {
        let scenario = try #require(try Preset.scenario(name)).withOwnEngine
        var options = ExploreOptions()
        options.bound = 1
        let traces = Traces()
        options.check = traces.add
        var explorer = Explorer(scenario, options)
        let report = explorer.explore()
        #expect(report.isExhaustive)
        #expect(report.counts == [:], "\(report.findings.map(\.anomaly.sentence))")
        #expect(report.verdict == .clean)
        #expect(Self.recorded.complaint(name, traces.summary) == nil)
    }

    /// With two preemptions these take seconds in a build for release, and minutes in one for tests.
    private static let long: Set = [
        "debounce-too-short", "crash-between-two-sides", "two-agents", "reload-at-once", "swap-back",
    ]

    @Test(
        "finds nothing in the project's own engine with two preemptions either",
        arguments: (Preset.names + Preset.appNames).filter { !long.contains($0) }
    )
    func passesWithTwo(name: String) throws {
        let scenario = try #require(try Preset.scenario(name)).withOwnEngine
        let report = ReducingTests.report(scenario, bound: 2, isReduced: true)
        #expect(report.isExhaustive && report.verdict == .clean)
        #expect(report.counts == [:], "\(report.findings.map(\.anomaly.sentence))")
    }

    /// With two of them it passes for a proof that there is nothing to find.
    @Test("of a save in place shows nothing with the project's own engine at three preemptions either")
    func goesDeeper() throws {
        let scenario = try #require(try Preset.scenario("write-in-place")).withOwnEngine
        #expect(ReducingTests.report(scenario, bound: 3, isReduced: true).verdict == .clean)
    }

    @Test("comes back from its own text")
    func printed() throws {
        for name in Preset.names {
            let scenario = try #require(try Preset.scenario(name))
            let again = try Scenario(yaml: scenario.json.description, file: "printed")
            #expect(again == scenario)
            #expect(again.hash == scenario.hash)
        }
    }
}

/// The traces of many schedules, in the order they were run.
private final class Traces {
    private var all = Trace(isKept: false)
    private var count = 0

    func add(_ run: Run) -> String? {
        all.record(run.history.trace)
        count += 1
        return nil
    }

    var summary: String { "\(count) schedules \(String(all.hash, radix: 16))" }
}
