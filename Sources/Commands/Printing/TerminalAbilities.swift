/// Which escape sequences are written: the one place where that is decided.
struct TerminalAbilities: Hashable, Sendable {
    var usesColour = false
    /// Progress is written over itself, on standard error.
    var rewritesLines = true

    init() {}

    /// - Parameter isTerminal: of standard output.
    init(isTerminal: Bool, environment: [String: String]) {
        // What is no terminal that can do more than print says so.
        rewritesLines = !["", "dumb"].contains(environment["TERM"] ?? "")
        // no-color.org: whatever its value is, but for an empty one.
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        usesColour = isTerminal && rewritesLines && !isUnwanted
    }
}
