package import Documents
package import Model
package import Presentation
package import Reloads
package import SyncEngine
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
    /// The reloads of all kinds.
    func reloadLedger() async throws(BridgeError) -> [KindLedger]
}

/// Follows what a widget shows of one document: it changes with the document, and by time.
package struct DocumentFollower: Sendable {
    let source: any DocumentSource
    private let target: CurrentTarget
    /// A newer document is seen when its reload is granted, as by a widget.
    private let waitsForReloads: Bool
    /// The target by the profile of an agent that has started again; `nil`: it does not wait for one.
    let follow: (@Sendable (Profile) throws -> ShownTarget)?

    package enum Sight: Sendable {
        /// `nil` if there is no document. Also while the agent is away: then as it was seen last.
        case document(StoredDocument?, Shown, DocumentRule)
        /// With the state that the agent's ledger has of it; `nil`: it cannot be read for a moment only.
        case unreadable(BridgeError, ShownState?)
        /// The agent is away, and nothing was seen before.
        case unreachable(BridgeError)
    }

    /// How long it waits for an agent to start again.
    private static var patience: Duration { .seconds(1) }
    /// What cannot be read for a moment, as a program writes to its store, is read again.
    private static var retry: Duration { .seconds(2) }
    /// The clock may jump, so it is looked at this often.
    private static var longestSleep: Duration { .seconds(30) }

    package init(
        _ source: any DocumentSource,
        _ target: ShownTarget,
        waitsForReloads: Bool = false,
        throughRestarts follow: (@Sendable (Profile) throws -> ShownTarget)? = nil
    ) {
        (self.source, self.follow) = (source, follow)
        self.waitsForReloads = waitsForReloads
        self.target = CurrentTarget(target)
    }

    /// Passes on what is seen, first at once, until `take` returns `false` or the bridge ends. What changes
    /// while `take` runs is seen together.
    package func run(_ take: @escaping @Sendable (Sight) async -> Bool) async throws {
        let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let grants = Grants()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { look.finish() }
                try await listen(grants) { look.yield() }
            }
            tasks.addTask { await show(looks, grants, { look.yield() }, take) }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private func listen(_ grants: Grants, _ look: @Sendable () -> Void) async throws {
        repeat {
            if let follow, let profile = try? await source.profile() { target.value = try follow(profile) }
            look()
            do {
                let filter = ReloadFilter(kind: target.value.kind, document: target.value.document)
                for try await event in try source.reloads(filter) {
                    guard case .notice(let notice, _) = event else { continue }
                    if notice.cause != .current, notice.cause != .time { grants.note(notice.hash) }
                    look()
                }
            } catch let error as BridgeError {
                guard follow != nil, error.mayPass else { throw error }
            }
            if follow != nil { try await Task.sleep(for: Self.patience) }
        } while follow != nil
    }

    private func show(
        _ looks: AsyncStream<Void>,
        _ grants: Grants,
        _ look: @escaping @Sendable () -> Void,
        _ take: @Sendable (Sight) async -> Bool
    ) async {
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        var last: Sight?
        var reloaded: Reloaded?
        for await _ in looks {
            alarm?.cancel()
            let now = Clock.now.unixMilliseconds
            // One for what was seen already is not for what has come since.
            let isGranted = grants.take().map { $0 != reloaded?.document?.hash } ?? false
            var sight = await sight(now)
            if case .unreachable = sight, case .document(let stored, _, _) = last {
                // It becomes stale with or without an agent.
                sight = self.sight(of: stored, now)
            } else if case .document(let stored, _, _) = sight {
                let waiting = isGranted ? nil : await waitingKind(stored, behind: reloaded)
                if waiting == nil {
                    reloaded = Reloaded(name: target.value.document, document: stored)
                } else if let reloaded, let waiting {
                    let before = self.sight(of: reloaded.document, now)
                    // Else it finds something that it cannot show.
                    if before.isShown(in: waiting) { sight = before }
                }
            }
            last = sight
            if let rest = rest(sight, now) {
                alarm = Task {
                    try await Task.sleep(for: rest)
                    look()
                }
            }
            if await !take(sight) { return }
        }
    }

    /// What the last reload has shown.
    private struct Reloaded {
        var name: RelativePath
        var document: StoredDocument?
    }

    /// The kind of which a reload waits, if this document is another one than what it shows.
    private func waitingKind(_ document: StoredDocument?, behind reloaded: Reloaded?) async -> KindLedger? {
        let name = target.value.document
        guard waitsForReloads, let reloaded, reloaded.name == name, document?.hash != reloaded.document?.hash
        else { return nil }
        return try? await ledgers().first { $0.waitsFor != nil }
    }

    /// Those of the kinds that show the document.
    private func ledgers() async throws -> [KindLedger] {
        let kinds = target.value.kinds
        return try await source.reloadLedger().filter { kinds.contains($0.kind) }
    }

    /// Until it may look different, although nothing is told.
    private func rest(_ sight: Sight, _ now: Int64) -> Duration? {
        switch sight {
        case .document(_, let shown, _):
            shown.changesAt.map { min(.milliseconds(max(1, $0 - now)), Self.longestSleep) }
        case .unreadable: Self.retry
        case .unreachable: nil
        }
    }

    private func sight(_ now: Int64) async -> Sight {
        do throws(BridgeError) {
            return sight(of: try await source.document(target.value.document, side: .group), now)
        } catch {
            switch error {
            case .noDocument: return sight(of: nil, now)
            case _ where error.mayPass: return .unreachable(error)
            default: return .unreadable(error, await hindrance())
            }
        }
    }

    /// Whether a document that cannot be read is locked or wrong.
    private func hindrance() async -> ShownState? {
        let states = ((try? await ledgers()) ?? []).map(\.state)
        if states.contains(.locked) { return .locked }
        return states.isEmpty || states.contains(.error) ? .error : nil
    }

    private func sight(of stored: StoredDocument?, _ now: Int64) -> Sight {
        let target = target.value
        return .document(stored, target.shown(stored, at: now), target.rule)
    }
}

extension DocumentFollower.Sight {
    /// Whether the kind shows this by its ledger, fresh or stale.
    fileprivate func isShown(in kind: KindLedger) -> Bool {
        guard case .document(_, let shown, _) = self else { return false }
        let states: [ShownState] = shown.state.hindrance.map { [$0] } ?? [.fresh, .stale]
        return states.contains(kind.state)
    }
}

/// The last reload that was granted since the last look: the hash of what it is for.
private final class Grants: Sendable {
    private let last = Mutex<Digest??>(nil)

    func note(_ hash: Digest?) { last.withLock { $0 = .some(hash) } }

    func take() -> Digest?? {
        last.withLock { last in
            defer { last = nil }
            return last
        }
    }
}

private final class CurrentTarget: Sendable {
    private let target: Mutex<ShownTarget>

    init(_ target: ShownTarget) { self.target = Mutex(target) }

    var value: ShownTarget {
        get { target.withLock { $0 } }
        set { target.withLock { $0 = newValue } }
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
