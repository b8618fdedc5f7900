import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A single container on a simulated disk, and a process that migrates it.
struct MigrationWorld {
    let disk = SimulatedDisk()
    let profile: Profile
    static let names = ["a.json", "b.json", "c.json"]

    static let old = #"{"text":"x"}"#
    static let new = #"{"version":2,"text":"x","size":1}"#

    init() throws {
        profile = try Profile(
            yaml: """
                profile: notes
                documents:
                \(Self.names.map { "  \($0): &rule\($0.prefix(1)) \(Self.rule)" }.joined(separator: "\n"))
                """,
            file: "notes.yaml"
        )
        for name in Self.names { save(Self.old, name) }
    }

    private static let rule =
        "{version: {field: version, missing: 1}, versions: {1: {schema: {type: object}}, "
        + "2: {schema: {type: object}, lenses: [{add: {field: size, value: 1}}]}}}"

    func place(_ name: String, _ root: Root = .app) -> Location {
        guard let path = RelativePath(name) else { preconditionFailure("a path") }
        return Location(root, path)
    }

    func save(_ text: String, _ name: String) { _ = disk.world.save(place(name), Array(text.utf8)) }

    /// The contents of the documents and of other files beside them.
    var texts: [String: String] {
        let files = disk.world.files(.app).map {
            ($0.path.description, String(decoding: $0.bytes, as: UTF8.self))
        }
        return Dictionary(files) { first, _ in first }
    }

    static func all(_ text: String) -> [String: String] {
        Dictionary(names.map { ($0, text) }) { first, _ in first }
    }

    static let now = Moment(uptime: .seconds(100), unixNanoseconds: 1_000_000_000_000)

    func migrator(on files: any FileSystem) throws -> FileMigrator {
        try FileMigrator(
            DirectoryReplica(.app, of: files),
            state: StateDirectory(files),
            profile: profile,
            settings: EngineSettings(),
            number: UInt64(disk.calls)
        )
    }

    /// Does what `apply` does, from the plan on an overlay to the end of the log.
    func apply() throws {
        let overlay = OverlayFileSystem(disk)
        var trial = try migrator(on: overlay)
        let planned = try trial.migrate(trial.documents(at: Self.now), to: nil, at: Self.now)
        let expected = ExpectedMigration(entries: planned.compactMap(\.entry))
        var migrator = try migrator(on: disk)
        _ = try migrator.documents(at: Self.now)
        let history = try disk.state.migrationHistory()
        if expected.entries.isEmpty { return try disk.state.endUnfinished(history) }
        let run = migrator.memory.newRun(expected.entries, after: history, at: Self.now)
        let log = try disk.state.begin(run)
        defer { log.close() }
        let items = try migrator.migrate(
            expected.entries.map(\.document),
            to: nil,
            expecting: expected.byPlace,
            log: log,
            at: Self.now
        )
        if items.allSatisfy({ !$0.isUndone }) { try disk.state.end(run) }
    }

    /// Does what `rollback` does; `nil` if it was refused.
    @discardableResult
    func rollBack(force: Bool = false) throws -> [RollbackItem]? {
        var migrator = try migrator(on: disk)
        _ = try migrator.documents(at: Self.now)
        let history = try disk.state.migrationHistory()
        guard case .success(var items) = try migrator.rollbackPlan(history.last, of: history, force: force)
        else {
            return nil
        }
        if items.isEmpty { return items }
        let rollback = try migrator.beginRollback(after: history, at: Self.now)
        migrator.putBack(&items, at: Self.now)
        try migrator.end(rollback, &items)
        return items
    }
}
