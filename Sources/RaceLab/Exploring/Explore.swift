import Model

/// A scenario, for people's own tests.
public struct RaceScenario: Sendable {
    package var scenario: Scenario

    /// From YAML, as `race explore` reads it.
    public init(_ yaml: String) throws { scenario = try Scenario(yaml: yaml, file: "scenario") }

    /// One of the presets.
    public init(preset: String) throws {
        guard let found = try Preset.scenario(preset) else { throw UnknownPreset(name: preset) }
        scenario = found
    }

    package init(_ scenario: Scenario) { self.scenario = scenario }
}

/// There is no preset of that name.
public struct UnknownPreset: Error, CustomStringConvertible {
    /// The name that was asked for.
    public let name: String
    /// The names that there are.
    public var description: String {
        "no preset `\(name)`; the presets are \(Preset.names.joined(separator: ", "))"
    }
}

/// What one schedule came to, for somebody's own checks.
public struct RaceRun: Sendable {
    /// What the app's container holds at the end, by the documents' names; nothing for one that is not there.
    public let app: [String: String]
    /// The same of the App Group container.
    public let group: [String: String]
    /// How often subscribers were told to reload.
    public let reloads: Int

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
    }
}

/// What was found, and how it is had again.
public struct RaceFound: Error, CustomStringConvertible {
    /// What is wrong, in words.
    public let sentence: String
    /// `minimal: 3 switches, 2 operations, 29 replays`.
    public let size: String
    /// For `widgetbridge race replay`.
    public let schedule: String

    /// The sentence, the size and the schedule, a line each.
    public var description: String { "\(sentence)\n\(size)\n\(schedule)" }
}

/// The search ended before it had run all within the bound.
public struct RaceUndecided: Error, CustomStringConvertible {
    /// How many it ran.
    public let schedules: Int
    /// How far it came, in one line.
    public var description: String { "no verdict after \(schedules) schedules" }
}

/// Runs every schedule of a scenario with no more than `bound` unforced switches, and so many drawn ones.
///
/// It throws the first that shows an anomaly, or that `check` throws at, made as small as can be.
///
/// - Parameters:
///   - scenario: What the actors do.
///   - bound: The most switches of a schedule that are not forced by an actor that waits.
///   - randomSchedules: How many more schedules are drawn beyond the bound.
///   - seed: What they are drawn from.
///   - check: A check of one's own on how a schedule ended; what it throws is a find.
/// - Returns: How many schedules there were.
/// - Throws: ``RaceFound`` for the first find, ``RaceUndecided`` where the search ended early.
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
    options.isTimeUp = { Task.isCancelled }
    options.check = { run in
        do {
            try check(RaceRun(run))
            return nil
        } catch {
            return "the check failed: \(error)"
        }
    }
    var explorer = Explorer(scenario.scenario, options)
    let report = explorer.explore()
    let schedules = report.schedules + report.randomSchedules
    if let finding = report.findings.first {
        throw RaceFound(sentence: finding.anomaly.sentence, size: finding.size, schedule: finding.saved.text)
    }
    if report.verdict == .unknown || report.ending == .stopped { throw RaceUndecided(schedules: schedules) }
    return schedules
}
