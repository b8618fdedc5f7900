import ArgumentParser
import BridgeRuntime
import Documents
import Logging
import SyncEngine
import Testing

@testable import Commands

@Suite struct ConfigurationTests {
    private static let everyKey = """
        app: app
        group: /g
        state: ../state
        profile: budget
        app-version: 1
        group-version: 2
        durability: none
        commit: rename
        max-document: 1MiB
        max-depth: 7
        max-directories: 9
        include: [a.json, n/*.json]
        exclude: [b.json]
        guard-last-document: true
        halt-threshold: 20%
        max-trash: 1GiB
        trash-age: 7d
        rescan: 2m
        polling: true
        listen: 127.0.0.1:8080
        token-file: token
        log-level: debug
        """

    @Test func `Every key is accepted`() throws {
        let file = "/etc/wb/widgetbridge.yaml"
        let configuration = try Configuration(yaml: Self.everyKey, file: file)
        let settings = PartialSettings(
            app: "/etc/wb/app",
            group: "/g",
            state: "/etc/wb/../state",
            profile: "budget",
            appVersion: 1,
            groupVersion: 2,
            durability: Durability.none,
            commit: .rename,
            maxDocument: 1 << 20,
            maxDepth: 7,
            maxDirectories: 9,
            include: ["a.json", "n/*.json"],
            exclude: ["b.json"],
            guardLastDocument: true,
            haltThreshold: 20,
            maxTrash: 1 << 30,
            trashAge: .seconds(7 * 86_400),
            rescan: .seconds(120),
            polling: true,
            listen: "127.0.0.1:8080",
            tokenFile: "/etc/wb/token",
            logLevel: .debug,
            profilePlace: "/etc/wb/widgetbridge.yaml:4:10",
            place: "/etc/wb/widgetbridge.yaml:1:1"
        )
        #expect(configuration.entries == [Configuration.Entry(name: nil, settings: settings)])
    }

    @Test(arguments: [
        """
        durability: file
        bridges:
          one:
            app: a
            group: b
          two: {app: c, group: d, durability: dir}
        """,
        """
        durability: file
        bridges:
          - name: one
            app: a
            group: b
          - {name: two, app: c, group: d, durability: dir}
        """,
    ])
    func `Several bridges inherit the settings above them`(_ yaml: String) throws {
        let entries = try Configuration(yaml: yaml, file: "widgetbridge.yaml").entries
        #expect(entries.map(\.name) == ["one", "two"])
        #expect(entries.map(\.settings.app) == ["a", "c"])
        #expect(entries.map(\.settings.durability) == [.file, .dir])
    }

    private static let known =
        "app, group, state, profile, app-version, group-version, stores, app-stores, group-stores,"
        + " durability, commit, max-document, max-depth, max-directories, include, exclude,"
        + " guard-last-document, halt-threshold, max-trash, trash-age, rescan, polling, time-zone,"
        + " listen, token-file, log-level, hooks"

    @Test(arguments: [
        ("commit: swap", "`commit`: expected one of `exchange`, `rename`, found `swap`, w.yaml:1:9"),
        ("app: [a]", "`app`: expected text, found a list, w.yaml:1:6"),
        ("app:", "`app`: expected a path, found nothing, w.yaml:1:5"),
        ("app: ''", "`app`: expected a path, found ``, w.yaml:1:6"),
        ("commit:", "`commit`: expected one of `exchange`, `rename`, found nothing, w.yaml:1:8"),
        ("max-depth: no", "`max-depth`: expected a whole number from 1, found `no`, w.yaml:1:12"),
        (
            "max-document: 8MB",
            "`max-document`: expected a size such as `8MiB`, `512KiB` or `8388608`, found `8MB`, w.yaml:1:15"
        ),
        ("rescan: 5", "`rescan`: expected a time such as `60s`, at least `100ms`, found `5`, w.yaml:1:9"),
        (
            "rescan: 99ms",
            "`rescan`: expected a time such as `60s`, at least `100ms`, found `99ms`, w.yaml:1:9"
        ),
        ("listen: 8080", "`listen`: expected `127.0.0.1:PORT`, found `8080`, w.yaml:1:9"),
        ("polling: no", "`polling`: expected `true` or `false`, found `no`, w.yaml:1:10"),
        ("- a", "expected a mapping, found a list, w.yaml:1:1"),
        ("bridges: [x]", "`bridges.0`: expected a mapping, found `x`, w.yaml:1:11"),
        ("bridges: [{app: a}]", "`bridges.0`: `name` is missing, w.yaml:1:11"),
        ("bridges: {}", "`bridges`: expected a bridge, w.yaml:1:10"),
        ("app: 'x", "found unexpected end of stream, w.yaml:1:8"),
        ("app: a\napp: b", "duplicate key: app, w.yaml:2:1"),
    ])
    func `An error is reported with its line`(_ yaml: String, _ line: String) throws {
        let error = #expect(throws: ProfileError.self) { try Configuration(yaml: yaml, file: "w.yaml") }
        #expect(error.map { ErrorProse($0).line } == "widgetbridge: \(line); correct it")
        #expect(error.map { ErrorProse($0).status } == .usage)
    }

    @Test(arguments: [
        ("app: a\ncolour: red\n", "`colour`: unknown key, w.yaml:2:1; the keys here are \(known), bridges"),
        (
            "bridges:\n  x:\n    name: y\n",
            "`bridges.x.name`: unknown key, w.yaml:3:5; the keys here are \(known)"
        ),
    ])
    func `An unknown key is reported with those that there are`(_ yaml: String, _ line: String) throws {
        let error = #expect(throws: ProfileError.self) { try Configuration(yaml: yaml, file: "w.yaml") }
        #expect(error.map { ErrorProse($0).line } == "widgetbridge: \(line)")
        #expect(error.map { ErrorProse($0).status } == .usage)
    }

