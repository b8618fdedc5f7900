import Reconciliation
import Storage

/// One run of a scenario.
package struct Run {
    package var history: History
    package var judgement: Judgement
    /// Who stepped when, as it went.
    package var schedule: Schedule
    /// Before each step: who else could have taken it, as bits.
    var others: [UInt32]

    package var trace: String { history.trace }

    /// As a schedule says.
    package static func replay(
        _ scenario: Scenario,
        _ schedule: Schedule,
        on stage: Stage = .simulated
    ) -> Run {
        let chooser = Chooser(.replaying(schedule.segments))
        return run(scenario, chooser, faults: schedule.faults, VersionTable(), on: stage)
    }

    /// Somebody else than the rule says, as often as the seed draws it.
    package static func random(
        _ scenario: Scenario,
        seed: UInt64,
        odds: Int = 4,
        on stage: Stage = .simulated
    ) -> Run {
        let chooser = Chooser(.wandering(Chance(seed: seed, .schedule), odds: odds))
        return run(scenario, chooser, faults: seed, VersionTable(), on: stage)
    }

    static func play(
        _ scenario: Scenario,
        _ chooser: Chooser,
        _ faults: UInt64,
        _ table: VersionTable,
        _ ground: some Ground
    ) -> Run {
        let world = World(scenario, ground: ground, table: table, chooser: chooser, faults: faults)
        let history = world.run()
        var schedule = world.schedule
        schedule.faults = faults
        return Run(
            history: history,
            judgement: judge(history, for: scenario.checks),
            schedule: schedule,
            others: world.others
        )
    }
}

extension History {
    /// The whole run as one hash: the same for the same run on every machine.
    package var trace: String {
        var hash = Trace(isKept: false)
        for step in steps {
            hash.note(
                "\(step.lane) \(step.what.rawValue) \(step.systemCall?.rawValue ?? "")",
                step.version.map { versions[$0].digest.hex } ?? "",
                Int(step.time.nanoseconds)
            )
        }
        let digits = String(hash.hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
