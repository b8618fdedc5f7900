import Foundation
import Testing

@testable import Commands

/// Documents of several profiles in one directory.
@Suite struct MigrateTwoProfilesTests {
    private let apps = [LiveApp.all[0], LiveApp.all[2]]

    @Test(arguments: [true, false])
    func `Each profile migrates and rolls back its own documents`(byDirectory: Bool) async throws {
        try await MigrationGround.with { ground in
            func migrate(_ action: String, _ app: LiveApp) async -> Ran {
                await ground.migrate(
                    action,
                    byDirectory ? "D/docs" : "D/docs/\(app.document)",
                    profile: app.name
                )
            }
            let docs = ground.path("docs")
            try FileManager.default.createDirectory(atPath: docs, withIntermediateDirectories: false)
            for app in apps { try ground.put(app.v1, "docs/\(app.document)") }
            for app in apps {
                let applied = await migrate("apply", app)
                #expect(applied.status == .done, "\(app): \(applied)")
                #expect(ground.read("docs/\(app.document)") == app.v2)
            }
            for app in apps {
                let again = await migrate("status", app)
                #expect(again.status == .done, "\(app): \(again)")
            }
            // The other profile's last migration is not this one's.
            for app in apps {
                let back = await migrate("rollback", app)
                #expect(back.status == .done, "\(app): \(back)")
                #expect(ground.read("docs/\(app.document)") == app.v1)
            }
        }
    }

    @Test(arguments: [true, false])
    func `A profile finishes its own documents, and the other's can be rolled back`(byDirectory: Bool)
        async throws
    {
        try await MigrationGround.with { ground in
            func migrate(_ action: String, _ app: LiveApp) async -> Ran {
                let place = byDirectory ? "D/docs" : "D/docs/\(app.document)"
                return await ground.migrate(action, place, profile: app.name)
            }
            let docs = ground.path("docs")
            try FileManager.default.createDirectory(atPath: docs, withIntermediateDirectories: false)
            for app in apps {
                try ground.put(app.v1, "docs/\(app.document)")
                #expect(await migrate("apply", app).status == .done)
            }
            for app in apps {
                #expect(await migrate("status", app).output.contains("1 original document ("), "\(app)")
            }
            let finished = await migrate("finish", apps[0])
            #expect(finished.status == .done && finished.output.hasPrefix("1 original document ("))
            #expect(await migrate("status", apps[0]).output.contains("original") == false)
            #expect(await migrate("status", apps[1]).output.contains("1 original document ("))
            #expect(await migrate("rollback", apps[0]).status == .failed)
            #expect(await migrate("rollback", apps[1]).status == .done)
            #expect(apps.map { ground.read("docs/\($0.document)") } == [apps[0].v2, apps[1].v1])
        }
    }
}
