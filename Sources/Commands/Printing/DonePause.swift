import AgentAPI
import BridgeRuntime
import Documents

/// The result of `pause` and `resume`.
struct DonePause {
    var pause: BridgePause
    /// An agent syncs the bridge once it is resumed.
    var hasAgent: Bool

    func text(_ printer: TextPrinter) -> String {
        printer.wrapped("", words(printer.hint)).map { "\($0)\n" }.joined()
    }

    private func words(_ hint: CommandHint) -> String {
        let since = pause.since ?? ""
        return switch (pause.isPaused, pause.isChanged) {
        case (true, true): "paused; \(hint("resume")) syncs what is saved meanwhile"
        case (true, false): "already paused, since \(since)"
        case (false, true) where hasAgent: "resumed; it was paused since \(since)"
        case (false, true):
            "resumed; it was paused since \(since); no agent runs: \(hint("sync")) syncs what was saved"
        case (false, false): "it is not paused; nothing has changed"
        }
    }
}
