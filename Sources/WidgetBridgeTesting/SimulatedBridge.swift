import BridgeRuntime
import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Synchronization
public import WidgetBridge

/// A bridge whose containers are in memory, for tests of an app or its widget. Its engine is the real one,
/// its time is virtual, and the same calls always have the same results.
///
/// ```swift
/// let simulated = try SimulatedBridge(profile: .builtIn("budget"))
/// try simulated.save(budget, as: "budget.json", in: .app)
/// let notices = simulated.settle()
/// #expect(notices.map(\.kind) == ["BudgetWidget"])
/// #expect(try await simulated.bridge.read("budget.json").bytes == budget)
/// ```
///
/// Pass ``bridge`` to the code under test. Nothing is synced until time passes: in ``settle(within:)``, in
/// the bridge's `wait`, or while its notices are read. A test therefore always fails if the code forgets to
/// wait.
public final class SimulatedBridge: Sendable {
    /// The same bridge, with the methods of every bridge.
    public let bridge: WidgetBridge.Bridge
    private let backend: SimulatedBackend

    /// Creates a bridge with two empty containers, in sync.
    ///
    /// - Parameter profile: The profile; `nil`: every `*.json` file is a document without versions.
    public init(profile: Options.ProfileSource? = nil) throws(BridgeFailure) {
        let profile = try Options(profile: profile).loadedProfile()
        do throws(EngineError) {
            backend = try SimulatedBackend(profile: profile)
        } catch {
            throw BridgeFailure(.failed, "the simulated disk cannot be used: \(error)")
        }
        bridge = WidgetBridge.Bridge(of: backend)
    }

    /// Saves a document as a program does that replaces the file by a rename. ``settle(within:)`` syncs it.
    ///
    /// - Parameters:
    ///   - content: The content that the program writes, JSON or not: `Data`, `[UInt8]` or a string's
    ///     `utf8`.
    ///   - name: The document's path inside the container.
    ///   - container: The container to write to.
    public func save(_ content: some Sequence<UInt8>, as name: String, in container: Container)
        throws(BridgeFailure)
    {
        let (file, bytes) = (try location(name, container), Array(content))
        guard backend.simulation.withLock({ $0.save(bytes, as: file) }) else {
            throw BridgeFailure(.refusedDocument, "something else stands at `\(name)`")
        }
    }

    /// Deletes a document as a program does. The bridge syncs a deletion after a short delay, so
    /// ``settle(within:)`` takes that long in virtual time.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: The container to delete it from.
    public func delete(_ name: String, in container: Container) throws(BridgeFailure) {
        let file = try location(name, container)
        guard backend.simulation.withLock({ $0.delete(file) }) else {
            throw BridgeFailure(.noDocument, "there is no `\(name)`")
        }
    }

    /// Reads a document as a program does; `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: The container to read from.
    public func read(_ name: String, in container: Container) throws(BridgeFailure) -> [UInt8]? {
        let file = try location(name, container)
        return backend.simulation.withLock { $0.disk.world.read(file) }
    }

    /// Lets the bridge work until it has nothing more to do, and returns which widgets should reload.
    ///
    /// - Parameter limit: The most virtual time that may pass.
    /// - Returns: The notices, in order.
    @discardableResult
    public func settle(within limit: Duration = .seconds(60)) -> [WidgetBridge.Notice] {
        let notices = backend.simulation.withLock { $0.settle(within: limit) }
        return notices.compactMap { WidgetBridge.Notice(.notice($0, instance: "simulated")) }
    }

    /// The names of the documents that the bridge holds.
    public var held: [String] {
        backend.simulation.withLock { $0.engine.heldDocuments.map(\.name) }
    }

    private func location(_ name: String, _ container: Container) throws(BridgeFailure) -> Location {
        Location(container.side, try relativePath(name))
    }
}
