import AgentAPI
import AsyncAlgorithms
package import BridgeRuntime
package import Documents
import FoundationEssentials
import Glibc
package import Model
import NIOHTTP1
package import Reloads
package import SyncEngine

/// A bridge in another process, reached through its agent's socket.
package struct AgentClient: BridgeAccess {
    package let socketPath: String
    /// The bridge that the caller names; the agent compares it with its own.
    package let identity: BridgeIdentity?
    /// How long after its timeout a `wait` is given to answer.
    private let grace: Duration
    /// How long an agent may take to answer before the client checks that it responds at all.
    private let patience: Duration

    package init(
        socketPath: String,
        identity: BridgeIdentity? = nil,
        grace: Duration = .seconds(1),
        patience: Duration = .seconds(10)
    ) {
        self.socketPath = socketPath
        self.identity = identity
        self.grace = grace
        self.patience = patience
    }

    package init(of settings: BridgeSettings) throws(BridgeError) {
        self.init(socketPath: try settings.socketPath(), identity: try BridgeIdentity(settings))
    }

    /// Reaches the same bridge also after its agent has read its profile and settings again.
    package var throughReloads: AgentClient {
        AgentClient(socketPath: socketPath, identity: identity?.lasting, grace: grace, patience: patience)
    }

    /// Whether an agent listens on the socket. This includes an agent that is stopped by a signal.
    package func isReachable() async -> Bool { await exchange(.GET, "/v1/status").canConnect() }

    /// The agent's process ID, from its lock file; `nil` if that cannot be read.
    package var process: Int32? { exchange(.GET, "/").process }

    /// Returns once the agent answers anything: a stream without notices does not show that it does.
    package func knock() async throws(BridgeError) {
        _ = try await exchange(.GET, "/v1/alive").patientAnswer()
    }

    package func status() async throws(BridgeError) -> BridgeStatus {
        try decode(await exchange(.GET, "/v1/status").checkedAnswer())
    }

    package func profile() async throws(BridgeError) -> Profile? {
        let answer = try await exchange(.GET, "/v1/profile").checkedAnswer()
        let served: ServedProfile = try decode(answer)
        guard let yaml = served.yaml else { return nil }
        guard let profile = try? Profile(yaml: yaml, file: served.profile ?? "") else {
            throw unknownAnswer(answer)
        }
        return profile
    }

    private struct ServedProfile: Decodable {
        var profile: String?
        var yaml: String?
    }

    package func document(_ name: RelativePath, side: Side) async throws(BridgeError) -> StoredDocument {
        let target = documentTarget(name, side)
        let answer = try await exchange(.GET, target).checkedAnswer()
        return try StoredDocument(
            name: name,
            side: side,
            bytes: answer.body,
            hash: answer.hash(),
            modified: answer.headers.first(name: ModifiedHeader.name).flatMap { UTCTime.milliseconds($0) }
        )
    }

    package func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting expectation: Expectation,
        force: Bool
    ) async throws(BridgeError) -> StoredDocument {
        var exchange = exchange(.PUT, documentTarget(name, side) + (force ? "&force=true" : ""))
        exchange.body = bytes
        switch expectation {
        case .anything: break
        case .nothing: exchange.headers.add(name: "if-none-match", value: "*")
        case .content(let digest): exchange.headers.add(name: "if-match", value: "\"\(digest)\"")
        }
        let answer = try await exchange.checkedAnswer()
        return try StoredDocument(name: name, side: side, bytes: bytes, hash: answer.hash())
    }

    package func delete(
        _ name: RelativePath,
        side: Side,
        expecting expected: Digest?
    ) async throws(BridgeError) {
        var exchange = exchange(.DELETE, documentTarget(name, side))
        if let expected { exchange.headers.add(name: "if-match", value: "\"\(expected)\"") }
        _ = try await exchange.checkedAnswer()
    }

    package func sync(
        dryRun: Bool,
        patience: Duration,
        meanwhile: ScanProgress.Watcher?
    ) async throws(BridgeError) -> SyncReport {
        let target = "/v1/sync?dry-run=\(dryRun)&timeout-ms=\(Int64(patience / .milliseconds(1)))"
        return try decode(await exchange(.POST, target).checkedAnswer())
    }

    /// Ends after the timeout and `grace` even if the agent does not answer.
    package func wait(
        for documents: [RelativePath],
        timeout: Duration,
        rehash: Bool
    ) async throws(BridgeError) {
        var exchange = exchange(.POST, "/v1/wait")
        let asked: JSONText = [
            "timeout_ms": JSONText(Int64(timeout / .milliseconds(1))), "rehash": JSONText(rehash),
            "documents": JSONText(documents.map { JSONText($0.description) }),
        ]
        exchange.body = Array(asked.description.utf8)
        let answer: Result<Void, BridgeError> = await first { [exchange] in
            do throws(BridgeError) {
                _ = try await exchange.checkedAnswer()
                return .success(())
            } catch {
                return .failure(error)
            }
        } or: {
            try? await Task.sleep(for: timeout + grace)
            return .failure(.silentAgent(process: process, socket: socketPath))
        }
        try answer.get()
    }

    package func migrate(_ request: MigrationRequest) async throws(BridgeError) -> MigrationReport {
        var exchange = exchange(.POST, "/v1/migrate")
        guard let body = try? JSONEncoder().encode(request) else { preconditionFailure("plain values") }
        exchange.body = Array(body)
        return try decode(await exchange.checkedAnswer())
    }

    package func story(of name: RelativePath) async throws(BridgeError) -> DocumentStory {
        try decode(await exchange(.GET, "/v1/why/\(percentEncoded(name.description))").checkedAnswer())
    }

    package func conflicts() async throws(BridgeError) -> [KeptConflict] {
        let list: ConflictList = try decode(await exchange(.GET, "/v1/conflicts").checkedAnswer())
        return list.conflicts
    }

    package func resolve(_ id: String, taking taken: Taken) async throws(BridgeError) -> MadeEdit {
        let target = "/v1/conflicts/\(try component(.conflict(id)))?take="
        var exchange = exchange(.POST, target + "content")
        switch taken {
        case .content(let bytes): exchange.body = bytes
        case .side(let side): exchange = self.exchange(.POST, target + side.rawValue)
        }
        return try decode(await exchange.checkedAnswer())
    }

    package func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent] {
        let query = name.map { "?document=\(percentEncoded($0.description))" } ?? ""
        let list: TrashList = try decode(await exchange(.GET, "/v1/history\(query)").checkedAnswer())
        return list.history
    }

    package func undo(_ id: String) async throws(BridgeError) -> MadeEdit {
        try decode(await exchange(.POST, "/v1/undo/\(try component(.trash(id)))").checkedAnswer())
    }

    package func allow(_ id: String) async throws(BridgeError) -> Allowed {
        try decode(await exchange(.POST, "/v1/allow/\(try component(.halt(id)))").checkedAnswer())
    }

    package func pause() async throws(BridgeError) -> BridgePause {
        try decode(await exchange(.POST, "/v1/pause").checkedAnswer())
    }

    package func resume() async throws(BridgeError) -> BridgePause {
        try decode(await exchange(.POST, "/v1/resume").checkedAnswer())
    }

    package func widgets() async throws(BridgeError) -> [WidgetEntry] {
        let list: WidgetList = try decode(await exchange(.GET, "/v1/widgets").checkedAnswer())
        return list.widgets
    }

    package func placeWidget(_ kind: String, family: String) async throws(BridgeError) -> WidgetEntry {
        let body: JSONText = ["kind": JSONText(kind), "family": JSONText(family)]
        return try decode(await exchange(.POST, "/v1/widgets", body).checkedAnswer())
    }

    package func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry {
        try decode(await exchange(.DELETE, "/v1/widgets/\(try component(.widget(id)))").checkedAnswer())
    }

    package func reloadLedger() async throws(BridgeError) -> [KindLedger] {
        let list: LedgerList = try decode(await exchange(.GET, "/v1/reloads/ledger").checkedAnswer())
        return list.kinds
    }

    package func acknowledge(reloadsUpTo cursor: String) async throws(BridgeError) {
        _ = try await exchange(.POST, "/v1/reloads/ack", ["cursor": JSONText(cursor)]).checkedAnswer()
    }

    package func hookReports() async throws(BridgeError) -> [HookReport] {
        let list: HookList = try decode(await exchange(.GET, "/v1/hooks").checkedAnswer())
        return list.hooks
    }

    package func enter(
        _ activity: AppActivity,
        for time: Duration
    ) async throws(BridgeError) -> AppStateReport {
        let body: JSONText = [
            "state": JSONText(activity.rawValue), "for_ms": JSONText(Int64(time / .milliseconds(1))),
        ]
        return try decode(await exchange(.POST, "/v1/app/state", body).checkedAnswer())
    }

    package func appState() async throws(BridgeError) -> AppStateReport {
        try decode(await exchange(.GET, "/v1/app/state").checkedAnswer())
    }

    /// Reads from the socket only when the caller asks for a notice, so that the agent notices a slow
    /// subscriber.
    package func reloads(_ filter: ReloadFilter) -> AsyncThrowingStream<ReloadEvent, any Error> {
        let subscription = Subscription(exchange(.GET, "/v1/reloads\(filter.query)"))
        return AsyncThrowingStream { try await subscription.next() }
    }

    func exchange(_ method: HTTPMethod, _ target: String) -> HTTPExchange {
        HTTPExchange(
            socketPath: socketPath,
            patience: patience,
            method: method,
            target: target,
            headers: HTTPHeaders(identity?.headerFields ?? [])
        )
    }

    private func exchange(_ method: HTTPMethod, _ target: String, _ body: JSONText) -> HTTPExchange {
        var exchange = exchange(method, target)
        exchange.body = Array(body.description.utf8)
        return exchange
    }

    private func documentTarget(_ name: RelativePath, _ side: Side) -> String {
        "/v1/documents/\(percentEncoded(name.description))?side=\(side.rawValue)"
    }

    /// An ID as a component of a path. One that cannot be a component is none that the agent has given.
    private func component(_ subject: BridgeError.Subject) throws(BridgeError) -> String {
        let id = subject.id
        guard !id.isEmpty, !id.contains("/"), id != ".", id != ".." else { throw .unknownID(subject) }
        return percentEncoded(id)
    }

    private func decode<Value: Decodable>(_ answer: HTTPExchange.Answer) throws(BridgeError) -> Value {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(answer.body)) else {
            throw unknownAnswer(answer)
        }
        return value
    }

    func unknownAnswer(_ answer: HTTPExchange.Answer) -> BridgeError {
        let detail = "unknown answer from the agent; is it of another version?"
        return .agent(status: answer.status, detail: detail)
    }
}

