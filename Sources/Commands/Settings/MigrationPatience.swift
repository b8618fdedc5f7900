import ArgumentParser
import BridgeRuntime
import Model

/// How long a migration of a bridge waits for what other programs hold.
struct MigrationPatience: ParsableArguments {
    @Option(
        help: """
            Of a bridge: end once nothing has moved for this long, as `500ms`, `5s` or `2m`, and name what \
            is not in sync. (default: 10s)
            """,
        transform: TimeSpan.parsed
    )
    var timeout = TimeSpan(defaultPatience)
}

extension [ErrorProse] {
    /// A line for each document that is not in sync, after nothing has moved for so long.
    init(stalled: [SyncReport.Change], after patience: Duration) {
        let advice = "run this again once that is over"
        guard !stalled.isEmpty else {
            self = [ErrorProse("nothing has moved for \(patience.words)", at: nil, advice, .needsDecision)]
            return
        }
        self = stalled.map { change in
            ErrorProse(
                "the document is held: \(change.reason.text)",
                at: change.document,
                advice,
                .needsDecision
            )
        }
    }
}
