import Foundation
import TestWorld
import Testing

/// A small run of `Scripts/races`; a full run gives the documented figures.
@Suite(.timeLimit(.minutes(5))) struct RacesTests {
    static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts")

    @Test func `writers on both sides that race with the agent lose nothing`() async throws {
        let race = try Running(
            command: [
                Self.scripts.appending(path: "races").path, "--writers", "3", "--edits", "10", "--styles",
                "mixed",
            ],
            environment: ["WIDGETBRIDGE_BIN": URL(filePath: Binary.path).deletingLastPathComponent().path]
        )
        let ended = await race.ended()
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.last == "races: 240 saves, 0 violations")
        // Each way to commit, and the control, on both file systems.
        #expect(lines.count == 7)
        #expect(lines.prefix(2).allSatisfy { $0.contains("60 saves, 0 lost, ") && $0.contains("unseen ") })
    }
}
