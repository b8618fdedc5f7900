import AgentClient
import BridgeRuntime
import Glibc
import Model
import TestWorld
import Testing

/// The five apps in two versions, with a running agent: either side may have the older version.
@Suite struct LiveVersionsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var app: LiveApp
        /// The side with version 1.
        var older: Side
        var testDescription: String { "\(app.name), version 1 in \(older.rawValue)" }

        static let all = LiveApp.all.flatMap { app in Side.allCases.map { Case(app: app, older: $0) } }

        func text(_ side: Side, _ edits: LiveApp.Edit...) -> String {
            edits.reduce(side == older ? app.v1 : app.v2) { text, edit in
                let change = side == older ? edit.v1 : edit.v2
                return text.replacing(change.old, with: change.new, maxReplacements: 1)
            }
        }
    }

    private func place(_ side: Side, _ bridge: RealBridge) -> String {
        side == .app ? bridge.app : bridge.group
    }

    private func save(_ one: Case, _ side: Side, _ bridge: RealBridge, _ text: String) throws {
        try bridge.save(text, as: one.app.document, in: place(side, bridge))
    }

    /// Runs `body` with an agent, and the document on both sides, each in its version.
    private func withBoth(_ one: Case, _ body: (RealBridge, Running) async throws -> Void) async throws {
        try await RealBridge.with { bridge in
            for side in Side.allCases { try save(one, side, bridge, one.text(side)) }
            let agent = try await bridge.startAgent(["--profile", one.app.name])
            #expect(try await bridge.wait().status == 0)
            try await body(bridge, agent)
            try await bridge.end(agent)
        }
    }

    private func holds(_ one: Case, _ bridge: RealBridge, _ edits: LiveApp.Edit...) {
        for side in Side.allCases {
            var expected = one.text(side)
            for edit in edits {
                let change = side == one.older ? edit.v1 : edit.v2
                expected = expected.replacing(change.old, with: change.new, maxReplacements: 1)
            }
            #expect(bridge.read(one.app.document, in: place(side, bridge)) == expected, "\(side)")
        }
    }

    /// Saves on both sides while the agent is stopped, so that neither program has read the other's save.
    private func saveBoth(_ one: Case, _ bridge: RealBridge, _ agent: Running, app: LiveApp.Edit) throws {
        agent.send(SIGSTOP)
        try save(one, .group, bridge, one.text(.group, one.app.byWidget))
        try save(one, .app, bridge, one.text(.app, app))
        agent.send(SIGCONT)
    }

    @Test(arguments: Case.all)
    func `Simultaneous edits of different fields are both applied`(_ one: Case) async throws {
        try await withBoth(one) { bridge, agent in
            holds(one, bridge)
            try saveBoth(one, bridge, agent, app: one.app.byApp)
            #expect(try await bridge.wait().status == 0)
            holds(one, bridge, one.app.byApp, one.app.byWidget)
        }
    }

    @Test(arguments: Case.all)
    func `Of simultaneous edits of one field the app's wins on both sides`(_ one: Case) async throws {
        try await withBoth(one) { bridge, agent in
            try saveBoth(one, bridge, agent, app: one.app.rival)
            #expect(try await bridge.wait().status == 0)
            holds(one, bridge, one.app.rival)
        }
    }

    @Test(arguments: LiveApp.all)
    func `A pinned side gets its version, whatever version is saved`(_ app: LiveApp) async throws {
        try await RealBridge.withAgent(
            "--profile",
            app.name,
            "--app-version",
            "2",
            "--group-version",
            "1"
        ) { bridge in
            for (text, edit) in [(app.v1, nil), (app.v1(with: app.byApp), app.byApp)] {
                try bridge.save(text, as: app.document, in: bridge.app)
                #expect(try await bridge.wait().status == 0)
                let v2 = edit.map { app.v2(with: $0) } ?? app.v2
                #expect(bridge.read(app.document, in: bridge.app) == v2)
                #expect(bridge.read(app.document, in: bridge.group) == text)
            }
        }
    }

    @Test(arguments: LiveApp.all)
    func `A later save of version 1 after a migration is an edit`(_ app: LiveApp) async throws {
        try await RealBridge.withAgent("--profile", app.name) { bridge in
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            let applied = try await bridge.run("migrate", "apply", "--profile", app.name)
            #expect(applied.status == 0, "\(applied)")
            #expect(bridge.read(app.document, in: bridge.app) == app.v2)
            try bridge.save(app.v1(with: app.byApp), as: app.document, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read(app.document, in: bridge.app) == app.v2(with: app.byApp))
            #expect(bridge.read(app.document, in: bridge.group) == app.v2(with: app.byApp))
        }
    }

    @Test func `A newer version is held unchanged, with status 4, until its side writes a known one`()
        async throws
    {
        let app = LiveApp.first
        let newer = app.v2.replacing(#""version":2"#, with: #""version":3"#)
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            try bridge.save(newer, as: app.document, in: bridge.group)
            try bridge.save(app.v1(with: app.byApp), as: app.document, in: bridge.app)
            for words in [["sync", "--dry-run"], ["sync"], ["status"]] {
                let ran = try await Binary.run(words + bridge.flags + ["--profile", "budget"])
                #expect(ran.status == 4, "\(ran)")
                #expect(bridge.read(app.document, in: bridge.group) == newer)
                #expect(bridge.read(app.document, in: bridge.app) == app.v1(with: app.byApp))
            }
            try bridge.save(app.v2, as: app.document, in: bridge.group)
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            #expect(bridge.read(app.document, in: bridge.group) == app.v2(with: app.byApp))
        }
    }
}
