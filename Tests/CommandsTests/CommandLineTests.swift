import AgentAPI
import AgentClient
import BridgeRuntime
import Documents
import Model
import SyncEngine
import TestBridge
import Testing

@testable import Commands

@Suite struct CommandLineTests {
    private let bridge = FakeBridge()

    @Test(arguments: [
        (["bogus"], "unknown command, `bogus`; `widgetbridge --help` lists all commands"),
        (["help", "bogus"], "unknown command, `bogus`; `widgetbridge --help` lists all commands"),
        (
            ["migrate", "bogus", "--help"],
            "unknown command, `bogus`; `widgetbridge migrate --help` lists all commands"
        ),
        (
            ["profile", "show", "./none.yaml"],
            "cannot read the profile: No such file or directory, ./none.yaml; name a file that can be read, "
                + "such as `./mine.yaml`, or one that is built in: "
                + Profile.builtInNames.joined(separator: ", ")
        ),
        (["sync", "--xyzzyxyzzy"], "unknown option '--xyzzyxyzzy'; see `widgetbridge sync --help`"),
        (["get"], "missing expected argument '<document>'; see `widgetbridge get --help`"),
        (["json", "hash"], "missing expected argument '<files> ...'; see `widgetbridge json hash --help`"),
        (
            ["wait", "--timeout", "5"],
            "the value '5' is invalid for '--timeout <timeout>': expected a time such as `60s` or `500ms`; "
                + "see `widgetbridge wait --help`"
        ),
        (
            ["agent", "--rescan", "5"],
            "the value '5' is invalid for '--rescan <rescan>': expected a time such as `60s`, at least `100ms`; "
                + "see `widgetbridge agent --help`"
        ),
        (
            ["json", "check", "--max-document", "8MB", "a"],
            "the value '8MB' is invalid for '--max-document <max-document>': expected a size such as "
                + "`8MiB`, `512KiB` or `8388608`; see `widgetbridge json check --help`"
        ),
        (
            ["sync", "--max-depth", "0"],
            "the value '0' is invalid for '--max-depth <max-depth>': expected a whole number from 1; "
                + "see `widgetbridge sync --help`"
        ),
        (
            ["sync", "--commit", "swap"],
            "the value 'swap' is invalid for '--commit <commit>': expected one of 'exchange' and 'rename'; "
                + "see `widgetbridge sync --help`"
        ),
        (
            ["put", "a.json", "--expect", "sha256:1"],
            "the value 'sha256:1' is invalid for '--expect <expect>': expected `none`, or `sha256:` and 64 "
                + "hexadecimal digits; see `widgetbridge put --help`"
        ),
        (
            ["status", "--app", "/x"],
            "no group container is named; give --app DIR and --group DIR, such as `--group ~/group`, or "
                + "--config FILE; `widgetbridge init` writes one"
        ),
        (
            ["status", "--app", "/", "--group", "/", "--profile", "none"],
            "unknown profile, --profile `none`; built in are \(Profile.builtInNames.joined(separator: ", "));"
                + " a file is named by its path"
        ),
        (
            ["agent", "--app", "/x", "--group", "/y", "--listen", "0.0.0.0:80"],
            "not the loopback address and a port, --listen `0.0.0.0:80`; give 127.0.0.1:PORT, such as "
                + "`--listen 127.0.0.1:8080`"
        ),
        (
            ["agent", "--app", "/x", "--group", "/y", "--listen", "[::1]"],
            "not the loopback address and a port, --listen `[::1]`; give 127.0.0.1:PORT, such as "
                + "`--listen 127.0.0.1:8080`"
        ),
        (
            ["agent", "--app", "/x", "--group", "/y", "--listen", "127.0.0.1:80"],
            "no token for the port; give --token-file FILE, or `token-file:` in the configuration, with a token on "
                + "its first line"
        ),
    ])
    func `Wrong usage is one line and status 64`(_ arguments: [String], _ line: String) async {
        #expect(await run(arguments) == Ran(status: .usage, errors: "widgetbridge: \(line)\n"))
    }

    @Test func `Without a subcommand the help lists the subcommands`() async {
        let ran = await run([])
        #expect(ran.status == .usage)
        #expect(ran.output.isEmpty && ran.errors.hasPrefix("OVERVIEW: "))
    }

