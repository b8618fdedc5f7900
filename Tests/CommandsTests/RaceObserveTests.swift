import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite("race observe")
struct RaceObserveTests {
    /// The observer starts the command that reports reloads once it has looked; here it also writes.
    private func observe(_ top: String, _ flags: [String], while script: String) async throws -> Binary.Ended
    {
        let script = "\(script); exec tail -f /dev/null"
        let containers = ["--app", "\(top)/app", "--group", "\(top)/group"]
        return try await Binary.run(["race", "observe"] + containers + ["--reloads", script] + flags)
    }

    @Test("ends with status 1 and reports a half-written document")
    func torn() async throws {
        try await withObservedContainers { top in
            let half = "printf '{\"n\"' > \(top)/group/a.json"
            let page = "\(top)/race.html"
            let flags = ["--json", "--seconds", "1", "--patience", "200ms", "--html", page]
            let ended = try await observe(top, flags, while: half)
            #expect(ended.status == 1, "\(ended)")
            #expect(ended.output.contains(#""verdict":"anomaly""#))
            #expect(ended.output.contains(#""torn-read":"#))
            let text = try String(contentsOfFile: page, encoding: .utf8)
            #expect(text.contains("<b>torn-read</b>") && text.contains("<p>\(top)/app and \(top)/group"))
        }
    }

    @Test(
        "doubts a half that is there while its writer holds a lock, wherever that is",
        arguments: ["the writer", "another program", nil]
    )
    func locked(by holder: String?) async throws {
        try await withDirectory { elsewhere in
            try await withObservedContainers { top in
                let lock = "exec 6> \(elsewhere)/lock; flock 6; touch \(elsewhere)/locked"
                let another = "env -i sh -c '\(lock); sleep 0.7' < /dev/null > /dev/null 2>&1 &"
                let isLocked = "until [ -e \(elsewhere)/locked ]; do sleep 0.01; done"
                let locking = [
                    "the writer": "\(lock);", "another program": "cd /; \(another) \(isLocked);",
                ]
                let file = "\(top)/group/a.json"
                let save = "printf '{\"n\":1}' > \(top)/app/.new; mv \(top)/app/.new \(top)/app/a.json"
                let bring = "printf '{\"n\"' > \(file); sleep 0.5; printf ':1}' >> \(file); exec 6>&-"
                let flags = ["--seconds", "2", "--patience", "200ms"]
                let script = "\(save); \(holder.flatMap { locking[$0] } ?? "") \(bring)"
                let ended = try await observe(top, flags, while: script)
                let isDoubted = holder == "the writer"
                #expect(ended.output.contains("found     torn-read") != isDoubted, "\(ended)")
                #expect(ended.output.contains("half written in group at step") == isDoubted, "\(ended)")
            }
        }
    }

    @Test(
        "judges the notices of a document that is new",
        arguments: ["", "missed-reload", "duplicate-reload"]
    )
    func newDocument(kind: String) async throws {
        try await withObservedContainers { top in
            let told = "echo b.json;"
            func saved(_ number: Int) -> String {
                let file = "printf '{\"n\":\(number)}' > \(top)/.new"
                return ["app", "group"].map { "\(file); mv \(top)/.new \(top)/\($0)/b.json; " }.joined()
            }
            let repeated = kind == "duplicate-reload" ? "sleep 0.2; \(told)" : ""
            let last = kind == "missed-reload" ? "" : "sleep 0.2; \(told)"
            let script = saved(1) + "sleep 0.2; \(told) \(repeated) sleep 0.2; " + saved(2) + "\(last) true"
            let ended = try await observe(top, ["--seconds", "3", "--patience", "200ms"], while: script)
            #expect(ended.output.contains("found     \(kind.isEmpty ? "no anomaly" : kind)"), "\(ended)")
        }
    }

