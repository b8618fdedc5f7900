package import Documents
package import Reloads
import StateStore
package import SyncEngine

extension Bridge {
    package func widgets() async throws(BridgeError) -> [WidgetEntry] {
        try await changed { core in core.engine.placedWidgets }
    }

    package func placeWidget(
        _ kind: String,
        family: String
    ) async throws(BridgeError) -> WidgetEntry {
        let family = try checkedFamily(family, of: kind, in: settings.profile)
        return try await changed { core throws(JournalError) in
            try core.engine.placeWidget(kind, family, at: Clock.now)
        }
    }

    package func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry {
        let removed = try await changed { core throws(JournalError) in
            try core.engine.removeWidget(id, at: Clock.now)
        }
        guard let removed else { throw .unknownID(.widget(id)) }
        return removed
    }

    package func reloadLedger() async throws(BridgeError) -> [KindLedger] {
        try await changed { core in
            let reads = !core.isAgent || core.engine.pausedSince != nil
            return core.engine.reloadLedger(at: Clock.now, readingGroup: reads)
        }
    }

    /// The subscribers that acknowledge what they get, as one listener: the first answer counts.
    static let subscribers = "subscribe"

    package func acknowledge(reloadsUpTo cursor: String) async throws(BridgeError) {
        guard let position = ReloadEvent.position(at: cursor), position.instance == feed.instance,
            position.sequence <= feed.last
        else { throw .unknownID(.notice(cursor)) }
        let notice = position.sequence
        try await changed { core throws(JournalError) in
            // Another process may have the other kinds. A notice that is not kept is not
            // repeated.
            guard notice > 0, let known = try core.engine.journal.notices(after: notice - 1)?.first,
                known.sequence == notice
            else { return }
            try core.engine.acknowledge(Self.subscribers, of: known.kind, upTo: notice, at: Clock.now)
        }
    }

    package func acknowledge(_ listener: String, upTo notice: Int64) async throws(BridgeError) {
        try await changed { core throws(JournalError) in
            try core.engine.acknowledge(listener, upTo: notice, at: Clock.now)
        }
    }

    /// The hooks, each with the only kind of which it gets notices, acknowledge what they get. The
    /// subscribers of an earlier agent are not there.
    package func expectAcknowledgements(ofHooks kinds: [String: String?]) {
        engineThread.post { core in
            core.engine.forget({ $0 != Self.subscribers && kinds[$0] == nil }, at: Clock.now)
            core.subscribers.leave(&core.engine)
            for (name, kind) in kinds.sorted(by: { $0.key < $1.key }) {
                core.engine.expect(name, of: kind, fromCurrent: true, at: Clock.now)
            }
        }
    }

    package func hookReports() async throws(BridgeError) -> [HookReport] { hookBoard.all }

    package func enter(
        _ activity: AppActivity,
        for time: Duration
    ) async throws(BridgeError) -> AppStateReport {
        try await changed { core throws(JournalError) in
            try core.engine.enter(activity, for: time, at: Clock.now)
        }
    }

    package func appState() async throws(BridgeError) -> AppStateReport {
        try await changed { core in core.engine.appState(at: Clock.now) }
    }

    private func changed<Value: Sendable>(
        _ body: @escaping @Sendable (inout BridgeCore) throws(JournalError) -> Value
    ) async throws(BridgeError) -> Value {
        let outcome = await engineThread.run { core -> Result<Value, JournalError> in
            do throws(JournalError) { return .success(try body(&core)) } catch { return .failure(error) }
        }
        switch outcome {
        case nil: throw .noAgent(socket: socketPath)
        case .success(let value)?: return value
        case .failure(let error)?: throw paths.unusable(error)
        }
    }
}

/// The family as the profile names it: `small` is enough for `systemSmall`. Without a profile there is a kind
/// for each document, and families are free words.
package func checkedFamily(
    _ family: String,
    of kind: String,
    in profile: Profile?
) throws(BridgeError) -> String {
    try checkKind(kind, isNamedBy: profile)
    let kinds = profile?.documents.flatMap(\.kinds) ?? []
    // A Live Activity is not placed.
    if profile?.documents.contains(where: { $0.activities.contains { $0.name == kind } }) == true {
        throw .unknownKind(kind, known: kinds.map(\.name))
    }
    let known = kinds.first { $0.name == kind }?.families.map(\.name) ?? []
    let isWord = !family.isEmpty && family.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    let named = known.isEmpty && isWord ? family : known.first { $0 == family || $0.isSystem(family) }
    guard let named else { throw .unknownFamily(family, kind: kind, known: known) }
    return named
}

extension String {
    fileprivate func isSystem(_ size: String) -> Bool { lowercased() == "system\(size.lowercased())" }
}
