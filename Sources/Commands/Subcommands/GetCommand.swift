import AgentAPI
import ArgumentParser
import BridgeRuntime
import Documents
import Model
import SyncEngine

struct GetCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "get",
        abstract: "Print one document, byte by byte as it is stored.",
        discussion: """
            --shown prints what a kind of widget shows of the group's document, as JSON: its
            state, and what its profile computes from it. The document is that of the kind,
            or the one that is named.
            """,
        example: "widgetbridge get budget.json --side app --app ~/app --group ~/group",
        exits: [
            (.done, "printed"), (.failed, "error, or no such document or value"),
            (.needsDecision, "the document is held because it is too large"), (.usage, "wrong usage"),
        ]
    )

    @Argument(help: "The document, as its path inside the container.", completion: .documents)
    var document: String?

    @Option(help: "Print what this widget kind shows instead.", completion: .kinds)
    var shown: String?

    @Option(help: "With --shown, in this size.")
    var family: String?

    @Option(
        help: "With --shown, at this time, as 2026-01-18T14:30:00Z. (default: now)",
        transform: TimeBound.parsed
    )
    var at: TimeBound?

    @Option(help: "With --shown, in this language, as pt_BR. (default: the profile's)")
    var locale: String?

    @Option(help: "Container to read from. (default: group)")
    var side: Side?

    @Option(
        help: "Print only the value at this JSON pointer (RFC 6901), as `/items/0/name`.",
        transform: { text in
            guard let pointer = JSONPointer(text) else {
                throw ValidationError("a JSON pointer begins with `/`, or is empty; in a key `~` is `~0`")
            }
            return pointer
        }
    )
    var pointer: JSONPointer?

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print its name, side and hash as a JSON object instead.")
    var json = false

    func validate() throws {
        if document == nil, shown == nil { throw ValidationError("missing expected argument '<document>'") }
        let stray = [("--family", family != nil), ("--at", at != nil), ("--locale", locale != nil)]
        if shown == nil, let (option, _) = stray.first(where: \.1) {
            throw ValidationError("\(option) needs --shown")
        }
        if shown != nil, side != nil {
            throw ValidationError("--side is for a document: leave out --shown")
        }
        if shown != nil, pointer != nil {
            throw ValidationError("--pointer is for a document: leave out --shown")
        }
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        if let shown { return Outcome(report: .shown(try await content(of: shown, on: terminal))) }
        let name = try documentName(document ?? "")
        let bridge = try options.onlyBridge()
        let stored = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            try await $0.document(name, side: side ?? .group)
        }
        guard let pointer else { return Outcome(report: .document(stored)) }
        guard let bytes = try pointer.bytes(in: stored.json()) else {
            throw MissingValue(document: name, side: side ?? .group, pointer: pointer)
        }
        let value = StoredValue(document: stored, pointer: pointer, bytes: bytes)
        return Outcome(report: .value(value))
    }

    /// Without a document that is what the kind shows then.
    private func content(of kind: String, on terminal: Terminal) async throws -> JSONText {
        let bridge = try options.onlyBridge()
        let zone = bridge.settings.engine.zone
        return try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) { bridge in
            let target = try ShownTarget(
                kind: kind,
                family: family,
                document: try document.map(documentName),
                locale: locale,
                zone: zone,
                try await bridge.profile()
            )
            var stored: StoredDocument?
            do { stored = try await bridge.document(target.document, side: .group) } catch BridgeError
                .noDocument
            {}
            return target.json(target.shown(stored, at: at?.milliseconds ?? LocalTime.now), stored)
        }
    }
}

/// No value at this pointer in the document.
struct MissingValue: Error {
    var document: RelativePath
    var side: Side
    var pointer: JSONPointer
}
