import AgentClient
import AgentServer
import BridgeRuntime
import CLinux
import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

/// The migration of a bridge whose app wrote version 1, without and with an agent.
@Suite struct MigrateBridgeTests {
    private let app = LiveApp.first

    private func isSame(_ bridge: RealBridge, _ mine: String, _ its: String) {
        #expect(bridge.read("budget.json", in: bridge.app) == mine)
        #expect(bridge.read("budget.json", in: bridge.group) == its)
    }

    private func run(_ bridge: RealBridge, _ words: String...) async throws -> Binary.Ended {
        try await Binary.run(words + bridge.flags + ["--profile", "budget"])
    }

    @Test func `A plan of a bridge writes nothing into its containers`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            let plan = try await run(bridge, "migrate", "plan")
            #expect(plan.status == 2 && plan.errors.isEmpty)
            #expect(plan.output.hasPrefix("app:budget.json  1 → 2  LOSSLESS\n"))
            #expect(plan.output.contains("\n1 to migrate, 1 in that version already\nnothing was written: "))
            isSame(bridge, app.v1, app.v2)
            #expect(try await run(bridge, "sync", "--dry-run").status == 0)
        }
    }

    @Test func `A plan creates no journal`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            for (action, status) in [("plan", 2), ("status", 2), ("verify", 0)] as [(String, Int32)] {
                let looked = try await run(bridge, "migrate", action)
                #expect(looked.status == status, "\(action): \(looked)")
                #expect(!FileManager.default.fileExists(atPath: bridge.state), "\(action)")
            }
            let tried = try await run(bridge, "migrate", "apply", "--dry-run")
            #expect(tried.status == 2 && !FileManager.default.fileExists(atPath: bridge.state), "\(tried)")
        }
    }

    @Test func `A migrated document stays migrated: a later save of version 1 is an edit`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            let applied = try await run(bridge, "migrate", "apply")
            #expect(applied.status == 0, "\(applied)")
            #expect(applied.output.hasPrefix("app:budget.json  1 → 2  LOSSLESS  done\n1 migrated"))
            isSame(bridge, app.v2, app.v2)
            #expect(try await run(bridge, "migrate", "apply").status == 0)
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            isSame(bridge, app.v2(with: app.byApp), app.v2(with: app.byApp))
            #expect(try await run(bridge, "migrate", "status").status == 0)
        }
    }

    @Test func `One side alone can be migrated and rolled back`() async throws {
        try await RealBridge.with { bridge in
            for (side, container) in [("app", bridge.app), ("group", bridge.group)] {
                try bridge.save(app.v1, as: "budget.json", in: container)
                #expect(try await run(bridge, "migrate", "status", "--side", side).status == 2)
            }
            #expect(try await run(bridge, "sync").status == 0)
            isSame(bridge, app.v1, app.v1)
            #expect(try await run(bridge, "migrate", "apply", "--side", "group").status == 0)
            isSame(bridge, app.v1, app.v2)
            let back = try await run(bridge, "migrate", "rollback")
            #expect(back.status == 0 && back.output == "group:budget.json  2 → 1  brought back\n")
            isSame(bridge, app.v1, app.v1)
            // Nothing is pinned any more, so each side may write any version.
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.group)
            #expect(try await run(bridge, "sync").status == 0)
            isSame(bridge, app.v1(with: app.byApp), app.v1(with: app.byApp))
        }
    }

    @Test func `Both sides get back their original bytes`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            #expect(try await run(bridge, "migrate", "apply").status == 0)
            #expect(try await run(bridge, "migrate", "rollback").status == 0)
            isSame(bridge, app.v1, app.v2)
            #expect(try await run(bridge, "sync").status == 0)
            isSame(bridge, app.v1, app.v2)
            #expect(try await run(bridge, "migrate", "apply").status == 0)
            try bridge.save(app.v2(with: app.byApp), as: "budget.json", in: bridge.group)
            #expect(try await run(bridge, "sync").status == 0)
            let refused = try await run(bridge, "migrate", "rollback")
            #expect(refused.status == 5 && refused.output.isEmpty)
            isSame(bridge, app.v2(with: app.byApp), app.v2(with: app.byApp))
        }
    }

    @Test(arguments: [1, 2])
    func `A document that was deleted since is restored with its access rights`(sides: Int) async throws {
        try await RealBridge.with { bridge in
            let paths = [bridge.app, bridge.group].map { "\($0)/budget.json" }
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(unsafe chmod(paths[0], 0o664) == 0)
            #expect(try await run(bridge, "sync").status == 0)
            #expect(try await run(bridge, "migrate", "apply").status == 0)
            for path in paths.prefix(sides) { try FileManager.default.removeItem(atPath: path) }
            if sides == 2 { #expect(try await run(bridge, "sync").status == 0) }
            let forced = try await run(bridge, "migrate", "rollback", "--force")
            #expect(forced.status == 0, "\(forced)")
            var status = stat()
            #expect(unsafe lstat(paths[0], &status) == 0 && status.st_mode & 0o777 == 0o664)
        }
    }

    @Test func `A refused rollback writes nothing, not even a save that waits to be synced`()
        async throws
    {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            #expect(try await run(bridge, "migrate", "apply").status == 0)
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.app)
            let refused = try await run(bridge, "migrate", "rollback")
            #expect(refused.status == 5 && refused.errors.contains("nothing was written"), "\(refused)")
            isSame(bridge, app.v1(with: app.byApp), app.v2)
        }
    }

    @Test func `With an agent the migration goes through the agent`() async throws {
        try await RealBridge.withAgent("--profile", "budget") { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            isSame(bridge, app.v1, app.v2)
            let plan = try await run(bridge, "migrate", "plan", "--json")
            #expect(plan.status == 2, "\(plan)")
            #expect(plan.output.contains(#""document":"app:budget.json","side":"app","from":1,"to":2"#))
            let applied = try await run(bridge, "migrate", "apply")
            #expect(applied.status == 0, "\(applied)")
            isSame(bridge, app.v2, app.v2)
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            isSame(bridge, app.v2(with: app.byApp), app.v2(with: app.byApp))
            #expect(try await run(bridge, "migrate", "rollback").status == 5)
            let forced = try await run(bridge, "migrate", "rollback", "--force")
            #expect(forced.status == 0 && forced.output.contains("brought back over an edit"))
            #expect(try await bridge.wait().status == 0)
            isSame(bridge, app.v1, app.v2)
        }
    }

    @Test func `A saved plan of a bridge is refused if an input changed`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            let plan = "\(bridge.root)/plan"
            #expect(try await run(bridge, "migrate", "plan", "--out", plan).status == 2)
            try bridge.save(app.v1(with: app.byApp), as: "budget.json", in: bridge.app)
            let moved = try await run(bridge, "migrate", "apply", "--plan", plan)
            #expect(moved.status == 5 && moved.errors.contains("it was changed since the plan was made"))
            isSame(bridge, app.v1(with: app.byApp), app.v2)
            #expect(try await run(bridge, "migrate", "plan", "--out", plan).status == 2)
            #expect(try await run(bridge, "migrate", "apply", "--plan", plan).status == 0)
            isSame(bridge, app.v2(with: app.byApp), app.v2(with: app.byApp))
        }
    }

    @Test func `A side that an option pins to another version is not migrated`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(app.v1, as: "budget.json", in: bridge.app)
            #expect(try await run(bridge, "sync").status == 0)
            let refused = try await run(bridge, "migrate", "apply", "--app-version", "1")
            #expect(refused.status == 1 && refused.errors.contains("pinned to version 1"))
            isSame(bridge, app.v1, app.v2)
        }
    }

    @Test func `A newer document is status 4, and one that is not JSON is status 1`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save(#"{"version":3,"data":{}}"#, as: "budget.json", in: bridge.app)
            let newer = try await run(bridge, "migrate", "apply")
            #expect(
                newer.status == 4 && newer.errors.contains("newer than the profile knows, app:budget.json")
            )
            try bridge.save("{", as: "budget.json", in: bridge.app)
            let broken = try await run(bridge, "migrate", "apply")
            #expect(broken.status == 1 && broken.errors.contains("app:budget.json:1:2; correct it"))
            #expect(bridge.read("budget.json", in: bridge.group) == nil)
        }
    }
}
