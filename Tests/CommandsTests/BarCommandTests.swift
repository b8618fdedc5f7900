import Documents
import Foundation
import GRDB
import Glibc
import TestWorld
import Testing

/// Lines for bars, of real bridges.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BarCommandTests {
    private func budget(_ spent: String, at time: Date = Date(), hasError: Bool = false) -> String {
        let stamp = time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        return """
            {"totalAmount":\(spent),"expenseCount":1,"hasError":\(hasError),"lastUpdated":"\(stamp)Z",\
            "spent":\(spent),"limit":800,"month":"Gennaio 2026","currency":"€","percentage":56.31,\
            "isDarkMode":false,"groupId":"123e4567-e89b-12d3-a456-426614174000"}
            """
    }

    private func line(_ text: String, _ state: String, _ remark: String = "", _ end: String = "") -> String {
        let tooltip = "budget.json: \(state)\(remark)"
        return #"{"text":"\#(text)","tooltip":"\#(tooltip)","class":"\#(state)","alt":"\#(state)"\#(end)}"#
    }

    @Test func `A bar gets the state at once, and a line for each change, by time and over a restart`()
        async throws
    {
        try await RealBridge.with { bridge in
            var agent = try await bridge.startAgent(["--profile", "budget"])
            let bar = try Running([
                "subscribe", "--format", "waybar", "--count", "6", "--state", bridge.state,
            ])
            let none = "Budget non configurato"
            #expect(await bar.line() == line(none, "nodata", ", \(none)"))
            let percent = #","percentage":56"#
            try bridge.save(budget("450.50"), as: "budget.json", in: bridge.app)
            #expect(await bar.line() == line("450.50 € of 800", "fresh", "", percent))
            agent.send(SIGKILL)
            _ = await agent.ended()
            agent = try await bridge.startAgent(["--profile", "budget"])
            // It becomes stale two seconds from now, without another save.
            let old = Date().addingTimeInterval(2 - 24 * 3600)
            try bridge.save(budget("500", at: old), as: "budget.json", in: bridge.app)
            #expect(await bar.line() == line("500 € of 800", "fresh", "", percent))
            let stale = ", Dati non aggiornati"
            #expect(await bar.line() == line("500 € of 800", "stale", stale, percent))
            try bridge.save(budget("500", hasError: true), as: "budget.json", in: bridge.app)
            let error = "Errore sconosciuto"
            #expect(await bar.line() == line(error, "error", ", \(error)"))
            try bridge.save(#"{"version":9,"data":{}}"#, as: "budget.json", in: bridge.group)
            let newer = "version 9 is newer than the profile's newest"
            let shown = newer.replacing("'", with: "&apos;")
            // Held by the bridge: it is told that the kind cannot show it.
            #expect(await bar.line() == line(shown, "incompatible", ", \(shown)"))
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A bar keeps what was reloaded last while the next reload waits`() async throws {
        try await RealBridge.with { bridge in
            let profile = """
                profile: p
                documents:
                  d.json: {stale: {after: 2 s}, kinds: {K: {budget: 2, coalesce: 0 ms}}}
                """
            try write(profile, to: "\(bridge.root)/p.yaml")
            let flags = ["--profile", "\(bridge.root)/p.yaml"]
            try bridge.save(#"{"x":1}"#, as: "d.json", in: bridge.app)
            var agent = try await bridge.startAgent(flags)
            let bar = try Running([
                "subscribe", "--format", "waybar", "--template", "{x}", "--state", bridge.state,
            ])
            func shown() async throws -> [String] {
                let line = try #require(await bar.line())
                let parts = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                return [parts["text"] ?? "", parts["class"] ?? ""]
            }
            #expect(try await shown() == ["1", "fresh"])
            try bridge.save(#"{"x":2}"#, as: "d.json", in: bridge.app)
            #expect(try await shown() == ["2", "fresh"])
            // The second of the two slots was used for that.
            try bridge.save(#"{"x":3}"#, as: "d.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(try await shown() == ["2", "stale"])
            agent.send(SIGKILL)
            _ = await agent.ended()
            agent = try await bridge.startAgent(flags)
            #expect(try await bridge.run("app-state", "foreground").status == 0)
            #expect(try await shown().first == "3")
            bar.send(SIGTERM)
            _ = await bar.ended()
            try await bridge.end(agent)
        }
    }

    @Test func `A bar says that a document becomes stale while the agent is away`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let old = Date().addingTimeInterval(4 - 24 * 3600)
            try bridge.save(budget("500", at: old), as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let bar = try Running([
                "subscribe", "--format", "waybar", "--count", "2", "--state", bridge.state,
            ])
            let percent = #","percentage":56"#
            #expect(await bar.line() == line("500 € of 800", "fresh", "", percent))
            agent.send(SIGKILL)
            _ = await agent.ended()
            #expect(await bar.line() == line("500 € of 800", "stale", ", Dati non aggiornati", percent))
            #expect(await bar.ended().status == 0)
        }
    }

    @Test func `A bar takes up the profile that its agent reads again`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/p.yaml"
            func write(_ text: String) throws {
                let error = "errors: {noData: {text: \(text)}}"
                let yaml = "profile: p\ndocuments: {d.json: {kinds: {K: {shows: [/x]}}, \(error)}}"
                try yaml.write(toFile: file, atomically: true, encoding: .utf8)
            }
            try write("Nothing")
            let agent = try await bridge.startAgent(["--profile", file])
            let bar = try Running([
                "subscribe", "--format", "template", "--template", "{x}", "--count", "2", "--profile", file,
                "--state", bridge.state,
            ])
            #expect(await bar.line() == "Nothing")
            try write("Nada")
            agent.send(SIGHUP)
            #expect(await bar.line() == "Nada")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `Bar and ledger call a document without data so`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            let empty = budget("0").replacing(
                #""limit":800,"month":"Gennaio 2026""#,
                with: #""limit":0,"month":"""#
            )
            try bridge.save(empty, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let bar = try await Binary.run([
                "subscribe", "--format", "waybar", "--count", "1", "--state", bridge.state,
            ])
            #expect(bar.output.contains(#""class":"nodata""#), "\(bar)")
            let state = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            #expect(state.contains(#""kind":"BudgetWidget","state":"nodata""#), "\(state)")
        }
    }

    @Test func `A bar counts the age of a document whose time is ahead from its save`() async throws {
        try await RealBridge.with { bridge in
            for container in [bridge.app, bridge.group] {
                let text = budget("500", at: Date().addingTimeInterval(3 * 24 * 3600))
                try bridge.save(text, as: "budget.json", in: container)
                let saved = Date().addingTimeInterval(-25 * 3600)
                try FileManager.default.setAttributes(
                    [.modificationDate: saved],
                    ofItemAtPath: "\(container)/budget.json"
                )
            }
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let bar = try await Binary.run([
                "subscribe", "--format", "waybar", "--count", "1", "--state", bridge.state,
            ])
            let remark = ", Dati non aggiornati"
            #expect(bar.output == line("500 € of 800", "stale", remark, #","percentage":56"#) + "\n")
            try await bridge.end(agent)
        }
    }

    @Test func `A bar shows at once that a document is held, and that it no longer is`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let bar = try Running([
                "subscribe", "--format", "template", "--template", "{data.spent}", "--count", "6", "--state",
                bridge.state,
            ])
            #expect(await bar.line() == "Budget non configurato")
            let first = budget("450.50")
            try bridge.save(first, as: "budget.json", in: bridge.app)
            #expect(await bar.line() == "450.50")
            #expect(try await bridge.wait().status == 0)
            let stored = try #require(bridge.read("budget.json", in: bridge.group))
            try bridge.save(stored.replacing("450.50", with: "\"much\""), as: "budget.json", in: bridge.group)
            #expect(await bar.line() == "violates its schema")
            let state = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            #expect(state.contains(#""kind":"BudgetWidget","state":"error""#))
            try bridge.save(stored, as: "budget.json", in: bridge.group)
            #expect(await bar.line() == "450.50")
            try bridge.save("{", as: "budget.json", in: bridge.group)
            #expect(await bar.line() == "not JSON")
            try bridge.save(stored.replacing("450.50", with: "9"), as: "budget.json", in: bridge.group)
            #expect(await bar.line() == "9")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    /// It has printed the first one, of a document in sync.
    private func barOfThreeLines(_ bridge: RealBridge) async throws -> Running {
        try bridge.save(budget("9"), as: "budget.json", in: bridge.app)
        #expect(try await bridge.wait().status == 0)
        let bar = try Running(["subscribe", "--format", "waybar", "--count", "3", "--state", bridge.state])
        #expect(await bar.line()?.contains(#""class":"fresh""#) == true)
        return bar
    }

    @Test func `A bar says that a document cannot be read`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "budget"], through: Wrapper.boundByModes)
            let bar = try await barOfThreeLines(bridge)
            let path = "\(bridge.group)/budget.json"
            #expect(unsafe chmod(path, 0) == 0)
            let told = await bar.line()
            #expect(told == line("cannot be read", "locked", ", cannot be read"))
            #expect(unsafe chmod(path, 0o600) == 0)
            #expect(await bar.line()?.contains(#""class":"fresh""#) == true)
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `Bar and ledger say that a document cannot be read on either side`() async throws {
        try await RealBridge.with { bridge in
            var agent = try await bridge.startAgent(["--profile", "budget"], through: Wrapper.boundByModes)
            let bar = try await barOfThreeLines(bridge)
            // The engine reads the app's first, and says what is wrong there.
            let files = ["\(bridge.app)/budget.json", "\(bridge.group)/budget.json"]
            #expect(unsafe chmod(files[0], 0) == 0)
            _ = try await bridge.run("wait", "--timeout", "3s")
            #expect(unsafe chmod(files[1], 0) == 0)
            #expect(await bar.line() == line("cannot be read", "locked", ", cannot be read"))
            let state = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            #expect(state.contains(#""kind":"BudgetWidget","state":"locked""#), "\(state)")
            agent.send(SIGKILL)
            _ = await agent.ended()
            agent = try await bridge.startAgent(["--profile", "budget"], through: Wrapper.boundByModes)
            for file in files { #expect(unsafe chmod(file, 0o600) == 0) }
            #expect(await bar.line()?.contains(#""class":"fresh""#) == true)
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A bar follows its kind to another document`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/p.yaml"
            let profile = "profile: p\ndocuments: {d.json: {kinds: {K: {}}}}"
            try write(profile, to: file)
            let agent = try await bridge.startAgent(["--profile", file])
            try bridge.save(#"{"x":"old"}"#, as: "d.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let bar = try Running([
                "subscribe", "--format", "template", "--template", "{x}", "--kind", "K", "--count", "3",
                "--state", bridge.state,
            ])
            #expect(await bar.line() == "old")
            try write(profile.replacing("d.json", with: "e.json"), to: file)
            agent.send(SIGHUP)
            #expect(await bar.line() == "no data")
            try bridge.save(#"{"x":"new"}"#, as: "e.json", in: bridge.app)
            #expect(await bar.line() == "new")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A change of the state is a line, although its text is the same`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "budget"])
            let old = Date().addingTimeInterval(4 - 24 * 3600)
            try bridge.save(budget("500", at: old), as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let bar = try Running([
                "subscribe", "--format", "polybar", "--template", "{data.spent}", "--count", "2", "--state",
                bridge.state,
            ])
            #expect(await bar.line() == "500")
            #expect(await bar.line() == "500")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A bar says that a value in a database is wrong`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/d.yaml"
            let profile = """
                profile: d
                documents:
                  d.json:
                    version: shapes
                    versions: {1: {schema: {type: array, items: {type: object}}}}
                    kinds: {W: {families: [systemSmall], shows: [/0]}}
                    stores: {ios: {group: {format: tinybase, file: d.db}}}
                """
            try write(profile, to: file)
            let agent = try await bridge.startAgent(["--profile", file, "--stores", "ios"])
            try bridge.save(#"[{"a":{}},{}]"#, as: "d.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let bar = try Running([
                "subscribe", "--format", "waybar", "--template", "x", "--count", "2", "--state", bridge.state,
            ])
            #expect(await bar.line()?.contains(#""class":"fresh""#) == true)
            // The bridge may be reading: whoever shares a database waits for its readers.
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            try await DatabaseQueue(path: "\(bridge.group)/d.db", configuration: configuration).write {
                try $0.execute(sql: "UPDATE tinybase SET store = '[1,{}]'")
            }
            let told = await bar.line()
            #expect(told?.contains(#""class":"error""#) == true, "\(told ?? "")")
            let state = try await Binary.run(["reloads", "--json", "--state", bridge.state]).output
            #expect(state.contains(#""kind":"W","state":"error""#), "\(state)")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A bar ends with its reader, without another line`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(#"{"x":1}"#, as: "a.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let command = """
                '\(Binary.path)' subscribe --format template --template '{x}' --document a.json \
                --state '\(bridge.state)' | head -1
                """
            let ended = try await Running(command: ["/bin/sh", "-c", command]).ended()
            #expect(ended.status == 0 && ended.output == "1\n", "\(ended)")
        }
    }

    @Test func `Without an agent a bar says so at once, and goes on when there is one`() async throws {
        try await RealBridge.with { bridge in
            let bar = try Running([
                "subscribe", "--format", "template", "--template", "{x} of {y}", "--document", "a.json",
                "--count", "2", "--state", bridge.state,
            ])
            #expect(await bar.line() == "no agent answers")
            try bridge.save(#"{"x":1.50,"y":"z"}"#, as: "a.json", in: bridge.app)
            let agent = try await bridge.startAgent()
            #expect(await bar.line() == "1.50 of z")
            #expect(await bar.ended().status == 0)
            try await bridge.end(agent)
        }
    }

    @Test func `A bar ends at once with SIGTERM`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            let bar = try Running(["subscribe", "--format", "eww", "--state", bridge.state])
            #expect(await bar.line()?.contains(#""class":"nodata""#) == true)
            bar.send(SIGTERM)
            #expect(await bar.ended().status == 0)
        }
    }

    private func refusal(_ bridge: RealBridge, _ words: String...) async throws -> String {
        let ended = try await Binary.run(["subscribe", "--state", bridge.state] + words)
        #expect(ended.status == 64 && ended.output.isEmpty, "\(words)")
        return ended.errors
    }

    @Test func `A wrong request is one line that says why`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent(["--profile", "budget"])
            #expect(
                try await refusal(bridge, "--format", "waybar", "--template", "{data.spnt}")
                    == "widgetbridge: the template's field is unknown, `/data/spnt` in budget.json; "
                    + "the schema of its newest version has the fields\n"
            )
            let open = try await refusal(bridge, "--format", "polybar", "--template", "{")
            #expect(open.contains("no partner"))
            let unknown = try await refusal(bridge, "--format", "eww", "--kind", "BudgetWidgt")
            #expect(unknown.contains("unknown widget kind, `BudgetWidgt`"))
            let notes = ["--format", "waybar", "--document", "notes", "--state", bridge.state]
            let ended = try await Binary.run(["subscribe"] + notes)
            #expect(ended.status == 1 && ended.errors.contains("not a document: "), "\(ended)")
            #expect(try await refusal(bridge, "--template", "{data.spent}").contains("--template needs"))
            let since = try await refusal(bridge, "--format", "eww", "--since", "a:1")
            #expect(since.contains("--since"))
            try await bridge.end(agent)
        }
    }
}