/// An open stream of notices; it is closed when its last reference is released.
private final class Subscription: Sendable {
    private let events = AsyncThrowingChannel<ReloadEvent, any Error>()
    private let reading: Task<Void, Never>

    init(_ exchange: HTTPExchange) {
        reading = Task { [events] in
            do throws(BridgeError) {
                try await exchange.readEvents { await events.send($0) }
                events.finish()
            } catch {
                events.fail(error)
            }
        }
    }

    deinit { reading.cancel() }

    func next() async throws -> ReloadEvent? {
        var iterator = events.makeAsyncIterator()
        return try await iterator.next()
    }
}

extension ReloadFilter {
    fileprivate var query: String {
        let given = [
            ("kind", kind), ("document", document?.description), ("since", since),
            ("ack", acknowledges ? "true" : nil),
        ]
        let pairs = given.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}

extension HTTPExchange {
    /// Throws the bridge's error if the answer is one.
    func checkedAnswer() async throws(BridgeError) -> Answer {
        let answer = try await patientAnswer()
        guard answer.status < 300 else { throw BridgeError(problem: answer.body, status: answer.status) }
        return answer
    }

    @concurrent fileprivate func readEvents(_ take: @Sendable (ReloadEvent) async -> Void)
        async throws(BridgeError)
    {
        try await run { status, _, parts in
            guard status == 200 else {
                var body: [UInt8] = []
                while let bytes = try await parts.next() { body += bytes }
                throw BridgeError(problem: body, status: status)
            }
            var events = ServerSentEvents()
            var found: [[UInt8]]
            while let bytes = try await parts.next() {
                do throws(EventTooLong) { found = try events.take(bytes) } catch {
                    let detail = "an event is longer than \(error.bound) bytes"
                    throw BridgeError.agent(status: status, detail: detail)
                }
                for json in found {
                    guard let event = ReloadEvent(json: json) else {
                        let detail = "unknown notice from the agent; is it of another version?"
                        throw BridgeError.agent(status: status, detail: detail)
                    }
                    await take(event)
                }
            }
        }
    }
}

extension HTTPExchange.Answer {
    fileprivate func hash() throws(BridgeError) -> Digest {
        let tag = headers.first(name: "etag") ?? ""
        guard let digest = Digest(tag.filter { $0 != "\"" }) else {
            throw .agent(status: status, detail: "no hash in the agent's answer; is it of another version?")
        }
        return digest
    }
}
