import Foundation
import RaceLab
import RaceLabTesting
import Synchronization
import TestWorld
import Testing

@testable import RaceLabTesting

@Suite("The trait of tests that look for races", .threadPerTest, .races(bound: 1, seed: 7))
struct RaceTraitTests {
    private var scenario: RaceScenario {
        get throws {
            try RaceScenario(documents: ["a.json"], name: "one save") {
                RaceApp { try $0.write(#"{"a":1}"#.utf8, to: "a.json") }
                RaceAgent()
            }
        }
    }

    @Test("sets how far to search, and the argument of a call goes first")
    func bound() async throws {
        let scenario = try scenario
        let one = try #require(await expectNoRace(in: scenario))
        #expect(one == (try await explore(scenario, bound: 1)))
        #expect(await expectNoRace(in: scenario, bound: 2) == (try await explore(scenario, bound: 2)))
        let random = await expectNoRace(in: scenario, randomSchedules: 5)
        #expect(random == one + 5)
    }

    @Test("of a test goes before that of its suite", .races(bound: 0))
    func nested() async throws {
        #expect(RaceSettings.current.bound == 0 && RaceSettings.current.seed == 7)
    }

    @Test("names a directory beside the source file", .races(corpus: "Races"))
    func directory() {
        let here = URL(filePath: #filePath).deletingLastPathComponent().path
        #expect(RaceSettings.current.corpus == "\(here)/Races")
    }
}

private func withTemporaryDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
}

@Suite("A corpus of races in tests", .threadPerTest)
struct CorpusTests {
    /// A bridge between programs that both save from what they read, until they are mended.
    private func scenario(isMended: Bool) throws -> RaceScenario {
        @Sendable func save(_ container: RaceContainer, _ key: String) throws {
            var isDone = false
            while !isDone {
                let old = try container.read("a.json") ?? []
                let rest = String(decoding: old, as: UTF8.self).dropFirst()
                let new = "{\"\(key)\":1\(rest == "}" ? "" : ",")\(rest)"
                if isMended {
                    isDone = try container.put(new.utf8, to: "a.json", expecting: old)
                } else {
                    try container.write(new.utf8, to: "a.json")
                    isDone = true
                }
            }
        }
        return try RaceScenario(documents: ["a.json"], name: "two keys", evidence: false) {
            RaceApp { try save($0, "app") }
            RaceWidget { try save($0, "widget") }
            RaceAgent()
        }
    }

    private func files(_ directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    }

    @Test("gets what a test finds, which is replayed before the next search")
    func grows() async throws {
        try await withTemporaryDirectory { top in
            let directory = top.appending(path: "races").path
            let settings = RaceSettings(bound: 2, corpus: directory)
            let faulty = try scenario(isMended: false)
            try await RaceSettings.$current.withValue(settings) {
                await withKnownIssue {
                    await expectNoRace(in: faulty)
                } matching: {
                    $0.description.contains("saved in \(directory)/two-keys-lost-update-")
                }
                let saved = files(directory)
                #expect(saved.count == 1)
                await withKnownIssue {
                    await expectNoRace(in: faulty)
                } matching: {
                    $0.description.contains("\(saved[0]): ")
                }
                #expect(files(directory) == saved)
                #expect(await expectNoRace(in: try scenario(isMended: true)) != nil)
                // One of another scenario is passed over.
                let other = try RaceScenario(preset: "app-habits")
                #expect(await expectNoRace(in: other, bound: 0) != nil)
            }
        }
    }

    @Test("is replayed by itself: an anomaly is an issue, other steps are a warning")
    func replayed() async throws {
        try await withTemporaryDirectory { top in
            let faulty = try scenario(isMended: false)
            let error = await #expect(throws: RaceFound.self) { try await explore(faulty) }
            let found = try #require(error)
            try Data(found.schedule.utf8).write(to: top.appending(path: "one.json"))
            withKnownIssue {
                #expect(expectNoRace(replaying: top.path, in: faulty) == 1)
            } matching: {
                $0.description.contains("one.json: ") && $0.severity == .error
            }
            let mended = try scenario(isMended: true)
            withKnownIssue {
                #expect(expectNoRace(replaying: top.path, in: mended) == 1)
            } matching: {
                $0.severity == .warning
            }
            withKnownIssue {
                expectNoRace(replaying: top.path)
            } matching: {
                $0.description.contains("the code of `app` is Swift")
            }
            withKnownIssue {
                expectNoRace(replaying: top.path + "/none")
            } matching: {
                $0.description.contains("no saved schedule in ")
            }
        }
    }
}
