import Glibc
import Model

/// A saved schedule, run again.
public struct RaceReplay: Sendable {
    /// The run, for a check.
    public let run: RaceRun
    /// The kind of anomaly that the schedule showed when it was saved, such as `lost-update`.
    public let recorded: String?
    /// Whether the steps are the recorded ones. Without an anomaly, others prove nothing.
    public let isSame: Bool
}

/// A schedule cannot be replayed.
public enum RaceReplayError: Error, CustomStringConvertible {
    /// It is not a saved schedule of a scenario.
    case notASchedule(String)
    /// It is one of another scenario than the given one.
    case otherScenario(String)
    /// This actor's code is Swift: give the scenario that has it.
    case needsCode(actor: String)
    /// Two runs of the same schedule had different steps: the code of an actor depends on something else than
    /// its calls.
    case unrepeatable

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .notASchedule(let reason): "not a saved schedule: \(reason)"
        case .otherScenario(let name):
            "the schedule is one of the scenario `\(name)`, which differs from this one"
        case .needsCode(let actor): "the code of `\(actor)` is Swift; give the scenario that has it"
        case .unrepeatable:
            "two runs of one schedule differ: the code of an actor depends on something else than its calls, "
                + "such as a clock, a random number or a variable"
        }
    }
}

/// Runs a saved schedule again, twice, and compares its steps with the recorded ones.
///
/// - Parameters:
///   - schedule: the text of the file, as ``RaceFound/schedule`` has it.
///   - scenario: the scenario that it was found in; needed if an actor of it is Swift.
/// - Throws: ``RaceReplayError``.
public func replay(_ schedule: String, in scenario: RaceScenario? = nil) throws(RaceReplayError) -> RaceReplay
{
    var saved: SavedSchedule
    do { saved = try SavedSchedule(text: schedule, file: "schedule") } catch {
        throw .notASchedule("\(error)")
    }
    if let scenario {
        guard let code = scenario.completed(saved.scenario) else {
            throw .otherScenario(saved.scenario.name)
        }
        saved.scenario = code
    }
    if let actor = saved.scenario.actorWithoutCode { throw .needsCode(actor: actor) }
    let replay = saved.replay()
    if case .unrepeatable = replay.outcome { throw .unrepeatable }
    return RaceReplay(
        run: RaceRun(replay.run),
        recorded: saved.anomaly?.rawValue,
        isSame: replay.outcome == .same
    )
}

extension RaceScenario {
    /// The saved scenario with the code of this one; `nil` if it is another one. Shrinking has removed actors
    /// and documents that the anomaly did not need.
    fileprivate func completed(_ saved: Scenario) -> Scenario? {
        var completed = saved
        for lane in saved.actors.indices {
            let actor = scenario.actors.first { $0.name == saved.actors[lane].name }
            guard let actor, actor.kind == saved.actors[lane].kind else { return nil }
            if saved.actors[lane].code == nil { continue }
            guard let code = actor.code else { return nil }
            completed.actors[lane].code = code
        }
        let names = Set(scenario.documents.map(\.path))
        let isOne = saved.name == scenario.name && saved.documents.allSatisfy { names.contains($0.path) }
        return isOne ? completed : nil
    }
}
