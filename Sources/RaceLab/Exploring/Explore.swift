import Model
import Synchronization

/// A scenario for tests.
public struct RaceScenario: Sendable {
    package var scenario: Scenario

    /// Parses YAML, in the format of `race explore`.
    public init(_ yaml: String) throws { scenario = try Scenario(yaml: yaml, file: "scenario") }

    /// A preset.
    public init(preset: String) throws {
        guard let found = try Preset.scenario(preset) else { throw UnknownPreset(name: preset) }
        scenario = found
    }

    package init(_ scenario: Scenario) { self.scenario = scenario }
}

/// There is no preset with this name.
public struct UnknownPreset: Error, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The names of all presets.
    public var description: String {
        "no preset `\(name)`; the presets are \(Preset.names.joined(separator: ", "))"
    }
}

/// The result of one schedule, for a custom check.
public struct RaceRun: Sendable {
    /// The final content of the app's container, by document name, without absent documents.
    public let app: [String: String]
    /// The same for the App Group container.
    public let group: [String: String]
    /// How many reloads subscribers were notified of.
    public let reloads: Int
    /// What was done and seen, step by step.
    public let history: RaceHistory
    /// What the lab itself has found, causes first.
    public let anomalies: [RaceAnomaly]

    init(_ run: Run) {
        func texts(_ side: Side) -> [String: String] {
            var texts: [String: String] = [:]
            for (number, document) in run.history.documents.enumerated() {
                guard let version = run.history.rest?.versions[number][side], version != History.absent else {
                    continue
                }
                texts[document.description] = String(
                    decoding: run.history.versions[version].bytes,
                    as: UTF8.self
                )
            }
            return texts
        }
        app = texts(.app)
        group = texts(.group)
        reloads = run.judgement.reloads
        history = RaceHistory(history: run.history)
        anomalies = run.judgement.anomalies.causesFirst.map { RaceAnomaly($0, in: run.history) }
    }
}

/// An anomaly of one run.
public struct RaceAnomaly: Sendable, Hashable {
    /// Such as `lost-update`; `own-check` if the code of an actor failed.
    public let kind: String
    /// A sentence that describes it.
    public let sentence: String
    /// How the race is mended: which actor must do what instead.
    public let advice: String

    init(_ anomaly: Anomaly, in history: History) {
        kind = anomaly.kind.rawValue
        sentence = anomaly.sentence
        advice = anomaly.advice(in: history).text
    }
}

/// A finding, and how to reproduce it.
public struct RaceFound: Error, CustomStringConvertible {
    /// A sentence that describes the anomaly.
    public let sentence: String
    /// `minimal: 3 switches, 2 operations, 41 steps, 29 replays`.
    public let size: String
    /// How the race is mended: which actor must do what instead.
    public let advice: String
    /// The schedule, for ``replay(_:in:)``; for `widgetbridge race replay`, too, if no actor is Swift.
    public let schedule: String

    /// Names a file for the schedule: the scenario, the kind, and the hash of the steps.
    package let name: String

    init(_ finding: Finding) {
        let words = [finding.saved.scenario.name, finding.anomaly.kind.rawValue, finding.saved.trace ?? ""]
        name = words.joined(separator: "-").replacing(" ", with: "-").replacing("/", with: "-")
        sentence = finding.anomaly.sentence
        size = finding.size
        advice = finding.anomaly.advice(in: finding.history).text
        schedule = finding.saved.text
    }

    /// The sentence, the advice, the size and the schedule, one per line.
    public var description: String { "\(sentence)\nmend: \(advice)\n\(size)\n\(schedule)" }
}

/// The search ended before it had run all schedules within the bound.
public struct RaceUndecided: Error, CustomStringConvertible {
    /// The number of schedules run.
    public let schedules: Int
    /// How much was explored, in one line.
    public var description: String { "no verdict after \(counted(schedules, "schedule", "schedules"))" }
}

/// Runs every schedule of a scenario with at most `bound` preemptions, and a number of random ones.
///
/// It throws the first schedule that shows an anomaly, or for which `check` throws, shrunk as far as
/// possible.
///
/// - Parameters:
///   - scenario: The actors and their operations.
///   - bound: The maximum number of preemptions per schedule: switches to another actor while the current one
///     could continue.
///   - randomSchedules: The number of additional random schedules.
///   - seed: The seed of the random schedules.
///   - check: A custom check of each schedule's result; an error that it throws is a finding.
/// - Returns: The number of schedules.
/// - Throws: ``RaceFound`` for the first finding, ``RaceUndecided`` if the search ended early,
///   ``RaceReplayError`` if two runs of one schedule differ, ``RaceScenarioError`` if code makes no call.
@discardableResult
public func explore(
    _ scenario: RaceScenario,
    bound: Int = 2,
    randomSchedules: Int = 0,
    seed: UInt64 = 1,
    check: @escaping (RaceRun) throws -> Void = { _ in }
) async throws -> Int {
    var options = ExploreOptions()
    options.bound = bound
    options.randomSchedules = randomSchedules
    options.seed = seed
    options.stopsAtFirst = true
    options.jobs = ExploreOptions.processors
    options.check = { run in
        do {
            try check(RaceRun(run))
            return nil
        } catch {
            return "the check failed: \(error)"
        }
    }
    if scenario.scenario.hasCode { try scenario.checkUse(try scenario.checkRepeatable(Schedule())) }
    let report = await withStopping { isStopped in
        options.isTimeUp = isStopped
        var explorer = Explorer(scenario.scenario, options)
        return explorer.explore()
    }
    let schedules = report.schedules + report.randomSchedules
    if let finding = report.findings.first {
        if scenario.scenario.hasCode { try scenario.checkRepeatable(finding.original.schedule) }
        throw RaceFound(finding)
    }
    if report.verdict == .unknown || report.ending == .stopped { throw RaceUndecided(schedules: schedules) }
    return schedules
}

extension RaceScenario {
    @discardableResult
    fileprivate func checkRepeatable(_ schedule: Schedule) throws -> Run {
        let run = Run.replay(scenario, schedule)
        if Run.replay(scenario, schedule).trace != run.trace { throw RaceReplayError.unrepeatable }
        return run
    }

    /// Code makes its first call in every schedule, or in none: then no schedule says anything about it.
    fileprivate func checkUse(_ run: Run) throws {
        for (lane, actor) in scenario.actors.enumerated() where actor.code != nil {
            let isUsed =
                run.history.calls.contains { $0.lane == lane }
                || run.history.rest?.waits.contains { $0.lane == lane } == true
                || run.judgement.anomalies.contains { $0.kind == .ownCheck && $0.lane == lane }
            if !isUsed { throw RaceScenarioError.noCall(of: actor.name) }
        }
    }
}

/// Calls `body` with a question that any thread may ask: whether the task was cancelled.
private func withStopping(
    _ body: (@escaping @Sendable () -> Bool) -> ExplorationReport
) async -> ExplorationReport {
    let isCancelled = Flag()
    return await withTaskCancellationHandler {
        body { isCancelled.value.load(ordering: .relaxed) }
    } onCancel: {
        isCancelled.value.store(true, ordering: .relaxed)
    }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
