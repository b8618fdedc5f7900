package import StateStore

/// The events from widgets to the app, in this process (`EventInbox`) or of an agent (`AgentClient`).
package protocol EventAccess: Sendable {
    /// Returns once the event is on the disk. The same event again changes nothing.
    func push(_ event: EventDraft) async throws(BridgeError) -> PushedEvent
    /// The events that are not acknowledged, oldest first, every time.
    func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent]
    /// The app has dealt with these. Acknowledging one again changes nothing; with an unknown one, none is
    /// acknowledged.
    func acknowledge(_ ids: [String]) async throws(BridgeError)
}

/// An event as a caller gives it, not checked yet.
package struct EventDraft: Sendable, Hashable {
    package var id: String
    package var kind: String
    package var name: String
    /// A JSON text.
    package var data: [UInt8]?

    /// - Parameter id: `nil` for a new one. The caller has it before the event is sent, so that it can send
    ///   it again if no answer arrives.
    package init(id: String? = nil, kind: String, name: String, data: [UInt8]? = nil) {
        self.id = id ?? Self.newID
        self.kind = kind
        self.name = name
        self.data = data
    }

    private static var newID: String {
        let words = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        return words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

package struct PushedEvent: Sendable, Hashable {
    package var event: QueuedEvent
    /// `false` if the queue has or had it already.
    package var isNew: Bool

    package init(event: QueuedEvent, isNew: Bool) { (self.event, self.isNew) = (event, isNew) }
}

package struct EventRequest: Sendable, Hashable {
    /// Only events after this number.
    package var after: Int64
    /// At most this many.
    package var limit: Int?
    /// Waits while there is none.
    package var waits: Bool

    package init(after: Int64 = 0, limit: Int? = nil, waits: Bool = false) {
        (self.after, self.limit, self.waits) = (after, limit, waits)
    }
}