    @Test("does not say who gave a document another name for a moment")
    func movedAway() async throws {
        try await withObservedContainers { top in
            let save = "cd \(top)/app; cp a.json .new; mv a.json a.bak; sleep 0.1; mv .new a.json"
            let ended = try await observe(top, ["--seconds", "1", "--patience", "5s"], while: save)
            #expect(ended.status == 2 && ended.output.contains("found     no anomaly"), "\(ended)")
            #expect(ended.output.contains("a.json was given another name in app at step"), "\(ended)")
        }
    }

    @Test("ends with status 2 if nothing happens, and with 64 if it cannot begin")
    func cannotTell() async throws {
        try await withObservedContainers { top in
            let flags = ["race", "observe", "--app", "\(top)/app", "--seconds", "1", "--patience", "100ms"]
            let idle = await run(flags + ["--group", "\(top)/group"])
            #expect(idle.status == .undecided)
            #expect(idle.output.contains("nothing changed during the observation"))
            let missing = await run(flags + ["--group", "\(top)/none"])
            #expect(
                missing.status == .usage && missing.errors.contains("no such directory, \(top)/none"),
                "\(missing)"
            )
            let command = await run(flags + ["--group", "\(top)/group", "--reloads", "\(top)/none"])
            #expect(
                command.status == .usage && command.errors.contains("cannot be found or run"),
                "\(command)"
            )
        }
    }

    @Test("ends with status 0 after an interrupt, prints latencies, and leaves no process behind")
    func interrupted() async throws {
        try await withObservedContainers { top in
            let crossing = """
                echo $$ > \(top)/pid; for side in app group; do \
                printf '{"n":1}' > \(top)/$side/.new; mv \(top)/$side/.new \(top)/$side/a.json; done
                echo '{"document":"a.json"}'; kill -INT $PPID
                """
            let ended = try await observe(top, [], while: crossing)
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.output.contains("write to lab's read "))
            let pid = try String(contentsOfFile: "\(top)/pid", encoding: .utf8).dropLast()
            #expect(try kill(#require(Int32(pid)), 0) != 0)
        }
    }

    /// Each saves on both sides; that crosses without a bridge.
    private let crossing = """
        for side in app group; do printf '{"n":1}' > $TOP/$side/.new; \
        mv $TOP/$side/.new $TOP/$side/a.json; done; echo '{"document":"a.json"}'; exec tail -f /dev/null
        """

    private func observe(_ top: String, through wrapper: [String]) async throws -> Binary.Ended {
        let flags = ["--app", "\(top)/app", "--group", "\(top)/group", "--seconds", "1", "--json"]
        let arguments = ["race", "observe"] + flags + ["--reloads", crossing]
        return await (try Running(arguments, through: wrapper, environment: ["TOP": top])).ended()
    }

    @Test("tells whether a program can have heard its reads, where it may not read without events")
    func withoutRights() async throws {
        try await withObservedContainers { top in
            let alone = try await observe(top, through: Wrapper.withoutMounts)
            #expect(alone.status == 0 && alone.output.contains(#""reads":"unheard""#), "\(alone)")
        }
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"n":0}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let heard = try await observe(bridge.root, through: Wrapper.withoutMounts)
            #expect(heard.status == 2 && heard.output.contains(#""reads":"heard""#), "\(heard)")
            #expect(heard.output.contains("widgetbridge-watch may have taken the lab's reads"))
        }
        let save = "printf '{}' > .new; mv .new a.json"
        let oneWay = await (try Running(["race", "run", "--app", save], through: Wrapper.withoutMounts))
            .ended()
        #expect(oneWay.status == 0, "\(oneWay)")
        #expect(
            oneWay.output.contains(
                "reads     raise events, which widgetbridge-watch had no use for: only root"
            )
        )
    }

    @Test(
        "reads without events beside an agent, as root",
        .enabled(if: Wrapper.hasSystemAdministration, "only root may read without raising events")
    )
    func silent() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"n":0}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let seen = try await observe(bridge.root, through: [])
            #expect(seen.status == 0 && seen.output.contains(#""reads":"silent""#), "\(seen)")
        }
    }
}