    @Test func `Status asks the agent`() async throws {
        let name = try path("a.json")
        _ = try await bridge.put(Array("{}".utf8), as: name, side: .group, expecting: .anything)
        try await withAgent(of: bridge) { [bridge] flags in
            let status = try await bridge.status()
            #expect(
                await run(["status", "--json"] + flags) == Ran(status: .done, output: "\(status.json)\n")
            )
            let text = TextPrinter().text(.status([Report.Of(value: try ShownStatus(status))]))
            #expect(await run(["status"] + flags) == Ran(status: .done, output: text))
        }
    }

    @Test func `A dry run with pending changes is status 2, and the sync is status 0`() async throws {
        try await withAgent(of: bridge) { flags in
            let plan = await run(["sync", "--dry-run"] + flags)
            #expect(plan.status == .changesPending)
            #expect(
                plan.output == "update    app → group  a.json  changed in app\n"
                    + "1 document, 1 row planned; nothing was written\n"
            )
            #expect(await run(["sync"] + flags).status == .done)
        }
    }

    @Test func `A document that is put can be read, byte for byte`() async throws {
        let bytes = Array("{ \"a\": 1.50 }\n".utf8)
        _ = try await bridge.put(bytes, as: try path("n/a.json"), side: .app, expecting: .anything)
        try await withAgent(of: bridge) { flags in
            let got = await run(["get", "n/a.json", "--side", "app"] + flags)
            #expect(got == Ran(status: .done, output: "{ \"a\": 1.50 }\n"))
            let none = await run(["get", "n/a.json"] + flags)
            let line =
                "widgetbridge: no such document, group:n/a.json; "
                + "`widgetbridge status \(flags.joined(separator: " "))` lists all documents\n"
            #expect(none == Ran(status: .failed, errors: line))
            let outside = await run(["get", "../a.json"] + flags)
            #expect(outside.status == .failed)
        }
    }

    @Test(arguments: [
        (
            BridgeError.held(document: "a.json", reason: .reported("half-written")),
            CommandStatus.needsDecision
        ),
        (.halted(reason: .reported("the group container is gone")), .needsDecision),
        (.timedOut(.seconds(5)), .failed),
    ])
    func `A wait that cannot end says why`(_ error: BridgeError, _ status: CommandStatus) async throws {
        bridge.fail(with: error)
        try await withAgent(of: bridge) { flags in
            let ran = await run(["wait", "--timeout", "60s"] + flags)
            let hint = CommandHint(options: flags)
            #expect(ran == Ran(status: status, errors: ErrorProse(error, hint).line + "\n"))
        }
    }

    @Test func `The options of a wait are passed on`() async throws {
        try await withAgent(of: bridge) { [bridge] flags in
            #expect(await run(["wait", "--timeout", "90s", "--rehash"] + flags) == Ran(status: .done))
            #expect(
                bridge.barriers.map(\.timeout) == [.seconds(90)] && bridge.barriers.map(\.rehash) == [true]
            )
        }
    }

    @Test(arguments: [["wait"], ["subscribe"]])
    func `Without an agent there is nothing to wait for`(_ command: [String]) async throws {
        try await withDirectory { state in
            let flags = ["--app", "/app", "--group", "/group", "--state", state]
            let line =
                "widgetbridge: no agent answers, \(state)/agent.sock; "
                + "start one: `widgetbridge agent \(flags.joined(separator: " "))`\n"
            let ended = await run(command + flags)
            #expect(ended == Ran(status: .failed, errors: line))
        }
    }

    @Test func `A subscriber ends after its count, which includes the current state`() async throws {
        let (one, two) = try (path("a.json"), path("b.json"))
        _ = try await bridge.put(Array("{}".utf8), as: one, side: .group, expecting: .anything)
        _ = try await bridge.put(Array("{}".utf8), as: two, side: .group, expecting: .anything)
        try await withAgent(of: bridge) { flags in
            let both = await run(["subscribe", "--count", "2"] + flags)
            #expect(both.status == .done)
            let lines = both.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains(#""cause":"current""#) })
            let again = await run(
                ["subscribe", "--since", "i1:1", "--count", "1", "--document", "b.json"] + flags
            )
            #expect(
                again.output.hasPrefix(
                    #"{"cursor":"i1:2","kind":"b.json","document":"b.json","generation":2,"#
                )
            )
            let plain = await run(
                ["subscribe", "--format", "plain", "--since", "i1:1", "--count", "1"] + flags
            )
            let time = LocalTime.text(1_768_746_600_123)
            #expect(plain.output == "\(time)  b.json  b.json  2  44136fa355b3  group\n")
        }
    }

    @Test func `A gap is printed, and not counted`() async throws {
        let small = FakeBridge(capacity: 1)
        let name = try path("a.json")
        _ = try await small.put(Array("{}".utf8), as: name, side: .group, expecting: .anything)
        for _ in 0..<3 { small.notify(name, hash: nil, cause: .app) }
        try await withAgent(of: small) { flags in
            let ran = await run(["subscribe", "--since", "i1:1", "--count", "1"] + flags)
            let lines = ran.output.split(separator: "\n")
            #expect(lines.first == #"{"gap":true,"cursor":"i1:4"}"# && lines.count == 2)
        }
    }

    @Test func `The history of a document is printed oldest first`() async throws {
        try await withAgent(of: bridge) { flags in
            let text = await run(["why", "a.json"] + flags)
            #expect(
                text
                    == Ran(
                        status: .done,
                        output:
                            "a.json: held, app: half-written\n"
                            + "what is held can be saved again, written whole with `put`, or taken back with "
                            + "`undo`: `widgetbridge history \(flags.joined(separator: " "))` lists earlier "
                            + "contents\n     1  \(LocalTime.text(5))  created in app\n"
                    )
            )
            let json = await run(["why", "a.json", "--json"] + flags)
            #expect(json.output.hasPrefix(#"{"now":{"name":"a.json","state":"held","side":"app","#))
        }
    }
}
