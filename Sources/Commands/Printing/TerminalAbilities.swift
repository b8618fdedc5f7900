/// Decides which escape sequences are written. No other type decides that.
struct TerminalAbilities: Hashable, Sendable {
    var usesColour = false
    /// Whether progress lines on standard error are overwritten.
    var rewritesLines = true

    init() {}

    /// - Parameter isTerminal: whether standard output is a terminal.
    init(isTerminal: Bool, environment: [String: String]) {
        // `TERM=dumb` means that the terminal cannot move the cursor.
        rewritesLines = !["", "dumb"].contains(environment["TERM"] ?? "")
        // no-color.org: any value except an empty one turns colour off.
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        usesColour = isTerminal && rewritesLines && !isUnwanted
    }
}
