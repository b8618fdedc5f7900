import BridgeRuntime
import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
public import WidgetBridge

/// A bridge with both its containers in memory, for tests of an app or of its widget: the engine is the one
/// that runs on a disk, time is virtual, and the same calls have the same outcome each time.
///
/// ```swift
/// var bridge = try SimulatedBridge(profile: .builtIn("budget"))
/// try bridge.save(budget, as: "budget.json", in: .app)
/// let notices = bridge.settle()
/// #expect(notices.map(\.kind) == ["BudgetWidget"])
/// #expect(try bridge.read("budget.json", in: .group) == budget)
/// ```
public struct SimulatedBridge: ~Copyable {
    private let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "simulated")
    private var engine: Engine
    private var now: Moment

    /// Two empty containers, in sync.
    ///
    /// - Parameter profile: `nil`: every `*.json` file is a document without versions.
    public init(profile: Options.ProfileSource? = nil) throws(BridgeFailure) {
        now = Moment(uptime: .zero, unixNanoseconds: disk.now)
        let profile = try Options(profile: profile).loadedProfile()
        do throws(EngineError) {
            engine = try Engine(
                replicas: BothSides(of: disk),
                state: StateDirectory(disk),
                journal: journal,
                profile: profile,
                settings: EngineSettings(durability: .none),
                number: 1
            )
        } catch {
            throw BridgeFailure(.failed, "the simulated disk cannot be used: \(error)")
        }
        engine.markAllDirty(at: now)
        _ = settle()
    }

    /// A program saves a document as a whole, as by a rename. ``settle(within:)`` lets the bridge see it.
    ///
    /// - Parameters:
    ///   - bytes: What the program writes, JSON or not.
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public mutating func save(_ bytes: [UInt8], as name: String, in container: Container)
        throws(BridgeFailure)
    {
        let file = try location(name, container)
        var above = file.path.directory
        var missing: [RelativePath] = []
        while let directory = above {
            missing.append(directory)
            above = directory.directory
        }
        for directory in missing.reversed() { disk.world.makeDirectory(Location(file.root, directory)) }
        guard disk.world.save(file, bytes) else {
            throw BridgeFailure(.refusedDocument, "something else stands at `\(name)`")
        }
        engine.markDirty(file.path, at: now)
    }

    /// A program deletes a document. The bridge carries a deletion once it has lasted, so ``settle(within:)``
    /// takes that long in its virtual time.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public mutating func delete(_ name: String, in container: Container) throws(BridgeFailure) {
        let file = try location(name, container)
        guard disk.world.delete(file) else {
            throw BridgeFailure(.noDocument, "there is no `\(name)`")
        }
        engine.markDirty(file.path, at: now)
    }

    /// What a program reads there; `nil` where nothing is.
    ///
    /// - Parameters:
    ///   - name: The document's path inside the container.
    ///   - container: Which of the two.
    public func read(_ name: String, in container: Container) throws(BridgeFailure) -> [UInt8]? {
        disk.world.read(try location(name, container))
    }

    /// Lets the bridge work until it has nothing more to do, and says which widgets should reload.
    ///
    /// - Parameter limit: The most virtual time that passes.
    /// - Returns: The notices, in order.
    @discardableResult
    public mutating func settle(within limit: Duration = .seconds(60)) -> [WidgetBridge.Notice] {
        var notices: [WidgetBridge.Notice] = []
        let end = now.uptime + limit
        while let deadline = engine.deadline, deadline <= end {
            pass(to: deadline)
            let turn = engine.turn(at: now)
            notices += turn.notices.compactMap {
                WidgetBridge.Notice(.notice($0, instance: journal.instance))
            }
        }
        // What is due later comes nearer with each call.
        if engine.deadline != nil { pass(to: end) }
        return notices
    }

    /// Documents that the bridge does not carry until something is done about them, by their names.
    public var held: [String] { engine.known().rows.filter { $0.state == .held }.map(\.name) }

    private mutating func pass(to uptime: Duration) {
        guard uptime > now.uptime else { return }
        now.unixNanoseconds += Int64((uptime - now.uptime) / .nanoseconds(1))
        now.uptime = uptime
        disk.now = now.unixNanoseconds
    }

    private func location(_ name: String, _ container: Container) throws(BridgeFailure) -> Location {
        Location(container.side, try relativePath(name))
    }
}
