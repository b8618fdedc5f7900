import Foundation
import Testing

@testable import Commands

@Suite struct SampleDocumentTests {
    /// The samples of the demonstration are what the apps write.
    @Test(arguments: LiveApp.all) func `Each app's sample is valid for its profile`(_ app: LiveApp)
        async throws
    {
        let samples = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Scripts/support/documents").standardized
        try await withDirectory { directory in
            for side in ["app", "group"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/\(side)",
                    withIntermediateDirectories: true
                )
            }
            try FileManager.default.copyItem(
                atPath: samples.appending(path: "\(app.name).json").path,
                toPath: "\(directory)/app/\(app.name).json"
            )
            let places = ["app", "group", "state"].flatMap { ["--\($0)", "\(directory)/\($0)"] }
            let ran = await run(["sync", "--dry-run", "--profile", app.name] + places)
            #expect(ran.status == .changesPending, "\(ran.output)\(ran.errors)")
        }
    }
}
