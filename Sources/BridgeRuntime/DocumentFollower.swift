package import Documents
package import Model
import SyncEngine
import Synchronization

/// A bridge whose documents can be followed, in this process or of an agent.
package protocol DocumentSource: Sendable {
    /// The profile that the bridge runs with.
    func profile() async throws(BridgeError) -> Profile?
    /// Throws `.noDocument` if that side does not have it.
    func document(_ name: RelativePath, side: Side) async throws(BridgeError) -> StoredDocument
    /// Yields the current state first (or the notices after `since`), then every reload. Ends when the bridge
    /// ends; throws if the bridge cannot be reached, and `.unknownKind` if the filter matches no kind.
    func reloads(
        _ filter: ReloadFilter
    ) throws(BridgeError) -> AsyncThrowingStream<ReloadEvent, any Error>
}

/// Follows what a widget shows of one document: it changes with the document, and by time.
package struct DocumentFollower: Sendable {
    let source: any DocumentSource
    let name: RelativePath
    /// `nil` for all notices of the document.
    let kind: String?
    private let rule: CurrentRule
    /// Whether it waits for an agent that ends to start again, and takes up the profile that this one has.
    let staysOn: Bool

    package enum Sight: Sendable {
        /// `nil` if there is no document. Also while the agent is away: then as it was seen last.
        case document(StoredDocument?, ShownDocument, DocumentRule)
        case unreadable(BridgeError)
        /// The agent is away, and nothing was seen before.
        case unreachable(BridgeError)
    }

    /// How long it waits for an agent to start again.
    private static var patience: Duration { .seconds(1) }
    /// The clock may jump, so it is looked at this often.
    private static var longestSleep: Duration { .seconds(30) }

    package init(
        _ source: any DocumentSource,
        _ name: RelativePath,
        kind: String?,
        _ rule: DocumentRule,
        staysOn: Bool
    ) {
        (self.source, self.name, self.kind) = (source, name, kind)
        (self.rule, self.staysOn) = (CurrentRule(rule), staysOn)
    }

    /// Passes on what is seen, first at once, until `take` returns `false` or the bridge ends. What changes
    /// while `take` runs is seen together.
    package func run(_ take: @escaping @Sendable (Sight) async -> Bool) async throws {
        let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { look.finish() }
                try await follow { look.yield() }
            }
            tasks.addTask { await show(looks, { look.yield() }, take) }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private func follow(_ look: @Sendable () -> Void) async throws {
        repeat {
            if staysOn, let profile = try? await source.profile() {
                rule.value = profile.rule(for: name.description)
            }
            look()
            do {
                for try await event in try source.reloads(ReloadFilter(kind: kind, document: name)) {
                    if case .notice = event { look() }
                }
            } catch let error as BridgeError {
                guard staysOn, error.mayPass else { throw error }
            }
            if staysOn { try await Task.sleep(for: Self.patience) }
        } while staysOn
    }

    private func show(
        _ looks: AsyncStream<Void>,
        _ look: @escaping @Sendable () -> Void,
        _ take: @Sendable (Sight) async -> Bool
    ) async {
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        var last: Sight?
        for await _ in looks {
            alarm?.cancel()
            let now = Clock.now.unixMilliseconds
            var sight = await sight(now)
            if case .unreachable = sight, case .document(let stored, _, _) = last {
                // It becomes stale with or without an agent.
                sight = self.sight(of: stored, now)
            }
            last = sight
            if case .document(_, let shown, _) = sight, let moment = shown.changesAt {
                let rest = Duration.milliseconds(max(1, moment - now))
                alarm = Task {
                    try await Task.sleep(for: min(rest, Self.longestSleep))
                    look()
                }
            }
            if await !take(sight) { return }
        }
    }

    private func sight(_ now: Int64) async -> Sight {
        do throws(BridgeError) {
            return sight(of: try await source.document(name, side: .group), now)
        } catch {
            switch error {
            case .noDocument: return sight(of: nil, now)
            case _ where error.mayPass: return .unreachable(error)
            default: return .unreadable(error)
            }
        }
    }

    private func sight(of stored: StoredDocument?, _ now: Int64) -> Sight {
        let rule = rule.value
        let saved = stored?.modified ?? now
        return .document(stored, ShownDocument(of: stored?.bytes, rule, saved: saved, now: now), rule)
    }
}

private final class CurrentRule: Sendable {
    private let rule: Mutex<DocumentRule>

    init(_ rule: DocumentRule) { self.rule = Mutex(rule) }

    var value: DocumentRule {
        get { rule.withLock { $0 } }
        set { rule.withLock { $0 = newValue } }
    }
}

extension BridgeError {
    /// An agent is away, and may start again.
    package var mayPass: Bool {
        switch self {
        case .noAgent, .silentAgent, .subscriptionEnded, .agent(status: 0, _): true
        default: false
        }
    }
}
