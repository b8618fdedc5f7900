import FileSystem
import Model
import RaceLab
import Synchronization
import TestWorld
import Testing

/// `crash: app` and `crash: widget`.
@Suite("A program that is killed", .threadPerTest)
struct KilledProgramTests {
    /// Every schedule within the bound, with what the closure says of each.
    private func report(
        _ yaml: String,
        bound: Int = 1,
        _ look: @escaping (Run) -> Void = { _ in }
    ) throws -> ExplorationReport {
        var options = ExploreOptions()
        options.bound = bound
        options.jobs = 1
        options.check = { run in
            look(run)
            return nil
        }
        var explorer = Explorer(try Scenario(yaml: yaml, file: "a.yaml"), options)
        return explorer.explore()
    }

    private func calls(_ run: Run, of lane: Int) -> [Call] { run.history.calls.filter { $0.lane == lane } }

    private func verbs(_ run: Run, of lane: Int) -> [String] {
        calls(run, of: lane).map { call in
            guard case .operation(let verb) = call.name else { return "start" }
            return call.result == .died ? "✗\(verb.rawValue)" : verb.rawValue
        }
    }

    @Test("between two writes leaves half a file, which it reads when it is launched again")
    func torn() throws {
        let report = try report(
            """
            documents: [{name: a.json, padding: 40}]
            actors:
              widget: {does: [truncate-and-write]}
              fate: {does: [crash: widget]}
              agent: {}
            """
        )
        #expect(Set(report.counts.keys) == [.tornRead])
        let sentence = try #require(report.findings.first).anomaly.sentence
        #expect(sentence.hasPrefix("widget read a.json in group at step "))
        #expect(sentence.contains("nobody ever wrote that as a whole"))
    }

    @Test("or a bridge that is: a placed widget gets what it missed")
    func widget() throws {
        let yaml = """
            documents: [a.json]
            widgets: {K: {document: a.json, budget: 1}}
            actors: {app: {does: [write]}, fate: {does: [crash: agent]}, agent: {}}
            """
        #expect(try report(yaml).counts == [:])
    }

    @Test("by a power cut while the bridge puts its document gets no answer afterwards")
    func interruptedPut() throws {
        let report = try report(
            "{documents: [a.json], actors: {widget: {does: [edit]}, fate: {does: [cut-power]}, agent: {}}}"
        )
        #expect(report.isExhaustive && report.counts == [:])
    }

    @Test("goes on with the operation after the one that it was killed in, at any of its steps")
    func goesOn() throws {
        var stories: Set<[String]> = []
        _ = try report(
            """
            documents: [a.json, b.json]
            actors:
              app: {does: [truncate-and-write, {write: b.json}]}
              fate: {does: [crash: app]}
              agent: {}
            """
        ) { stories.insert(verbs($0, of: 0)) }
        let slow = "truncate-and-write"
        #expect(
            stories == [
                [slow, "write", "start"], [slow, "start", "write"], ["start", slow, "write"],
                ["✗\(slow)", "start", "write"],
            ]
        )
    }

    @Test("before its save was done has lost nothing, and what it had read is forgotten")
    func unacknowledged() throws {
        var died = 0
        let report = try report(
            """
            documents: [a.json]
            actors:
              app: {does: [read-modify-write, write-from-memory]}
              fate: {does: [crash: app]}
              agent: {}
            """
        ) { run in
            let calls = calls(run, of: 0)
            guard let killed = calls.firstIndex(where: { $0.result == .died }) else { return }
            died += 1
            // From what it has read at its launch, in which its own edit is not.
            #expect(calls[killed].intends != nil && calls.last?.basis == calls.first?.basis)
        }
        #expect(died > 0)
        #expect(report.verdict == .clean, "\(report.findings.map(\.anomaly.sentence))")
    }

    @Test("after the last byte has saved, whether it has closed its file or not")
    func whole() throws {
        var carried = 0
        let report = try report(
            """
            documents: [{name: a.json, padding: 40}]
            actors:
              app: {does: [truncate-and-write]}
              fate: {does: [crash: app]}
              agent: {}
            checks: [lost-update, divergence, ping-pong]
            """
        ) { run in
            guard let call = run.history.calls.first(where: { $0.lane == 0 && $0.result == .died }),
                let rest = run.history.rest, rest.versions[0].app == call.intends
            else { return }
            carried += 1
            #expect(rest.versions[0].group == call.intends)
        }
        #expect(carried > 0 && report.verdict == .clean)
    }

    @Test("is told of nothing until it subscribes again, as it does when it is launched")
    func subscribesAgain() throws {
        var resubscribed = 0
        let report = try report(
            """
            documents: [a.json]
            actors:
              app: {does: [write]}
              widget: {does: [subscribe, read-on-notice, read-on-notice, read]}
              fate: {does: [crash: widget]}
              agent: {}
            """
        ) { run in
            let subscriptions = run.history.steps.filter { $0.lane == 1 && $0.what == .subscribed }
            if subscriptions.count > 1 { resubscribed += 1 }
        }
        #expect(resubscribed > 0)
        #expect(report.counts == [:], "\(report.findings.map(\.anomaly.sentence))")
        // Without the kill the second notice never comes.
        #expect(report.coverage.untouched.isEmpty)
    }

    @Test("while it waits for an answer gets none, and its put may have been done")
    func unanswered() throws {
        var results: Set<String> = []
        let report = try report(
            """
            documents: [a.json]
            actors:
              app: {does: [edit, edit]}
              widget: {does: [write]}
              fate: {does: [crash: app, crash: app]}
              agent: {}
            """
        ) { run in
            for call in calls(run, of: 0) where call.result == .died {
                let isThere = run.history.rest.map { rest in
                    run.history.versions[rest.versions[0].app].edits.contains(call.edit ?? 0)
                }
                results.insert("\(isThere == true)")
            }
        }
        #expect(results == ["true", "false"])
        #expect(report.verdict == .clean, "\(report.findings.map(\.anomaly.sentence))")
    }

    @Test("in a pause does not go on with it")
    func pauses() throws {
        var isEarly = false
        _ = try report(
            """
            documents: [a.json]
            actors:
              app: {does: [write, wait: 60s, write]}
              fate: {does: [wait: 1s, crash: app]}
              agent: {}
            """
        ) { run in
            let began = calls(run, of: 0).map(\.began)
            if let last = began.last, let first = began.first, last - first < .seconds(30) { isEarly = true }
        }
        #expect(isEarly)
    }

    @Test("is not killed before a call of the bridge that no program can tell from the next one")
    func isPrivate() throws {
        func next(_ victim: String) throws -> Set<SystemCall?> {
            var next: Set<SystemCall?> = []
            _ = try report(
                """
                documents: [a.json]
                actors: {app: {does: [write]}, agent: {}, fate: {does: [crash: \(victim)]}}
                """
            ) { run in
                let steps = run.history.steps.drop { $0.what != .died }.filter { $0.lane == 1 }
                next.formUnion(steps.prefix(1).map(\.systemCall))
            }
            return next
        }
        #expect(try !next("app").contains(.write))
        #expect(try next("app").contains(.read))
    }

    @Test("saves by rename where the bridge is not to blame")
    func remedied() throws {
        let scenario = try #require(try Preset.scenario("widget-killed"))
        #expect(scenario.withOwnEngine.actors[0].operations.map(\.verb) == [.write])
        #expect(scenario.reasonNever(.tornRead) == nil && scenario.reasonNever(.nonMonotonicRead) != nil)
    }
}
