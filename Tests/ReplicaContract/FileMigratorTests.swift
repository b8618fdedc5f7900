import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A migration uses only the replica protocol, so it also works where documents are not files.
@Suite struct FileMigratorTests {
    private let store = KeyedStore()
    private let disk = SimulatedDisk()
    private let profile: Profile
    private let now = Moment(uptime: .zero, unixNanoseconds: 1_000_000_000_000)
    private let names = ["a.json", "b.json"].map(path)

    private static let old = #"{"text":"x"}"#
    private static let new = #"{"version":2,"text":"x","size":1}"#
    private static let rule =
        "{version: {field: version, missing: 1}, versions: {1: {schema: {type: object}}, "
        + "2: {schema: {type: object}, lenses: [{add: {field: size, value: 1}}]}}}"

    init() throws {
        let yaml = "profile: notes\ndocuments:\n  a.json: \(Self.rule)\n  b.json: \(Self.rule)\n"
        profile = try Profile(yaml: yaml, file: "notes.yaml")
        for name in names { store.save(name, .text(Self.old)) }
    }

    private func migrator() throws -> FileMigrator {
        try FileMigrator(
            KeyedReplica(.app, of: store),
            state: StateDirectory(disk),
            profile: profile,
            settings: EngineSettings(),
            number: 1
        )
    }

    private func migrate() throws -> [MigrationItem] {
        var migrator = try migrator()
        let documents = try migrator.documents(at: now)
        let plan = try migrator.migrate(documents, to: nil, writes: false, at: now)
        let history = try migrator.memory.history()
        let run = migrator.memory.newRun(plan.compactMap(\.entry), after: history, at: now)
        let log = try migrator.memory.state.begin(run)
        defer { log.close() }
        return try migrator.migrate(documents, to: nil, log: log, at: now)
    }

    private func expect(_ texts: String...) {
        #expect(names.map { store.read($0).map { String(decoding: $0, as: UTF8.self) } } == texts)
        #expect(store.copy()?.aside.isEmpty == true)
    }

    @Test func `Documents of a store are migrated and rolled back`() throws {
        #expect(try migrate().allSatisfy { $0.outcome == .done })
        expect(Self.new, Self.new)
        var migrator = try migrator()
        let history = try migrator.memory.history()
        let plan = try migrator.rollbackPlan(history.last, of: history, force: false)
        var items = try plan.get()
        let rollback = try migrator.beginRollback(after: history, at: now)
        migrator.putBack(&items, at: now)
        try migrator.end(rollback, &items)
        #expect(items.allSatisfy { $0.isDone && $0.isRecorded })
        expect(Self.old, Self.old)
    }

    @Test func `A save before the commit is left unchanged`() throws {
        store.meanwhile = { [store] path in
            store.meanwhile = { _ in }
            store.save(path, .text(#"{"text":"y"}"#))
        }
        #expect(try migrate().map(\.outcome) == [.drifted, .done])
        expect(#"{"text":"y"}"#, Self.new)
    }

    @Test func `An unanswered commit is not reported as done`() throws {
        var fates: [CommitFate] = [.lost]
        store.fate = { _ in fates.popLast() ?? .answered }
        #expect(try migrate().map(\.outcome) == [.drifted, .done])
        #expect(store.read(names[0]) == .text(Self.old))
    }
}
