import AgentClient
import ArgumentParser
import BridgeRuntime
import Doctor
import FoundationEssentials

struct DoctorCommand: ReportingCommand {
    static let page = HelpPage(
        name: "doctor",
        abstract: "Show what is wrong with a bridge's set-up, and how to mend it.",
        discussion: """
            It looks at the machine, the watching program, the limits, both containers,
            the state directory, the agent and its hooks, the profile, and the stores that
            the profile names; and it asks the agent for halts and held documents. Where no
            agent runs, it looks at all documents itself, as `status` does, with a copy of
            the journal. It changes nothing.
            """,
        example: "widgetbridge doctor --app ~/app --group ~/group --profile budget",
        exits: [
            (.done, "no errors, perhaps warnings and notes"), (.failed, "an error was found"),
            (.undecided, "the result cannot be printed"), (.usage, "wrong usage"),
        ],
        unprinted: .undecided
    )

    @OptionGroup(title: "Bridge") var address: BridgeAddress
    @OptionGroup(title: "Documents") var documents: DocumentOptions

    @Option(help: "Form of the findings: text for people, or one JSON object for each.")
    var format = Format.text

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

    var json: Bool { format == .json }

    var hint: CommandHint {
        var hint = CommandHint()
        for group in [address, documents] as [any SettingOptions] { group.write(to: &hint) }
        return hint
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        var partial = PartialSettings()
        for group in [address, documents] as [any SettingOptions] { group.write(to: &partial) }
        var reports: [Report.Of<[ShownFinding]>] = []
        for entry in try address.chosenEntries(partial) {
            let written = partial.over(entry.settings)
            let bridge = try written.examined()
            var observation = try await BridgeObservation(of: bridge.settings, bridge.profile)
            // Without the profile no kind is known.
            if observation.profile.error == nil {
                observation.configuredHooks = written.hookObservations(
                    bridge.settings,
                    ProcessInfo.processInfo.environment
                )
            }
            let hint = hint.of(bridge: entry.name)
            let findings = Diagnosis(of: observation).findings.map { ShownFinding($0, hint) }
            reports.append(Report.Of(bridge: entry.name, value: findings))
        }
        let hasErrors = reports.contains { $0.value.contains { $0.severity == .error } }
        return Outcome(report: .diagnosis(reports), status: hasErrors ? .failed : .done)
    }
}
