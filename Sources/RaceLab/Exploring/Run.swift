import Model
import StateStore

/// One run of a scenario.
package struct Run: Sendable {
    package var history: History
    package var judgement: Judgement
    /// The actor of each step.
    package var schedule: Schedule
    package var steps: [Trail.Step] = []
    var extent = RunExtent()
    /// Where it could not follow the schedule that it was given; `nil` if it had none, or followed it.
    package var misfit: Schedule.Misfit?

    package var trace: String { history.trace }
    /// It says nothing: the time was up before its end.
    var isStopped: Bool { extent.unrest == .stopped }

    /// Follows a schedule.
    package static func replay(
        _ scenario: Scenario,
        _ schedule: Schedule,
        on backendKind: RaceBackendKind = .simulated
    ) -> Run {
        var simulator = Simulator(scenario, on: backendKind)
        return simulator.run(Scheduler(.replaying(schedule.segments)), faults: schedule.faults)
    }

    /// Switches to another actor at random, by the seed.
    package static func random(
        _ scenario: Scenario,
        seed: UInt64,
        odds: Int = 4,
        on backendKind: RaceBackendKind = .simulated
    ) -> Run {
        let scheduler = Scheduler(.randomWalk(SeededRandom(seed: seed, .schedule), odds: odds))
        var simulator = Simulator(scenario, on: backendKind)
        return simulator.run(scheduler, faults: seed)
    }
}

extension History {
    /// A hash of the whole run: equal for equal runs on every machine.
    package var trace: String {
        var hash = Trace(isKept: false)
        for step in steps {
            // An engine that holds nothing has the hash of nothing.
            let held = step.held.map { $0 == 0 ? versions[Self.absent].digest.hex : "holds \($0)" }
            hash.record(
                "\(step.lane) \(step.what.rawValue) \(step.systemCall?.rawValue ?? "")",
                held ?? step.version.map { versions[$0].digest.hex } ?? "",
                Int(step.time.nanoseconds)
            )
        }
        let digits = String(hash.hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
