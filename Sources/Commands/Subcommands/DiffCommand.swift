import ArgumentParser
import BridgeRuntime
import Documents
import Model

struct DiffCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "diff",
        abstract: "Show how the group's copy of a document differs from the app's, in one version.",
        example: "widgetbridge diff budget.json --app ~/app --group ~/group",
        exits: [
            (.done, "both sides hold the same values"), (.failed, "error, or no such document"),
            (.changesPending, "they differ"),
            (.needsDecision, "the document is held because it is too large"),
            (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String

    @Option(help: "Form of the difference: lines for people, RFC 6902 patch, or merge patch (RFC 7386).")
    var format = DiffFormat.text

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let name = try documentName(document)
        let bridge = try options.onlyBridge()
        let difference = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await self.difference(of: name, in: $0, bridge.settings)
        }
        let status: CommandStatus = difference.isEqual ? .done : .changesPending
        return Outcome(report: .difference(difference), status: status)
    }

    private func difference(
        of name: RelativePath,
        in bridge: any BridgeAccess,
        _ settings: BridgeSettings
    ) async throws -> DocumentDifference {
        let app = try await stored(name, .app, in: bridge)
        let group = try await stored(name, .group, in: bridge)
        if app == nil, group == nil { throw BridgeError.noDocument(name.description, nil) }
        if format != .text, settings.profile?.rule(for: name.description).isAsset == true {
            throw UsageError.noPatchOfAsset(name.description)
        }
        let difference = try DocumentDifference(
            of: name,
            app: app,
            group: group,
            by: settings.profile?.rule(for: name.description),
            format: format
        )
        // The agent may have a profile that this command was not given.
        if settings.profile == nil, !difference.isEqual,
            let known = try await bridge.status().documents.first(where: { RelativePath($0.name) == name }),
            known.version.app != known.version.group
        {
            throw UsageError.noProfile
        }
        return difference
    }

    /// `nil` if that side does not have the document.
    private func stored(_ name: RelativePath, _ side: Side, in bridge: any BridgeAccess) async throws
        -> StoredDocument?
    {
        do throws(BridgeError) {
            return try await bridge.document(name, side: side)
        } catch {
            guard case .noDocument = error else { throw error }
            return nil
        }
    }
}
