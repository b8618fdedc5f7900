import DatabaseStore
import Glibc
import Model
import StateStore
import SyncEngine

/// The queue of events and the requests that wait for one, on a thread of their own.
struct EventKeeper: EngineThreadOccupant {
    typealias Answer = Result<[QueuedEvent], BridgeError>

    /// `nil` for a queue in memory.
    let directory: EventDirectory?
    let rules: EventRules
    private var queue: EventQueue?
    /// Identifies the queue's file, to notice that it was removed or replaced.
    private var file: FileIdentity?
    private var watch: Int32?
    /// The directory that is watched.
    private var watched: String?
    private var waiting: [UInt64: Waiting] = [:]

    private struct Waiting {
        var request: EventRequest
        var end: @Sendable (Answer) -> Void
    }

    /// Where the kernel reports nothing, as on a network file system, the queue is read this often.
    private static let interval = Duration.seconds(1)

    init(directory: EventDirectory?, rules: EventRules) {
        (self.directory, self.rules) = (directory, rules)
    }

    var descriptor: Int32? { waiting.isEmpty ? nil : watch }
    var deadline: Duration? { waiting.isEmpty ? nil : Clock.uptime + Self.interval }
    var wallDeadline: Int64? { nil }

    mutating func push(_ event: NewEvent) throws(BridgeError) -> PushedEvent {
        let queue = try openQueue()
        switch try used({ () throws(JournalError) in try queue.push(event, at: Clock.now.unixMilliseconds) })
        {
        case .appended(let event): return PushedEvent(event: event, isNew: true)
        case .repeated(let event): return PushedEvent(event: event, isNew: false)
        case .otherContent: throw .event(.otherContent(id: event.id))
        case .full: throw .event(.full(limit: rules.mostWaiting))
        }
    }

    mutating func acknowledge(_ ids: [String]) throws(BridgeError) {
        if try lacksQueue() {
            guard let first = ids.first else { return }
            throw .unknownID(.event(first))
        }
        let queue = try openQueue()
        let now = Clock.now.unixMilliseconds
        let unknown = try used { () throws(JournalError) in try queue.acknowledge(ids, at: now) }
        if let unknown { throw .unknownID(.event(unknown)) }
    }

    mutating func events(_ request: EventRequest) throws(BridgeError) -> [QueuedEvent] {
        if try lacksQueue() { return [] }
        let queue: EventQueue
        do throws(BridgeError) { queue = try openQueue() } catch {
            guard Self.isOfWriting(error), let events = copiedEvents(request) else { throw error }
            return events
        }
        return try used { () throws(JournalError) in
            try queue.waiting(after: request.after, limit: request.limit)
        }
    }

    /// Who only reads may do so without writing.
    private static func isOfWriting(_ error: BridgeError) -> Bool {
        switch error {
        case .noRoom: true
        case .event(.queue(.database(let failure), _)): failure.isOfRights
        default: false
        }
    }

    /// SQLite writes beside a database that it reads, so a copy is read where nothing can be written; `nil`
    /// if that cannot be done either.
    private func copiedEvents(_ request: EventRequest) -> [QueuedEvent]? {
        guard let state = directory?.state.state,
            let copy = StateDatabase(EventQueueFile.name, in: state)?.copy,
            let queue = try? EventQueue(path: copy.path, rules: rules)
        else { return nil }
        defer { queue.close() }
        return try? queue.waiting(after: request.after, limit: request.limit)
    }

    /// - Parameter number: identifies the request if it is abandoned.
    mutating func wait(
        _ number: UInt64,
        _ request: EventRequest,
        _ end: @escaping @Sendable (Answer) -> Void
    ) {
        do throws(BridgeError) {
            if try !lacksQueue() { _ = try openQueue() }
        } catch {
            return end(.failure(error))
        }
        watchNearest()
        waiting[number] = Waiting(request: request, end: end)
    }

    mutating func abandon(_ number: UInt64) {
        waiting.removeValue(forKey: number)?.end(.success([]))
    }

    mutating func step() {
        if waiting.isEmpty { return }
        if let watch { drain(watch) }
        watchNearest()
        for (number, one) in waiting {
            let answer: Answer
            do throws(BridgeError) {
                let events = try events(one.request)
                if events.isEmpty { continue }
                answer = .success(events)
            } catch {
                answer = .failure(error)
            }
            waiting[number] = nil
            one.end(answer)
        }
    }

    mutating func leave() {
        for one in waiting.values { one.end(.failure(.noAgent(socket: directory?.socket ?? ""))) }
        waiting = [:]
        if let watch { close(watch) }
        queue?.close()
    }

    /// Only what pushes an event creates the queue.
    private mutating func lacksQueue() throws(BridgeError) -> Bool {
        leaveRemovedQueue()
        guard queue == nil, let directory else { return false }
        return try !directory.hasQueue()
    }

    /// Watches the directory of the queue; while that is missing, the nearest one above it that is there.
    private mutating func watchNearest() {
        guard let nearest = directory?.nearest, nearest != watched else { return }
        if let watch { close(watch) }
        watch = EventDirectory.watch(nearest)
        watched = nearest
    }

    /// What has changed does not matter, because the queue is read anyway.
    private func drain(_ watch: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe buffer.withUnsafeMutableBytes({ unsafe read(watch, $0.baseAddress, $0.count) }) > 0 {}
    }

    private mutating func openQueue() throws(BridgeError) -> EventQueue {
        leaveRemovedQueue()
        if let queue { return queue }
        let path = try directory?.prepared()
        let opened = try used { [rules] () throws(JournalError) in try EventQueue(path: path, rules: rules) }
        queue = opened
        file = path.flatMap(FileIdentity.init)
        return opened
    }

    /// What is written to a file without its name is lost with this process.
    private mutating func leaveRemovedQueue() {
        guard let path = directory?.queue, file?.hasLeft(path) == true else { return }
        queue?.close()
        (queue, file) = (nil, nil)
    }

    private func used<Value>(_ body: () throws(JournalError) -> Value) throws(BridgeError) -> Value {
        do throws(JournalError) { return try body() } catch {
            let path = directory?.queue ?? ""
            if error.lacksRoom { throw .noRoom(path) }
            // SQLite says neither which file it is nor why.
            if case .database(let failure) = error, failure.isOfRights,
                case .unwritableState(let path, let errno)? = directory?.obstacle
            {
                let known = DatabaseFailure(code: failure.code, message: systemMessage(errno))
                throw .event(.queue(.database(known), path: path))
            }
            throw .event(.queue(error, path: path))
        }
    }
}
