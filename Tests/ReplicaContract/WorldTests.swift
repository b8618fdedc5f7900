import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import TestWorld
import Testing

/// An engine between a directory and a store of keys, while programs save on both sides, the store answers
/// arbitrarily or is unreachable, and the bridge is killed.
@Suite struct WorldTests {
    @Test(arguments: Side.allCases, UInt64(1)...40)
    func `Both sides come to agree, and no saved field is lost`(keyed: Side, seed: UInt64) throws {
        let world = try World(keyed: keyed, seed: seed)
        try world.run()
        #expect(world.engine.halt == nil)
        for document in World.documents {
            #expect(world.text(.app, document) == world.text(.group, document), "\(document)")
        }
        #expect(world.lostFields.isEmpty)
        #expect(world.pendingCommits > 0, "something was waited for")
        #expect(world.leftovers.isEmpty)
    }

    @Test(arguments: Side.allCases, [false, true])
    func `A document whose creation never arrived is created again, and does not count as deleted`(
        keyed: Side,
        isKilled: Bool
    ) throws {
        let (world, document) = (try World(keyed: keyed, seed: 1), path("a.json"))
        world.store.fate = { _ in .lost }
        world.save(keyed.other, document)
        world.engine.markAllDirty(at: world.now)
        world.live(for: .milliseconds(500))
        if isKilled { try world.restart() }
        world.engine.markAllDirty(at: world.now)
        world.store.fate = { _ in .answered }
        world.live(for: .seconds(10))
        #expect(world.text(keyed.other, document) != nil)
        #expect(world.text(.app, document) == world.text(.group, document))
    }
}

private final class World {
    static let documents = [path("a.json"), path("b/c.json")]

    let store = KeyedStore()
    let disk = SimulatedDisk()
    private let journal = MemoryJournal(instance: "bridge")
    let keyed: Side
    var engine: Engine
    private var chance: SplitMix
    private(set) var now: Moment
    private(set) var pendingCommits = 0
    private var saved: [(document: RelativePath, field: String)] = []

    init(keyed: Side, seed: UInt64) throws {
        (self.keyed, chance) = (keyed, SplitMix(seed))
        now = Moment(uptime: .zero, unixNanoseconds: disk.now)
        engine = try Self.engine(between: store, keyed, disk, journal)
        store.fate = { [unowned self] _ in nextFate() }
        store.meanwhile = { [unowned self] document in
            if chance.oneIn(4) { save(keyed, document) }
        }
    }

    private static func engine(
        between store: KeyedStore,
        _ keyed: Side,
        _ disk: SimulatedDisk,
        _ journal: MemoryJournal
    ) throws -> Engine {
        let replicas = BothSides<any Replica> { side in
            if side == keyed { return KeyedReplica(side, of: store) }
            return DirectoryReplica(side, of: disk)
        }
        return try Engine(
            replicas: replicas,
            state: StateDirectory(disk),
            journal: journal,
            profile: nil,
            settings: EngineSettings(durability: .none),
            number: UInt64(1_800_000_000_000_000_000) + UInt64(disk.calls),
            boot: "1"
        )
    }

    private func nextFate() -> CommitFate {
        let fate = CommitFate.any(&chance)
        if case .pending = fate { pendingCommits += 1 }
        return fate
    }

    // MARK: Programs

    private func saveSomething() {
        let document = Self.documents.randomElement(using: &chance) ?? path("a.json")
        let side: Side = Bool.random(using: &chance) ? .app : .group
        save(side, document)
        // A hint may be lost; the next one comes with the next save.
        if !chance.oneIn(4) { engine.markDirty(document) }
        if chance.oneIn(6) { engine.markAllDirty(at: now) }
    }

    /// Reads the current content, and adds a unique field to it.
    func save(_ side: Side, _ document: RelativePath) {
        if side == keyed, store.standing == nil { return }
        let field = "\"\(side.rawValue)-\(saved.count)\""
        let before = text(side, document).flatMap { text in
            text.lastIndex(of: "}").map { String(text[..<$0]) }
        }
        let fields = before.map { $0.contains(":") ? $0 + "," : $0 } ?? "{"
        let bytes = [UInt8].text("\(fields)\(field):\(saved.count)}")
        saved.append((document, field))
        if side == keyed {
            store.save(document, bytes)
        } else {
            if let directory = document.directory { disk.world.makeDirectory(Location(side, directory)) }
            disk.world.save(Location(side, document), bytes)
        }
    }

    // MARK: Time

    /// Programs save for some time; then there is time for everything pending.
    func run() throws {
        for _ in 0..<30 {
            try disturb()
            saveSomething()
            live(for: .milliseconds(Int.random(in: 0...400, using: &chance)))
        }
        store.comeBack()
        store.meanwhile = { _ in }
        store.fate = { _ in .answered }
        engine.markAllDirty(at: now)
        live(for: .seconds(10))
    }

    /// The store is unreachable for some time, or the bridge is killed and started again.
    private func disturb() throws {
        if chance.oneIn(8) { store.goAway() } else { store.comeBack() }
        if chance.oneIn(8) { try restart() }
    }

    func restart() throws {
        engine = try Self.engine(between: store, keyed, disk, journal)
        engine.markAllDirty(at: now)
    }

    func live(for time: Duration) {
        let end = now.uptime + time
        while let deadline = engine.deadline, deadline <= end {
            pass(to: deadline)
            _ = engine.turn(at: now)
        }
        pass(to: end)
    }

    private func pass(to time: Duration) {
        guard time > now.uptime else { return }
        now.unixNanoseconds += Int64((time - now.uptime) / .nanoseconds(1))
        now.uptime = time
        disk.now = now.unixNanoseconds
    }

    // MARK: What became of it

    func text(_ side: Side, _ document: RelativePath) -> String? {
        let bytes =
            side == keyed ? store.read(document) : disk.world.read(Location(side, document))
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The fields that neither the document nor a conflict copy has.
    var lostFields: [String] {
        let kept = disk.world.files(in: "conflicts", of: .state).map { String(decoding: $0, as: UTF8.self) }
        return saved.filter { document, field in
            !([text(.app, document) ?? ""] + kept).contains { $0.contains(field) }
        }.map { "\($0.document) \($0.field)" }
    }

    /// Temporary files in the directory; those in the store are in `LeftBehindTests`.
    var leftovers: [RelativePath] {
        disk.world.files(Root(keyed.other)).map(\.path).filter { TemporaryName($0.name) != nil }
    }
}
