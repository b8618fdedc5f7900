import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// What the engine leaves in a side that is not a directory.
@Suite struct LeftBehindTests {
    private let store = KeyedStore()
    private let disk = SimulatedDisk()

    /// The app saves each text in its directory, and the bridge gets some seconds.
    private func carry(_ texts: [String]) throws {
        let replicas = BothSides<any Replica>(
            app: DirectoryReplica(.app, of: disk),
            group: KeyedReplica(.group, of: store)
        )
        var engine = try Engine(
            replicas: replicas,
            state: StateDirectory(disk),
            journal: MemoryJournal(instance: "bridge"),
            profile: nil,
            settings: EngineSettings(durability: .none),
            number: 1
        )
        var now = Moment(uptime: .zero, unixNanoseconds: disk.now)
        for text in texts {
            disk.world.save(place("a.json"), .text(text))
            engine.markAllDirty(at: now)
            let end = now.uptime + .seconds(5)
            while let deadline = engine.deadline, deadline <= end {
                now.uptime = max(now.uptime, deadline)
                _ = engine.turn(at: now)
            }
            now.uptime = end
        }
        #expect(engine.trashProblem == nil)
        #expect(store.read(path("a.json")) == texts.last.map { .text($0) })
    }

    private var aside: [RelativePath] { store.copy().map { $0.aside.keys.sorted() } ?? [] }

    @Test func `A content displaced in a store goes to the trash`() throws {
        let (old, new) = (#"{"version":1}"#, #"{"version":2}"#)
        try carry([old, new])
        #expect(aside.isEmpty)
        #expect(disk.world.files(.state).map(\.bytes) == [.text(old)])
    }

    /// The engine forgets it once its commit is pending.
    @Test func `A prepared creation that never arrived is removed`() throws {
        var fates: [CommitFate] = [.lost]
        store.fate = { _ in fates.popLast() ?? .answered }
        try carry([#"{"version":1}"#])
        withKnownIssue("it stays until the next look at everything") { #expect(aside.isEmpty) }
    }
}
