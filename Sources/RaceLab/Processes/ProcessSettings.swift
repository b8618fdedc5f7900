package import Documents
package import Processes

/// A race of real processes: the user's programs, and a bridge between them.
package struct ProcessSettings {
    /// Shell commands; each starts in its own container. `WIDGETBRIDGE_APP` and `WIDGETBRIDGE_GROUP` in the
    /// environment name both containers.
    package var app: String?
    package var widget: String?
    /// Another bridge; `nil`: this program's agent.
    package var bridge: String?
    /// The path of this program.
    package var program: String
    /// The profile, and its name on a command line.
    package var profile: (name: String, value: Profile)?
    package var seed: UInt64 = 1
    /// Programs print a line and wait for one at each gate: they run one at a time, in a random order.
    /// Without gates, they are stopped and continued at random times.
    package var hasGates = false
    /// System calls on the containers wait for their turn, in an order that the seed draws, the bridge's too.
    package var controlsCalls = false
    /// Why they do not, where that was tried.
    package var refusal: GatedProgram.Refusal?
    /// The order of the calls; drawn by the seed if `nil`.
    package var order: ProcessOrder?
    /// Whether the agent is killed and restarted at intervals.
    package var killsAgent = true
    /// A program that takes longer hangs.
    package var limit = Duration.seconds(10)
    /// How long a program may take from gate to gate.
    package var gateLimit = Duration.seconds(3)
    package var patience = Duration.seconds(2)
    /// After this time without a change, the containers are at rest.
    package var quiet = Duration.seconds(1)
    /// For how long after that, and after the patience, they may go on changing once the programs have ended.
    package var unrest = Duration.seconds(10)
    /// How long making a find smaller may take.
    package var shrinkingLimit = Duration.seconds(60)
    package var checks = OwnChecks()

    package init(program: String) { self.program = program }
}

/// The result of one race of processes.
package struct ProcessReport: Sendable {
    package var seed: UInt64
    package var observation: ObservationReport
    /// What the lab did, in order: `app stopped for 12 ms`, `agent killed`.
    package var moves: [ProcessMove]
    /// The programs that passed a gate, in order.
    package var gates: [String]
    /// How their order was controlled.
    package var control = ControlReport()
    /// How far what was found could be made smaller; `nil` if nothing was found, or it was not tried.
    package var shrinking: ProcessShrinking?
    /// Whether it was as recorded; `nil` if it was not run again.
    package var replay: ProcessReplay?
}
