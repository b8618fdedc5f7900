import Documents
import RaceLab
import TestWorld
import Testing

@Suite("What a search has not shown", .threadPerTest)
struct CoverageTests {
    private func report(_ yaml: String, bound: Int = 2) throws -> ExplorationReport {
        var options = ExploreOptions()
        options.bound = bound
        var explorer = Explorer(try Scenario(yaml: yaml, file: "a.yaml"), options)
        return explorer.explore()
    }

    @Test("a program that pauses for long goes on, and the run does not end before")
    func longWait() throws {
        let report = try report(
            "{documents: [a.json], actors: {app: {does: [write, wait: 60s, write]}, agent: {}}}"
        )
        #expect(report.verdict == .clean && report.unfinished == 0)
    }

    @Test("a run that does not come to rest decides nothing")
    func isRestless() throws {
        let report = try report(
            "{documents: [a.json], machine: {faults: 1}, actors: {app: {does: [write]}, agent: {}}}",
            bound: 1
        )
        #expect(report.unfinished == report.schedules && report.verdict == .unknown)
    }
}
