package import Documents
package import StateStore
import Synchronization

/// A bridge's queue of events, in this process. Other processes may have it open at the same time; no agent
/// need run, and neither the journal nor the containers are read.
package actor EventInbox: EventAccess {
    private let directory: EventDirectory?
    private let profile: Profile?
    private let rules: EventRules
    private var thread: EngineThread<EventKeeper>?
    private var isClosed = false
    private let requests = Atomic<UInt64>(0)

    private init(_ directory: EventDirectory?, _ profile: Profile?, _ rules: EventRules) {
        (self.directory, self.profile, self.rules) = (directory, profile, rules)
    }

    /// In the bridge's state directory, which the first event creates.
    package init(of settings: BridgeSettings) throws(BridgeError) {
        let state = try settings.stateDirectory()
        let paths =
            settings.app.isEmpty || settings.group.isEmpty
            ? BridgePaths(app: "", group: "", state: BridgePaths.resolved(state))
            : try BridgePaths(settings, needsSocket: false)
        self.init(EventDirectory(state: paths), settings.profile, EventRules())
    }

    init(_ paths: BridgePaths, _ profile: Profile?) {
        self.init(EventDirectory(state: paths), profile, EventRules())
    }

    /// In memory.
    package init(profile: Profile? = nil, rules: EventRules = EventRules()) {
        self.init(nil, profile, rules)
    }

    package func push(_ draft: EventDraft) async throws(BridgeError) -> PushedEvent {
        let event = try draft.checked(profile, rules)
        return try await run { keeper throws(BridgeError) in try keeper.push(event) }
    }

    package func acknowledge(_ ids: [String]) async throws(BridgeError) {
        // No event has such an ID, such as one with the carriage return at the end of a line.
        guard ids.allSatisfy(EventDraft.isUsable) else { throw .event(.unusable(.id)) }
        try await run { keeper throws(BridgeError) in try keeper.acknowledge(ids) }
    }

    package func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent] {
        guard request.waits else {
            return try await run { keeper throws(BridgeError) in try keeper.events(request) }
        }
        let number = requests.add(1, ordering: .relaxed).newValue
        let thread = try await started()
        let answer: EventKeeper.Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = thread.post { keeper in
                    keeper.wait(number, request) { continuation.resume(returning: $0) }
                }
                if !isOpen { continuation.resume(returning: .failure(closed)) }
                // The task was cancelled before the request was posted, so abandoning it then had no effect.
                if Task.isCancelled { thread.post { $0.abandon(number) } }
            }
        } onCancel: {
            thread.post { $0.abandon(number) }
        }
        return try answer.get()
    }

    /// Ends all requests.
    package func close() async {
        isClosed = true
        await thread?.close()
    }

    deinit { thread?.shut() }

    private var closed: BridgeError { .noAgent(socket: directory?.socket ?? "") }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (inout EventKeeper) throws(BridgeError) -> Value
    ) async throws(BridgeError) -> Value {
        let answer = await (try started()).run { keeper -> Result<Value, BridgeError> in
            do throws(BridgeError) { return .success(try body(&keeper)) } catch { return .failure(error) }
        }
        guard let answer else { throw closed }
        return try answer.get()
    }

    /// Only a bridge with events has the thread.
    private func started() async throws(BridgeError) -> EngineThread<EventKeeper> {
        if isClosed { throw closed }
        if let thread { return thread }
        let new = await EngineThread<EventKeeper> { [directory, rules] () throws(Never) in
            EventKeeper(directory: directory, rules: rules)
        }
        if let thread {
            new.shut()
            return thread
        }
        if isClosed {
            new.shut()
            throw closed
        }
        thread = new
        return new
    }
}

extension Bridge {
    package func push(_ event: EventDraft) async throws(BridgeError) -> PushedEvent {
        try await inbox.push(event)
    }

    package func events(_ request: EventRequest) async throws(BridgeError) -> [QueuedEvent] {
        try await inbox.events(request)
    }

    package func acknowledge(_ ids: [String]) async throws(BridgeError) { try await inbox.acknowledge(ids) }
}
