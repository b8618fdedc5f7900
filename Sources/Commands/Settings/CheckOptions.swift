import ArgumentParser
import RaceLab

/// The user's own checks of what real programs leave in the containers.
struct CheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run this command once the containers are at rest, with WIDGETBRIDGE_APP and WIDGETBRIDGE_GROUP \
            set: status 0 means that it holds, and 1 an anomaly, which its last line describes.
            """,
            valueName: "command"
        )
    )
    var check: String?

    @Option(
        help: ArgumentHelp(
            "Run this command as --check is, after every change, on a copy of the documents at that time.",
            valueName: "command"
        )
    )
    var always: String?

    @Option(
        help: "End a check that takes longer; it is undecided. (default: \(Self.limit))",
        transform: TimeSpan.parsed
    )
    var checkLimit = Self.limit

    private static let limit = TimeSpan(.seconds(10))

    func validate() throws {
        if checks.isEmpty, checkLimit != Self.limit {
            throw ValidationError("give --check or --always with --check-limit")
        }
    }

    /// The command line arguments for these options.
    var words: [String] {
        let words = CommandHint.option("--check", check) + CommandHint.option("--always", always)
        return words + (checkLimit == Self.limit ? [] : ["--check-limit", "\(checkLimit)"])
    }

    var checks: OwnChecks {
        var checks = OwnChecks()
        checks.check = check
        checks.always = always
        checks.limit = checkLimit.duration
        return checks
    }
}
