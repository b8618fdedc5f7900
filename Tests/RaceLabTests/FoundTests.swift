import Foundation
import RaceLab
import TestWorld
import Testing

/// Schedules in which the project's own engine has failed. Each is a file that `race replay` takes.
@Suite("What the lab has found in the engine", .threadPerTest)
struct FoundTests {
    private static let recorded = Recorded("schedules")
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Schedules")

    private static var names: [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (files ?? []).map { String($0.dropLast(".json".count)) }.sorted()
    }

    @Test("does not come back", arguments: names)
    func stays(name: String) throws {
        let file = Self.directory.appending(path: "\(name).json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let saved = try SavedSchedule(text: text, file: name)
        #expect(saved.scenario.engine == .widgetbridge)
        #expect(saved.scenario.name == name)
        let kind = try #require(saved.anomaly)
        let replay = saved.replay()
        #expect(replay.outcome == .same)
        #expect(Self.recorded.complaint(name, replay.run.history.trace) == nil)
        #expect(!replay.run.judgement.kinds.contains(kind), "\(saved.scenario.about)")
    }

    @Test("is all there")
    func complete() {
        #expect(Self.names.count >= 12)
    }
}
