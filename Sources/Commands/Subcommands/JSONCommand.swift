import ArgumentParser
import Documents
import Model

struct JSONCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "json",
        abstract: "Check, compare, patch, merge, hash and query JSON files, without a bridge.",
        example: "widgetbridge json check budget.json",
        exits: [
            (.done, "done"), (.failed, "error, or not JSON"), (.needsDecision, "a conflict (merge)"),
            (.usage, "wrong usage"),
        ]
    )

    static let configuration = page.configuration(
        subcommands: [
            JSONCheckCommand.self, JSONDiffCommand.self, JSONPatchCommand.self, JSONMergeCommand.self,
            JSONHashCommand.self, JSONQueryCommand.self,
        ]
    )
}

struct JSONCheckCommand: ReportingCommand {
    static let page = HelpPage(
        name: "check",
        abstract:
            "Check that files are valid JSON, and warn of what some parsers reject or read differently.",
        example: "widgetbridge json check budget.json",
        exits: [
            (.done, "valid, with or without warnings"),
            (.failed, "a file cannot be read, is not JSON, or does not fit the profile"),
            (.undecided, "the result cannot be printed"),
            (.newerVersion, "a document is of a newer version than the profile knows"),
            (.usage, "wrong usage"),
        ],
        unprinted: .undecided
    )

    @Argument(help: "Files to read; `-` is standard input.", completion: .file(extensions: ["json"]))
    var files: [String]

    @Option(
        help: "Also check version and schema, by this profile: the name of a built-in one, or a file.",
        completion: .file(extensions: ["yaml"])
    )
    var profile: String?

    @Option(help: "Document of the profile that the files are.")
    var document: String?

    @OptionGroup var limits: JSONLimitOptions

    @Flag(help: "Print one JSON object for each file.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var outcome = Outcome()
        var checks: [CheckedFile] = []
        let rules = try NamedRules(profile, document, for: "widgetbridge json check")
        for path in files {
            let rule = try rules?.rule(for: path)
            do {
                checks.append(check(try NamedFile(path), rule))
            } catch {
                outcome.failures.append(ErrorProse(error))
            }
        }
        let problems = checks.flatMap { check in
            (check.profile?.problems ?? []).map { ErrorProse($0, in: check.path) }
        }
        if !json { outcome.failures += checks.compactMap(ErrorProse.init(check:)) + problems }
        for check in checks where !json {
            for warning in check.warnings {
                terminal.complain("widgetbridge: warning: \(check.path):\(warning.reason)")
            }
        }
        let isBroken = checks.contains { $0.fault != nil }
        outcome.status = .heaviest(problems.map(\.status) + [isBroken ? .failed : .done])
        outcome.report = .checks(checks)
        return outcome
    }

    private func check(_ file: NamedFile, _ rule: DocumentRule?) -> CheckedFile {
        do throws(JSONError) {
            let json = try JSON(parsing: file.bytes, limits: limits.limits)
            let verdict = rule.map { ProfileVerdict($0, of: json) }
            let warnings = (json.warnings + InexactDoubles(in: json).warnings).sorted {
                $0.position.offset < $1.position.offset
            }
            return CheckedFile(path: file.path, warnings: warnings, profile: verdict)
        } catch {
            return CheckedFile(path: file.path, fault: error)
        }
    }
}

struct JSONHashCommand: ReportingCommand {
    static let page = HelpPage(
        name: "hash",
        abstract: "Print the hash of files, in the form that --expect takes.",
        example: "widgetbridge json hash budget.json",
        exits: [(.done, "printed"), (.failed, "a file cannot be read"), (.usage, "wrong usage")]
    )

    @Argument(help: "Files to read; `-` is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Print one JSON object for each file.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var outcome = Outcome()
        var hashes: [HashedFile] = []
        for path in files {
            do {
                hashes.append(HashedFile(path: path, hash: Digest(of: try NamedFile(path).bytes)))
            } catch {
                outcome.failures.append(ErrorProse(error))
            }
        }
        outcome.report = .hashes(hashes)
        return outcome
    }
}
