public import RaceLab
public import Testing

/// Explores a scenario in a test. A finding is recorded as an issue of that test, with the schedule as an
/// attachment: `widgetbridge race replay FILE` runs it again.
///
/// ```swift
/// @Test func `a tap is never lost`() async throws {
///     let scenario = try RaceScenario(preset: "two-agents")
///     await expectNoRace(in: scenario) { run in
///         #expect(run.app == run.group)
///     }
/// }
/// ```
///
/// - Parameters:
///   - bound: The maximum number of preemptions per schedule.
///   - randomSchedules: The number of additional random schedules, drawn from `seed`.
///   - check: A custom check, which throws for a wrong run.
/// - Returns: The number of schedules; `nil` if an anomaly was found, or there is no verdict.
@discardableResult
public func expectNoRace(
    in scenario: RaceScenario,
    bound: Int = 2,
    randomSchedules: Int = 0,
    seed: UInt64 = 1,
    sourceLocation: SourceLocation = #_sourceLocation,
    check: @escaping (RaceRun) throws -> Void = { _ in }
) async -> Int? {
    do {
        return try await explore(
            scenario,
            bound: bound,
            randomSchedules: randomSchedules,
            seed: seed,
            check: check
        )
    } catch let found as RaceFound {
        Attachment.record(found.schedule, named: "race.json", sourceLocation: sourceLocation)
        let comment: Comment = "\(found.sentence)\nmend: \(found.advice)\n\(found.size)"
        Issue.record(comment, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
