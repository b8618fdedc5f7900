import AgentClient
import BridgeRuntime
import Glibc
import Processes

extension SubscribeCommand {
    /// The most characters of a line that is no cursor.
    private static let mostShown = 80

    /// Passes on the cursors from standard input. A wrong cursor is reported, and ends nothing.
    func acknowledge(_ settings: BridgeSettings, on terminal: Terminal) throws -> Task<Void, Never> {
        let agent = try agentClient(of: settings)
        let hint = hint
        return Task {
            for await text in LineStream.lines(of: STDIN_FILENO) {
                // Some programs end a line by CR and LF.
                let line = text.last == "\r" ? String(text.dropLast()) : text
                if line.isEmpty { continue }
                do throws(BridgeError) {
                    guard ReloadEvent.position(at: line) != nil else {
                        let shown = line.count > Self.mostShown ? "\(line.prefix(Self.mostShown))…" : line
                        throw .unknownID(.notice(shown))
                    }
                    try await agent.acknowledge(reloadsUpTo: line)
                } catch {
                    terminal.complain(ErrorProse(error, hint).line)
                }
            }
        }
    }
}
