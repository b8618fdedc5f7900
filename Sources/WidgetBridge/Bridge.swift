package import BridgeRuntime
import Logging
import Model
import SyncEngine

/// Keeps an app's container and its App Group container in sync, in this process, until it is closed.
///
/// ```swift
/// let bridge = try await Bridge(app: app, group: group, options: .init(profile: .builtIn("budget")))
/// let written = try await bridge.put(budget, as: "budget.json", in: .app)
/// print("the app wrote", written.hash)
/// try await bridge.wait()
/// for try await notice in bridge.notices() {
///     print(notice.kind, "should reload", notice.document, "generation", notice.generation)
///     if notice.cause == .current { break }
/// }
/// await bridge.close()
/// ```
///
/// One bridge, or one `widgetbridge agent`, can have a pair of containers at a time: a second one is refused.
/// Nothing it does destroys what was written: what it replaces or deletes is kept in its state directory.
public final class Bridge: Sendable {
    private let bridge: any BridgeAccess
    /// The bridge where it is in this process; `nil` where an agent has it.
    private let own: BridgeRuntime.Bridge?

    /// Opens the bridge, and returns once both containers are watched and reconciled.
    ///
    /// - Parameters:
    ///   - app: The app's container: an existing directory.
    ///   - group: The App Group container: an existing directory that lies apart from it.
    ///   - options: How it works. The standard is right for most.
    public init(app: String, group: String, options: Options = Options()) async throws(BridgeFailure) {
        let settings = try options.settings(app: app, group: group)
        let logger = Logger(label: "widgetbridge")
        let bridge = try await rethrowing { () throws(BridgeError) in
            try await BridgeRuntime.Bridge.open(settings, logger: logger, watching: true)
        }
        self.bridge = bridge
        own = bridge
        await bridge.ready()
    }

    /// A bridge that another process has.
    package init(through access: any BridgeAccess) {
        bridge = access
        own = nil
    }

    /// Ends the watching and syncing, and lets go of the containers. Every stream of notices ends.
    ///
    /// Of a bridge that an agent has it ends nothing: to end a stream of notices, cancel the task that reads
    /// it.
    public func close() async {
        await own?.close()
    }

    /// The bytes of a document as they are stored in one container.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container, as `budget.json` or `notes/today.json`.
    ///   - container: Which of the two.
    /// - Returns: The document with its hash, which ``put(_:as:in:replacing:)`` takes.
    public func get(_ name: String, in container: Container = .group) async throws(BridgeFailure) -> Document
    {
        let path = try relativePath(name)
        return Document(
            try await rethrowing { () throws(BridgeError) in
                try await bridge.document(path, side: container.side)
            }
        )
    }

    /// Writes a document into one container, whole or not at all; the other side follows.
    ///
    /// - Parameters:
    ///   - bytes: A JSON text in UTF-8.
    ///   - name: Its path inside the container.
    ///   - container: Which of the two.
    ///   - expectation: What it may replace. Where something else is there, nothing is written.
    /// - Returns: The document as it is stored now.
    @discardableResult
    public func put(
        _ bytes: [UInt8],
        as name: String,
        in container: Container = .group,
        replacing expectation: Replaceable = .anything
    ) async throws(BridgeFailure) -> Document {
        let path = try relativePath(name)
        let expected = try expectation.expectation()
        return Document(
            try await rethrowing { () throws(BridgeError) in
                try await bridge.put(bytes, as: path, side: container.side, expecting: expected)
            }
        )
    }

    /// Returns once every write that ended before this call is in sync.
    ///
    /// - Parameters:
    ///   - names: Wait only for these documents; without any, for all of them.
    ///   - timeout: How long to wait at most. It throws rather than hang: where a document is held or the
    ///     bridge is halted, at once.
    public func wait(
        for names: [String] = [],
        timeout: Duration = .seconds(5)
    ) async throws(BridgeFailure) {
        let paths = try names.map(relativePath)
        try await rethrowing { () throws(BridgeError) in
            try await bridge.wait(for: paths, timeout: timeout, rehash: false)
        }
    }

    /// Says that widgets should reload: the current state first, then every change that they would see.
    ///
    /// A notice comes after the data it names can be read in the group container, at least once, and for one
    /// document in order. A slow reader delays nobody: where it falls too far behind, the current state is
    /// told again.
    ///
    /// - Parameters:
    ///   - kind: Only those of this widget kind.
    ///   - document: Only those of this document.
    ///   - cursor: Go on after the notice that had this ``Notice/cursor``.
    public func notices(
        kind: String? = nil,
        document: String? = nil,
        since cursor: String? = nil
    ) -> AsyncThrowingStream<Notice, any Error> {
        let events: AsyncThrowingStream<ReloadEvent, any Error>
        do throws(BridgeFailure) {
            let path = try document.map(relativePath)
            events = try reloads(ReloadFilter(kind: kind, document: path, since: cursor))
        } catch {
            return AsyncThrowingStream { throw error }
        }
        // The next is taken only when it is asked for.
        return AsyncThrowingStream {
            do {
                for try await event in events { if let notice = Notice(event) { return notice } }
                return nil
            } catch let error as BridgeError {
                throw BridgeFailure(error)
            }
        }
    }

    private func reloads(
        _ filter: ReloadFilter
    ) throws(BridgeFailure) -> AsyncThrowingStream<ReloadEvent, any Error> {
        do throws(BridgeError) { return try bridge.reloads(filter) } catch { throw BridgeFailure(error) }
    }
}
