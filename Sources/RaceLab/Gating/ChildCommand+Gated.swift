import Glibc
import Processes

extension ChildCommand {
    /// Starts a command whose system calls wait at a gate from its first one on.
    ///
    /// - Parameters:
    ///   - program: the path of `widgetbridge`.
    ///   - limit: how long its start may take.
    static func gated(
        _ command: String,
        environment: [String: String],
        isHeard: Bool,
        isReporting: Bool,
        by program: String,
        within limit: Duration
    ) throws(RaceFailure) -> (ChildCommand, GateListener) {
        let ends: (ours: Int32, theirs: Int32)
        do { ends = try Launch.socketPair() } catch { throw .cannotRun(command, errno: error.errno) }
        defer { Glibc.close(ends.ours) }
        let child = Result { () throws(RaceFailure) in
            try ChildCommand(
                command,
                environment: environment,
                isHeard: isHeard,
                isReporting: isReporting,
                by: { GatedProgram.launch($0, by: program, answering: ends.theirs) }
            )
        }
        // Only the child has its end now: once the child is gone, our end shows that.
        Glibc.close(ends.theirs)
        let started = try child.get()
        do { return (started, try GatedProgram.listener(from: ends.ours, within: limit)) } catch {
            started.end()
            throw .cannotGate(error)
        }
    }
}
