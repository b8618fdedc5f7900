package import Documents
package import Model
import SyncEngine

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
    let rule: DocumentRule
    /// Whether it waits for an agent that ends to start again.
    let staysOn: Bool

    package enum Sight: Sendable {
        /// `nil` if there is no document.
        case document(StoredDocument?, ShownDocument)
        case unreadable(BridgeError)
        /// The agent is away.
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
        (self.rule, self.staysOn) = (rule, staysOn)
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
        for await _ in looks {
            alarm?.cancel()
            let now = Clock.now.unixMilliseconds
            let sight = await sight(now)
            if case .document(_, let shown) = sight, let moment = shown.changesAt {
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
            let stored = try await source.document(name, side: .group)
            let saved = stored.modified ?? now
            return .document(stored, ShownDocument(of: stored.bytes, rule, saved: saved, now: now))
        } catch {
            switch error {
            case .noDocument: return .document(nil, ShownDocument(of: nil, rule, saved: now, now: now))
            case _ where error.mayPass: return .unreachable(error)
            default: return .unreadable(error)
            }
        }
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
