import Documents
import RaceLab
import Testing

@Suite("A scenario's YAML")
struct ScenarioTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let reason: String
        var testDescription: String { reason }
    }

    static let mistakes = [
        Mistake(
            text: "documents: [a.json, b.json, a.json]\nactors: {agent: {}, app: {does: [write]}}",
            line: 1,
            reason: "`a.json` is named twice"
        ),
        Mistake(
            text: "documents:\n  - {name: a.json, holds: '{1}'}\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "expected a JSON document"
        ),
        Mistake(
            text:
                "documents:\n  - {name: a.json, padding: 99999999}\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "more than 1048576 bytes of padding"
        ),
        Mistake(
            text:
                "documents:\n  - {name: a.json, padding: 999999}\nactors: {agent: {}, app: {does: [{write: a.json, times: 99}]}}",
            line: 2,
            reason: "are more than 64 MB"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [{write: a.json, times: 9999999}]}",
            line: 4,
            reason: "more than 10000 times"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [{write: a.json, times: 9000}, {write: a.json, times: 9000}]}",
            line: 3,
            reason: "more than 10000 operations"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write, {anything: 99999}]}",
            line: 4,
            reason: "more than 10000 operations"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write, wait: 90000s]}",
            line: 4,
            reason: "is longer than 86400s"
        ),
        Mistake(
            text: "documents: [a.json]\nwidgets: {K: {document: b.json}}\nactors: {agent: {}}",
            line: 2,
            reason: "`b.json` is not one of the scenario's documents"
        ),
        Mistake(
            text: "documents: [a.json]\nwidgets: {K: {stale: 1500ms}}\nactors: {agent: {}}",
            line: 2,
            reason: "expected whole seconds"
        ),
        Mistake(
            text: "documents: [a.json]\nwidgets:\n  K: {stale: 5s}\n  L: {stale: 6s}\nactors: {agent: {}}",
            line: 4,
            reason: "`stale` differs"
        ),
        Mistake(
            text: "documents: [budget.json]\nprofile: budget\nwidgets: {K: {}}\nactors: {agent: {}}",
            line: 3,
            reason: "not both"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  fate: {does: [put-clock-back]}",
            line: 5,
            reason: "`put-clock-back` needs a value"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}\nexpect: frozen-widget",
            line: 3,
            reason: "`frozen-widget` cannot occur"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}\nexpect: lost-tap",
            line: 3,
            reason: "no actor taps"
        ),
        Mistake(
            text: "documents: [a.json]\nmachine: {grain: 999999s}\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "is longer than 3600s"
        ),
        Mistake(
            text:
                "documents: [a.json]\nmachine: {faults: 99999999}\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "more than 1000000 file operations"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  widget: {}",
            line: 5,
            reason: "`widget` has nothing to do"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  fate: {does: [wait: 1s]}",
            line: 5,
            reason: "`fate` has nothing to do"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {does: [wait: 1s]}\n  app: {does: [write]}",
            line: 3,
            reason: "`agent` is an agent, which acts by itself"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  widget: {does: [read-on-notice, subscribe]}",
            line: 5,
            reason: "needs a `subscribe` before it"
        ),
        Mistake(
            text:
                "documents: [a.json, b.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  widget: {does: [subscribe, {read-on-notice: b.json}]}",
            line: 5,
            reason: "`read-on-notice` of `b.json` needs"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [{migrate: a.json, version: 2}]}",
            line: 4,
            reason: "`migrate` needs a `profile`"
        ),
        Mistake(
            text:
                "documents: [budget.json]\nprofile: budget\nactors:\n  agent: {}\n  app: {version: 1, does: [{migrate: budget.json, version: 9}]}",
            line: 5,
            reason: "profile budget has no version 9"
        ),
        Mistake(
            text:
                "documents: [budget.json]\nprofile: budget\nactors:\n  agent: {}\n  app: {version: 1, does: [migrate]}",
            line: 5,
            reason: "`migrate` needs a `version`"
        ),
        Mistake(
            text:
                "documents: [budget.json]\nprofile: budget\nactors:\n  agent: {}\n  app: {version: 2, does: [{migrate: budget.json, version: 1}]}",
            line: 5,
            reason: "`migrate` needs a `version` that is newer than the program's, which is 2"
        ),
        Mistake(
            text:
                "documents: [budget.json]\nprofile: budget\nactors:\n  agent: {}\n  app: {version: 9, does: [write]}",
            line: 5,
            reason: "has a version 9"
        ),
        Mistake(
            text: "documents: [habits.json]\nprofile: habits\nactors:\n  agent: {}\n  app: {does: [write]}",
            line: 1,
            reason: "a document of profile habits needs `holds`"
        ),
        Mistake(
            text:
                "documents:\n  - name: budget.json\n    holds: '{\"version\":9,\"data\":{}}'\nprofile: budget\nactors:\n  agent: {}\n  app: {does: [write]}",
            line: 3,
            reason: "`holds` is in no version of `budget.json`"
        ),
        Mistake(
            text:
                "documents:\n  - name: budget.json\n    holds: '{\"spent\":1}'\nprofile: budget\nactors:\n  agent: {}\n  app: {version: 2, does: [write]}",
            line: 3,
            reason: "`holds` is in version 1, and that of the first program is 2"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {version: 1, does: [write]}",
            line: 4,
            reason: "a `version` needs a `profile`"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [read]}\nexpect: lost-update",
            line: 5,
            reason: "no actor writes"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [read]}\nexpect: non-monotonic-read",
            line: 5,
            reason: "no actor reads a document twice"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\nexpect: torn-read",
            line: 5,
            reason: "no actor reads"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [read]}",
            line: 3,
            reason: "no actor writes, so no anomaly can occur"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}\nchecks:\n- divergence\n- divergence",
            line: 5,
            reason: "`divergence` is named twice"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}\nmachine:\n  faults: 1",
            line: 4,
            reason: "with 1 every file operation of the bridge fails"
        ),
        Mistake(
            text:
                "documents:\n  - name: a.json\n    there: no\n    holds: '{}'\nactors: {agent: {}, app: {does: [write]}}",
            line: 4,
            reason: "does not exist at the start"
        ),
        Mistake(
            text: "documents: [a.json,\n  a.json/b.json]\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "`a.json/b.json` needs a directory `a.json`, which is a document"
        ),
        Mistake(
            text: "documents: [\"a\\e[31m.json\"]\nactors: {agent: {}, app: {does: [write]}}",
            line: 1,
            reason: "cannot have control characters"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  \"a\\np\": {kind: app, does: [write]}",
            line: 4,
            reason: "cannot have control characters"
        ),
        Mistake(
            text: "name: \"a\\u202Eb\"\ndocuments: [a.json]\nactors: {agent: {}, app: {does: [write]}}",
            line: 1,
            reason: "cannot have control characters"
        ),
        Mistake(
            text:
                "documents:\n- \(String(repeating: "a", count: 300)).json\nactors: {agent: {}, app: {does: [write]}}",
            line: 2,
            reason: "a name of more than 251 bytes"
        ),
        Mistake(
            text:
                "documents: [a.json]\nchecks: [missed-reload]\nactors:\n  agent: {}\n  app: {does: [write]}",
            line: 2,
            reason: "no actor subscribes"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}, app: {does: [reed]}}",
            line: 2,
            reason: "unknown word `reed`"
        ),
        Mistake(text: "documents: [a.json]\ncolour: red\nactors: {}", line: 2, reason: "unknown key"),
        Mistake(text: "documents: []\nactors: {agent: {}}", line: 1, reason: "a scenario needs a document"),
        Mistake(
            text: "documents: [a.json]\nactors:\n  app: {does: [write]}",
            line: 3,
            reason: "no actor of kind `agent`"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}}",
            line: 2,
            reason: "no actor reads or writes"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [{write: b.json}]}",
            line: 4,
            reason: "not one of the scenario's documents"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [cut-power]}",
            line: 4,
            reason: "an actor of kind `app` cannot do"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write], engine: copier}",
            line: 4,
            reason: "only an agent has an `engine`"
        ),
        Mistake(
            text: "documents: [a.json]\nactors:\n  agent: {engine: copyer}\n  app: {does: [write]}",
            line: 3,
            reason: "unknown word `copyer`"
        ),
        Mistake(
            text:
                "documents: [a.json]\nactors:\n  agent: {}\n  app: {does: [write]}\n  fate: {does: [crash: nobody]}",
            line: 5,
            reason: "unknown word `nobody`; expected one of: agent, app"
        ),
        Mistake(
            text: "documents: [a.json]\nactors: {agent: {}, app: {does: [wait: soon]}}",
            line: 2,
            reason: "expected a time"
        ),
    ]

    @Test("with a workload that is drawn is another one for each seed, and always the same for one")
    func drawn() throws {
        let yaml = "documents: [a.json, b.json]\nactors: {agent: {}, app: {does: [{anything: 9}]}}"
        let scenario = try Scenario(yaml: yaml, file: "a.yaml")
        let one = scenario.drawn(seed: 1)
        #expect(one == scenario.drawn(seed: 1))
        #expect(one != scenario.drawn(seed: 2))
        #expect(one.operationCount == 9 && !one.hasDrawnWorkload)
        #expect(try Scenario(yaml: scenario.json.description, file: "again") == scenario)
    }

    @Test("has a bridge that hears what programs do, as an agent, if it does not say otherwise")
    func evidence() throws {
        let yaml = "documents: [a.json]\nactors: {agent: {}, app: {does: [write]}}"
        let heard = try Scenario(yaml: yaml, file: "a.yaml")
        #expect(heard.tracksAccess)
        #expect(try Scenario(yaml: "\(yaml)\nsettings: {commit: rename}", file: "a.yaml").tracksAccess)
        let unheard = try Scenario(yaml: "\(yaml)\nsettings: {evidence: no}", file: "a.yaml")
        #expect(!unheard.tracksAccess && unheard.hash != heard.hash)
        for scenario in [heard, unheard] {
            #expect(try Scenario(yaml: scenario.json.description, file: "again") == scenario)
            let saved = SavedSchedule(scenario: scenario, schedule: Schedule())
            #expect(try SavedSchedule(text: saved.text, file: "a.json") == saved)
        }
        // As it was saved before the default was this.
        let old = SavedSchedule(scenario: unheard, schedule: Schedule()).text
        let text = old.replacing(#","evidence":false"#, with: "")
        #expect(text != old)
        #expect(try SavedSchedule(text: text, file: "a.json").scenario == unheard)
    }

    @Test("whoever reads before it writes is a reader", arguments: ["read-modify-write", "edit"])
    func reader(verb: String) throws {
        let text = "{documents: [a.json], checks: [torn-read], actors: {agent: {}, app: {does: [\(verb)]}}}"
        #expect(try Scenario(yaml: text, file: "a.yaml").checks == [.tornRead])
    }

    @Test("is refused with the line of what is wrong in it", arguments: mistakes)
    func refused(mistake: Mistake) {
        do throws(ProfileError) {
            _ = try Scenario(yaml: mistake.text, file: "a.yaml")
            Issue.record("it was read")
        } catch {
            #expect(error.line == mistake.line)
            #expect(error.reason.text.contains(mistake.reason), "\(error.reason.text)")
        }
    }

    @Test("names are no part of the hash, and everything that decides a run is")
    func hashed() throws {
        let scenario = try #require(try Preset.scenario("stat-recheck"))
        var renamed = scenario
        renamed.name = "other"
        renamed.about = "other"
        #expect(renamed.hash == scenario.hash)
        #expect(scenario.withOwnEngine.hash != scenario.hash)
        var longer = scenario
        longer.actors[0].operations.append(Operation(.read, scenario.documents[0].path))
        #expect(longer.hash != scenario.hash)
    }
}
