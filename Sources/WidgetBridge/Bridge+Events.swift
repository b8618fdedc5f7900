import BridgeRuntime
public import FoundationEssentials
import StateStore

/// What a user did on a widget, on its way to the app.
public struct WidgetEvent: Hashable, Sendable, Identifiable {
    /// Identifies it in ``Bridge/acknowledge(_:)``, and in a repeated ``Bridge/push(_:named:data:id:)``.
    public let id: String
    /// Its number in the queue: a later event has a higher one.
    public let sequence: Int64
    /// The widget's kind.
    public let kind: String
    /// What was done, such as `toggle`, or a deep link.
    public let name: String
    /// A JSON text with what belongs to it.
    public let data: Data?
    /// When it was pushed.
    public let date: Date

    init(_ event: QueuedEvent) {
        id = event.id
        sequence = event.seq
        kind = event.kind
        name = event.name
        data = event.data.map { Data($0.utf8) }
        date = Date(milliseconds: event.at)
    }
}

extension Bridge {
    /// Queues what a user did on a widget for the app, and returns once it is on the disk.
    ///
    /// - Parameters:
    ///   - kind: The widget's kind.
    ///   - name: What was done, such as `toggle`. A deep link must be one of the profile's, if that has any.
    ///   - data: A JSON text with what belongs to it. Its member `url` is a deep link.
    ///   - id: Pushed again with the same ID, it is queued once; `nil` for a new ID.
    /// - Returns: The event as it is queued.
    @discardableResult
    public func push(
        _ kind: String,
        named name: String,
        data: (some Sequence<UInt8>)? = [UInt8]?.none,
        id: String? = nil
    ) async throws(BridgeFailure) -> WidgetEvent {
        let draft = EventDraft(id: id, kind: kind, name: name, data: data.map { Array($0) })
        let pushed = try await rethrowing { () throws(BridgeError) in try await backend.push(draft) }
        return WidgetEvent(pushed.event)
    }

    /// The events that wait for the app: first all that are not acknowledged, oldest first, then each as it
    /// arrives.
    ///
    /// An event comes again in the next loop unless ``acknowledge(_:)`` was called for it, so none is lost
    /// when the app ends early. A loop ends with an error if the bridge, or its agent, ends.
    public func events() -> AsyncThrowingStream<WidgetEvent, any Error> {
        let reader = EventReader(backend: backend)
        return AsyncThrowingStream { try await reader.next() }
    }

    /// Tells that the app has dealt with an event, which it does not get again.
    ///
    /// - Parameter id: ``WidgetEvent/id``.
    public func acknowledge(_ id: String) async throws(BridgeFailure) {
        try await rethrowing { () throws(BridgeError) in try await backend.acknowledge([id]) }
    }
}

/// The position of a loop in the queue.
private actor EventReader {
    private let backend: any BridgeBackend
    private var last: Int64 = 0
    private var unread: ArraySlice<QueuedEvent> = []

    /// How many events are taken at once.
    private static let batch = 100

    init(backend: any BridgeBackend) { self.backend = backend }

    func next() async throws(BridgeFailure) -> WidgetEvent? {
        while unread.isEmpty {
            if Task.isCancelled { return nil }
            let request = EventRequest(after: last, limit: Self.batch, waits: true)
            unread = try await rethrowing { () throws(BridgeError) in try await backend.events(request) }[...]
        }
        guard let event = unread.popFirst() else { return nil }
        last = event.seq
        return WidgetEvent(event)
    }
}