    @Test(arguments: [
        (
            "bridges: [{name: x, app: a}, {name: x, app: b}]",
            "two bridges have one name, x, w.yaml:1:30; give each bridge its own `name`"
        ),
        (
            "state: s\nbridges:\n  x: {app: a, group: b}\n  y: {app: c, group: d}\n",
            "the bridges x and y have one state directory, w.yaml:4:6; give each bridge its own `state`, "
                + "or leave it out"
        ),
        (
            "bridges:\n  x: {app: a, group: b}\n  y: {app: b, group: a}\n",
            "the bridges x and y have the same two containers, w.yaml:3:6; remove one of them"
        ),
        (
            "bridges:\n  x: {app: a, group: b}\n  y: {app: a/inner, group: c}\n",
            "a directory of one of the bridges x and y is inside a container of the other, w.yaml:3:6; "
                + "name directories outside of each other"
        ),
        (
            "bridges:\n  x: {app: a, group: b, state: d/s}\n  y: {app: c, group: d}\n",
            "a directory of one of the bridges x and y is inside a container of the other, w.yaml:3:6; "
                + "name directories outside of each other"
        ),
    ])
    func `Bridges that would share a name, a state directory or both containers are refused`(
        _ yaml: String,
        _ line: String
    ) throws {
        let error = #expect(throws: UsageError.self) { try Configuration(yaml: yaml, file: "w.yaml") }
        #expect(error.map { ErrorProse($0).line } == "widgetbridge: \(line)")
        #expect(error.map { ErrorProse($0).status } == .usage)
    }

    @Test(arguments: [
        (
            "bridges:\n  home:\n    app: a\n",
            "no group container is named, w.yaml:3:5; add it there, such as `group: ~/group`, or give --group DIR"
        ),
        (
            "group: b\nstate: s\n",
            "no app container is named, w.yaml:1:1; add it there, such as `app: ~/app`, or give --app DIR"
        ),
        (
            "app: a\ngroup: b\nprofile: none.yaml\n",
            "cannot read the profile: No such file or directory, w.yaml:3:10 `D/none.yaml`; name a file that can "
                + "be read, such as `./mine.yaml`, or one that is built in: budget, habits, todo, finance, balances"
        ),
        (
            "app: a\ngroup: b\nprofile: none\n",
            "unknown profile, w.yaml:3:10 `none`; built in are budget, habits, todo, finance, balances; a file "
                + "is named by its path"
        ),
    ])
    func `A missing setting of a bridge is reported with its line`(_ yaml: String, _ line: String)
        async throws
    {
        try await withDirectory { directory in
            try write(yaml, to: "\(directory)/w.yaml")
            let ran = await run(["status", "--config", "\(directory)/w.yaml"])
            let errors = ran.errors.replacing("\(directory)/w.yaml", with: "w.yaml")
            #expect(errors.replacing(directory, with: "D") == "widgetbridge: \(line)\n")
            #expect(ran.status == .usage)
        }
    }

    @Test(arguments: [("5s", 5000), ("5 s", 5000), ("1.5 s", 1500), ("100ms", 100), ("2 m", 120_000)])
    func `A number and its unit may be separated`(_ text: String, _ milliseconds: Int) {
        #expect(TimeSpan(argument: text)?.duration == .milliseconds(milliseconds))
    }

    @Test(arguments: ["5", "5  s", "s", " 5s", "5 S", "-5s", "8MB", "8 MB"])
    func `An invalid duration or size is refused`(_ text: String) {
        #expect(TimeSpan(argument: text) == nil)
        #expect(text == "5" || ByteCount(argument: text) == nil)
        #expect(ByteCount(argument: "8 MiB")?.bytes == 8 << 20)
    }

    private func bridges(_ arguments: String...) throws -> [NamedBridge] {
        try AgentOptions.parse(arguments).bridges()
    }

    @Test func `The command line overrides the file`() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/w.yaml"
            try write("bridges:\n  x: {app: a, group: b, max-depth: 5}\n  y: {app: c, group: d}\n", to: file)
            let both = try bridges("--config", file, "--durability", "none")
            #expect(both.map(\.name) == ["x", "y"])
            #expect(both.map(\.settings.engine.durability) == [Durability.none, Durability.none])
            #expect(both.map(\.settings.engine.maxDepth) == [5, 512])
            let one = try bridges("--config", file, "--bridge", "y", "--app", "/other")
            #expect(one.map(\.settings.app) == ["/other"] && one.map(\.settings.group) == ["\(directory)/d"])
            #expect(throws: UsageError.severalBridges("--app", known: ["x", "y"])) {
                try bridges("--config", file, "--app", "/other")
            }
            #expect(throws: UsageError.unknownBridge("z", known: ["x", "y"])) {
                try bridges("--config", file, "--bridge", "z")
            }
        }
    }

    @Test func `A missing file is an error, not wrong usage`() async {
        let ran = await run(["status", "--config", "/nowhere/w.yaml"])
        let line =
            "cannot read the configuration: No such file or directory, /nowhere/w.yaml; restore it, or name "
            + "another with --config"
        #expect(ran == Ran(status: .failed, errors: "widgetbridge: \(line)\n"))
    }
}
