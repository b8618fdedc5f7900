package import Documents

/// A race of real processes: the user's own programs, and a bridge between them.
package struct ProcessSettings {
    /// Commands for the shell; each begins in its own container, and finds both in its environment, as
    /// `WIDGETBRIDGE_APP` and `WIDGETBRIDGE_GROUP`.
    package var app: String?
    package var widget: String?
    /// A bridge of somebody's own; `nil`: this program's agent.
    package var bridge: String?
    /// This program.
    package var program: String
    /// The profile, and what names it on a command line.
    package var profile: (name: String, value: Profile)?
    package var seed: UInt64 = 1
    /// Programs print a line and wait for one at each gate: they go on one at a time, in an order that is
    /// drawn. Without, they are stopped and continued at moments that are drawn.
    package var hasGates = false
    /// Whether the agent is killed and started again now and then.
    package var killsAgent = true
    /// Programs that take longer hang.
    package var limit = Duration.seconds(10)
    /// So long a program may take from gate to gate.
    package var gateLimit = Duration.seconds(3)
    package var patience = Duration.seconds(2)

    package init(program: String) { self.program = program }
}

/// What one race of processes came to.
package struct ProcessReport: Sendable {
    package var seed: UInt64
    package var observation: ObservationReport
    /// What the lab did to whom, in order: `app stopped for 12 ms`, `agent killed`.
    package var moves: [ProcessMove]
    /// Who went through a gate, in order.
    package var gates: [String]
}
