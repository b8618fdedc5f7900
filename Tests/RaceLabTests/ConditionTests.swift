import Documents
import Model
import RaceLab
import TestWorld
import Testing

@Suite("A condition in a scenario", .threadPerTest)
struct ConditionTests {
    private func report(_ yaml: String, bound: Int = 1, isReduced: Bool = true) throws -> ExplorationReport {
        ReducingTests.report(try Scenario(yaml: yaml, file: "a.yaml"), bound: bound, isReduced: isReduced)
    }

    private func mistakes(_ operation: String) -> [String] {
        let yaml = "{documents: [a.json], actors: {app: {does: [write, \(operation)]}, agent: {}}}"
        return ScenarioLint(yaml: yaml, file: "a.yaml").mistakes.map(\.reason.text)
    }

    /// The program says that its data are ready before they are.
    private static let flag = """
        documents: [flag.json, data.json]
        actors:
          app: {does: [{write: flag.json, field: ready}, {write: data.json}]}
          widget: {does: [{until: flag.json, field: ready}, {read: data.json}]}
          agent: {}
        """

    @Test("blocks its program until the bridge has brought the field, and takes no step before")
    func blocks() throws {
        let scenario = try Scenario(yaml: Self.flag, file: "a.yaml")
        let run = Run.replay(scenario, Schedule())
        let waiting = run.history.steps.filter { run.history.lanes[$0.lane].name == "widget" }
        #expect(waiting.count == 2)
        let arrived = try #require(run.history.steps.firstIndex { $0.what == .changed && $0.side == .group })
        let first = try #require(run.history.steps.firstIndex { run.history.lanes[$0.lane].name == "widget" })
        #expect(arrived < first)
        let again = try Scenario(yaml: scenario.json.description, file: "b.yaml")
        #expect(again == scenario)
    }

    @Test("makes the reduction lose nothing")
    func isSound() throws {
        for bound in 0...1 {
            let full = try report(Self.flag, bound: bound, isReduced: false)
            let less = try report(Self.flag, bound: bound)
            #expect(less.coverage.views == full.coverage.views && less.coverage.untouched.isEmpty)
        }
    }

    @Test("that nothing fulfils is a deadlock, and a value that is another one is none")
    func isNeverMet() throws {
        let yaml = """
            documents: [{name: a.json, holds: '{"on":true}'}]
            actors:
              app: {does: [{write: a.json, field: /n}]}
              widget: {does: [{until: a.json, field: /on, is: 'false'}, read]}
              agent: {}
            """
        let report = try report(yaml)
        #expect(Set(report.counts.keys) == [.deadlock])
        let sentence = try #require(report.findings.first?.anomaly.sentence)
        #expect(
            sentence.hasSuffix("widget waits for ever for a field of a.json, which nobody sets any more.")
        )
    }

    /// Each goes off duty if the other one is on: together they may leave nobody.
    @Test("decides by what the program has read, and leaves out the rest if it does not hold")
    func isSkipped() throws {
        func scenario(_ value: String) -> String {
            """
            documents: [{name: alice.json, holds: '{"on":true}'}, {name: bob.json, holds: '{"on":true}'}]
            actors:
              app:
                does:
                - {read: bob.json}
                - {if: bob.json, field: /on, is: \(value)}
                - {write: alice.json, field: /on}
              helper:
                kind: app
                does:
                - {read: alice.json}
                - {if: alice.json, field: /on, is: true}
                - {write: bob.json, field: /on}
              agent: {}
            """
        }
        let both = try report(scenario("true"))
        #expect(both.coverage.untouched.isEmpty && both.coverage.waiting.isEmpty)
        let one = try report(scenario("false"))
        #expect(one.coverage.untouched.map(\.actor) == ["app"])
        #expect(one.verdict == .unknown)
    }

    @Test("needs a field, and its value is JSON")
    func isRefused() {
        for operation in ["until", "if", "{until: a.json}", "{if: a.json, is: 1}"] {
            #expect(mistakes(operation).contains { $0.contains("needs a `field`") }, "\(operation)")
        }
        #expect(
            mistakes("{if: a.json, field: k0, is: on}") == ["expected a JSON document, which this is not"]
        )
        #expect(mistakes("{if: a.json, field: k0}").isEmpty)
    }
}
