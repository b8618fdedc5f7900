import SyncEngine

/// The connected subscribers that acknowledge what they get, by the only kind of which each gets notices.
struct AcknowledgingSubscribers {
    private var counts: [String?: Int] = [:]

    mutating func add(_ kind: String?) { counts[kind, default: 0] += 1 }

    mutating func remove(_ kind: String?) {
        counts[kind] = counts[kind].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Nobody is there for the other kinds.
    func leave(_ engine: inout Engine) {
        engine.leave(
            Bridge.subscribers,
            unless: { counts[$0] != nil || counts[nil] != nil },
            at: Clock.now
        )
    }
}

/// Counts one acknowledging subscriber for as long as its stream is open.
final class SubscriberPresence: Sendable {
    private let engineThread: EngineThread<BridgeCore>
    private let kind: String?

    init(on engineThread: EngineThread<BridgeCore>, for kind: String?) {
        (self.engineThread, self.kind) = (engineThread, kind)
        engineThread.post { core in
            core.subscribers.add(kind)
            core.engine.expect(Bridge.subscribers, of: kind, at: Clock.now)
        }
    }

    deinit {
        engineThread.post { [kind] core in
            core.subscribers.remove(kind)
            core.subscribers.leave(&core.engine)
        }
    }
}
