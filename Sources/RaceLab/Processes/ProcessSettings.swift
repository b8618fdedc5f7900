package import Documents

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
    /// Whether the agent is killed and restarted at intervals.
    package var killsAgent = true
    /// A program that takes longer hangs.
    package var limit = Duration.seconds(10)
    /// How long a program may take from gate to gate.
    package var gateLimit = Duration.seconds(3)
    package var patience = Duration.seconds(2)

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
}
