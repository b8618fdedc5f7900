import BridgeRuntime
import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Synchronization
public import WidgetBridge

/// A bridge with both its containers in memory, for tests of an app or of its widget: the engine is the one
/// that runs on a disk, time is virtual, and the same calls have the same outcome each time.
///
/// ```swift
/// let simulated = try SimulatedBridge(profile: .builtIn("budget"))
/// try simulated.save(budget, as: "budget.json", in: .app)
/// let notices = simulated.settle()
/// #expect(notices.map(\.kind) == ["BudgetWidget"])
/// #expect(try await simulated.bridge.read("budget.json").bytes == budget)
/// ```
///
/// Hand ``bridge`` to what is to be tested. Nothing crosses before time passes: in ``settle(within:)``, in
/// the bridge's `wait`, or while somebody reads its notices. So what forgets to wait is found out each time.
public final class SimulatedBridge: Sendable {
    /// The same bridge with the methods of every bridge.
    public let bridge: WidgetBridge.Bridge
    private let backend: SimulatedBackend

    /// Two empty containers, in sync.
    ///
    /// - Parameter profile: `nil`: every `*.json` file is a document without versions.
    public init(profile: Options.ProfileSource? = nil) throws(BridgeFailure) {
        let profile = try Options(profile: profile).loadedProfile()
        do throws(EngineError) {
            backend = try SimulatedBackend(profile: profile)
        } catch {
            throw BridgeFailure(.failed, "the simulated disk cannot be used: \(error)")
        }
        bridge = WidgetBridge.Bridge(of: backend)
    }

    /// A program saves a document as a whole, as by a rename. ``settle(within:)`` lets the bridge see it.
    ///
    /// - Parameters:
    ///   - content: What the program writes, JSON or not: `Data`, `[UInt8]` or a string's `utf8`.
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public func save(_ content: some Sequence<UInt8>, as name: String, in container: Container)
        throws(BridgeFailure)
    {
        let (file, bytes) = (try location(name, container), Array(content))
        guard backend.simulation.withLock({ $0.save(bytes, as: file) }) else {
            throw BridgeFailure(.refusedDocument, "something else stands at `\(name)`")
        }
    }

    /// A program deletes a document. The bridge carries a deletion once it has lasted, so ``settle(within:)``
    /// takes that long in its virtual time.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public func delete(_ name: String, in container: Container) throws(BridgeFailure) {
        let file = try location(name, container)
        guard backend.simulation.withLock({ $0.delete(file) }) else {
            throw BridgeFailure(.noDocument, "there is no `\(name)`")
        }
    }

    /// What a program reads there; `nil` where nothing is.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public func read(_ name: String, in container: Container) throws(BridgeFailure) -> [UInt8]? {
        let file = try location(name, container)
        return backend.simulation.withLock { $0.disk.world.read(file) }
    }

    /// Lets the bridge work until it has nothing more to do, and says which widgets should reload.
    ///
    /// - Parameter limit: The most virtual time that passes.
    /// - Returns: The notices, in order.
    @discardableResult
    public func settle(within limit: Duration = .seconds(60)) -> [WidgetBridge.Notice] {
        let notices = backend.simulation.withLock { $0.settle(within: limit) }
        return notices.compactMap { WidgetBridge.Notice(.notice($0, instance: "simulated")) }
    }

    /// Documents that the bridge does not carry until something is done about them, by their names.
    public var held: [String] {
        backend.simulation.withLock { $0.engine.heldDocuments.map(\.name) }
    }

    private func location(_ name: String, _ container: Container) throws(BridgeFailure) -> Location {
        Location(container.side, try relativePath(name))
    }
}
