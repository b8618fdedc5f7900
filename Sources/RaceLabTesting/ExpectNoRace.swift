public import RaceLab
public import Testing

/// Explores a scenario in a test. A finding is recorded as an issue of that test, with the schedule as an
/// attachment: ``RaceLab/replay(_:in:)`` runs it again, and `widgetbridge race replay FILE` does unless an
/// actor is Swift.
///
/// ```swift
/// @Test(.races(bound: 3, corpus: "Races")) func `a tap is never lost`() async throws {
///     let scenario = try RaceScenario(preset: "two-agents")
///     await expectNoRace(in: scenario) { run in
///         #expect(run.app == run.group)
///     }
/// }
/// ```
///
/// - Parameters:
///   - bound: The maximum number of preemptions per schedule; by default that of the trait `.races`, or 2.
///   - randomSchedules: The number of additional random schedules, drawn from `seed`; by default that of the
///     trait, or none.
///   - seed: By default that of the trait, or 1.
///   - check: A custom check, which throws for a wrong run.
/// - Returns: The number of schedules; `nil` if an anomaly was found, or there is no verdict.
@discardableResult
public func expectNoRace(
    in scenario: RaceScenario,
    bound: Int? = nil,
    randomSchedules: Int? = nil,
    seed: UInt64? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    check: @escaping (RaceRun) throws -> Void = { _ in }
) async -> Int? {
    let settings = RaceSettings(bound: bound, randomSchedules: randomSchedules, seed: seed)
        .over(RaceSettings.current)
    let corpus = settings.corpus.map { ScheduleDirectory(path: $0) }
    do {
        if let corpus, try !holds(corpus, scenario, sourceLocation, check) { return nil }
        return try await explore(
            scenario,
            bound: settings.bound ?? 2,
            randomSchedules: settings.randomSchedules ?? 0,
            seed: settings.seed ?? 1,
            check: check
        )
    } catch let found as RaceFound {
        Attachment.record(found.schedule, named: "race.json", sourceLocation: sourceLocation)
        var comment = "\(found.sentence)\nmend: \(found.advice)\n\(found.size)"
        if let path = corpus?.save(found) { comment += "\nsaved in \(path)" }
        Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}

/// Replays the schedules of a directory, each `*.json` that `--save` or a test has written. Each anomaly is
/// recorded as an issue, and a schedule whose steps are not the recorded ones any more as a warning: it
/// proves nothing.
///
/// - Parameters:
///   - directory: its path.
///   - scenario: the scenario that has the code, if actors of the schedules are Swift.
///   - check: a custom check, which throws for a wrong run.
/// - Returns: how many were replayed.
@discardableResult
public func expectNoRace(
    replaying directory: String,
    in scenario: RaceScenario? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    check: (RaceRun) throws -> Void = { _ in }
) -> Int {
    do {
        let files = try ScheduleDirectory(path: directory).files()
        if files.isEmpty {
            Issue.record("no saved schedule in \(directory)", sourceLocation: sourceLocation)
        }
        for file in files {
            let replay = try replay(try ScheduleDirectory.text(of: file), in: scenario)
            let holds = replay.record(file.description, sourceLocation, check)
            if holds, !replay.isSame {
                let comment: Comment = "\(file): other steps than the recorded ones, which prove nothing"
                Issue.record(comment, severity: .warning, sourceLocation: sourceLocation)
            }
        }
        return files.count
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
        return 0
    }
}

/// Replays those that are of this scenario. Other steps than the recorded ones do not matter here, because
/// all schedules are tried next.
private func holds(
    _ corpus: ScheduleDirectory,
    _ scenario: RaceScenario,
    _ sourceLocation: SourceLocation,
    _ check: (RaceRun) throws -> Void
) throws -> Bool {
    var holds = true
    for file in try corpus.files() {
        do throws(RaceReplayError) {
            let replay = try replay(try ScheduleDirectory.text(of: file), in: scenario)
            holds = replay.record(file.description, sourceLocation, check) && holds
        } catch {
            if case .otherScenario = error { continue }
            throw error
        }
    }
    return holds
}

extension RaceReplay {
    /// Records an issue for what is found; `true` for nothing.
    fileprivate func record(
        _ path: String,
        _ sourceLocation: SourceLocation,
        _ check: (RaceRun) throws -> Void
    ) -> Bool {
        if let anomaly = run.anomalies.first {
            let comment: Comment = "\(path): \(anomaly.sentence)\nmend: \(anomaly.advice)"
            Issue.record(comment, sourceLocation: sourceLocation)
            return false
        }
        do { try check(run) } catch {
            Issue.record(error, "\(path): the check failed", sourceLocation: sourceLocation)
            return false
        }
        return true
    }
}
