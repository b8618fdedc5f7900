import AgentClient
import AgentServer
import BridgeRuntime
import TestWorld
import Testing

/// The five apps with their built-in profiles in typical use: nothing is pinned, the app writes version 1,
/// and its widget reads the newest version.
@Suite struct LiveAppsTests {
    private func isSame(_ app: LiveApp, _ bridge: RealBridge, _ v1: String, _ v2: String) {
        #expect(bridge.read(app.document, in: bridge.app) == v1)
        #expect(bridge.read(app.document, in: bridge.group) == v2)
    }

    @Test(arguments: LiveApp.all)
    func `Each side gets the other's edits in its own version`(_ app: LiveApp) async throws {
        try await RealBridge.withAgent("--profile", app.name) { bridge in
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.run("wait") == Binary.Ended(status: 0))
            isSame(app, bridge, app.v1, app.v2)
            try bridge.save(app.v2(with: app.byWidget), as: app.document, in: bridge.group)
            #expect(try await bridge.run("wait") == Binary.Ended(status: 0))
            isSame(app, bridge, app.v1(with: app.byWidget), app.v2(with: app.byWidget))
            try bridge.save(app.v1(with: app.byWidget, app.byApp), as: app.document, in: bridge.app)
            #expect(try await bridge.run("wait") == Binary.Ended(status: 0))
            isSame(app, bridge, app.v1(with: app.byWidget, app.byApp), app.v2(with: app.byWidget, app.byApp))
            let document = try #require(try await bridge.status().documents.first)
            #expect(document.state == .synced)
            #expect(document.version.app == 1 && document.version.group == 2)
        }
    }

    @Test(arguments: LiveApp.all)
    func `A new agent continues where the last one ended`(_ app: LiveApp) async throws {
        try await RealBridge.with { bridge in
            let flags = ["--profile", app.name]
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            try await bridge.end(bridge.startAgent(flags))
            isSame(app, bridge, app.v1, app.v2)
            try bridge.save(app.v2(with: app.byWidget), as: app.document, in: bridge.group)
            try bridge.save(app.v1(with: app.byApp), as: app.document, in: bridge.app)
            try await bridge.end(bridge.startAgent(flags))
            isSame(app, bridge, app.v1(with: app.byApp, app.byWidget), app.v2(with: app.byApp, app.byWidget))
        }
    }

    @Test(arguments: LiveApp.all)
    func `Of two edits of one field the app's wins, and sync reports it once`(_ app: LiveApp) async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", app.name).status == 0)
            try bridge.save(app.v2(with: app.byWidget), as: app.document, in: bridge.group)
            try bridge.save(app.v1(with: app.rival), as: app.document, in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", app.name).status == 7)
            isSame(app, bridge, app.v1(with: app.rival), app.v2(with: app.rival))
            #expect(try await bridge.run("sync", "--profile", app.name).status == 0)
        }
    }

    @Test(arguments: LiveApp.all)
    func `A custom profile works like the built-in one`(_ app: LiveApp) async throws {
        try await RealBridge.with { bridge in
            let own = "\(bridge.root)/own.yaml"
            try write(try await Binary.run(["profile", "show", app.name]).output, to: own)
            try bridge.save(app.v1, as: app.document, in: bridge.app)
            #expect(try await bridge.run("sync", "--profile", own).status == 0)
            isSame(app, bridge, app.v1, app.v2)
        }
    }
}
