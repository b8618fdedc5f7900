import RaceLab
import RaceLabTesting
import TestWorld
import Testing

@Suite("Exploring in a test of one's own", .threadPerTest)
struct ExploreTests {
    @Test("ends well where nothing is wrong, and says how many schedules that were")
    func clean() async throws {
        let scenario = try RaceScenario(
            """
            documents: [a.json]
            actors:
              app: {does: [write]}
              widget: {does: [write]}
              agent: {}
            """
        )
        #expect(try await explore(scenario) > 10)
    }

    @Test("throws the anomaly with a schedule to replay")
    func found() async throws {
        let error = await #expect(throws: RaceFound.self) {
            try await explore(try RaceScenario(preset: "stat-recheck"))
        }
        let found = try #require(error)
        #expect(found.sentence.contains("edit"))
        #expect(found.size.hasPrefix("minimal: "))
        let saved = try SavedSchedule(text: found.schedule, file: "found")
        #expect(saved.replay().run.judgement.kinds.contains(.lostUpdate))
    }

    @Test("throws what one's own check throws at, made small")
    func ownCheck() async throws {
        struct Wrong: Error {}
        let scenario = try RaceScenario(
            """
            documents: [a.json]
            actors:
              app: {does: [write, write, delete]}
              agent: {}
            """
        )
        let error = await #expect(throws: RaceFound.self) {
            try await explore(scenario) { run in if run.group["a.json"] == nil { throw Wrong() } }
        }
        let saved = try SavedSchedule(text: try #require(error).schedule, file: "found")
        #expect(saved.scenario.operationCount == 1)
    }

    @Test("names the presets where there is none of that name")
    func unknown() {
        #expect(throws: UnknownPreset.self) { try RaceScenario(preset: "no-such") }
    }

    @Test("records what it finds as an issue of the test")
    func recorded() async throws {
        let scenario = try RaceScenario(preset: "stat-recheck")
        await withKnownIssue {
            #expect(await expectNoRace(in: scenario) == nil)
        } matching: { issue in
            issue.description.contains("minimal: ")
        }
    }

    @Test("records nothing where the scenario holds")
    func holds() async throws {
        let scenario = try RaceScenario(
            """
            documents: [a.json]
            actors:
              app: {does: [write]}
              agent: {}
            """
        )
        #expect(try #require(await expectNoRace(in: scenario)) > 0)
    }
}
