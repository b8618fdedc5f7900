import DirectoryReplica
import Documents
import FileSystem
import Model
import StateStore
import SyncEngine

/// Makes the bridge of an agent, whenever it starts.
struct BridgeMaker<G: RaceBackend> {
    let executor: ScheduleExecutor<G>
    let agent: Agent<G>

    private var scenario: Scenario { executor.scenario }

    func bridge() throws(EngineError) -> any BridgeUnderTest {
        let files = agent.files
        switch kind {
        case .widgetbridge, .tapsInMemory:
            return try engine(files, journal, tracksAccess: scenario.tracksAccess)
        case .deaf: return try engine(files, journal)
        case .copier: return Copier(files, scenario.documents.map(\.path))
        case .statRecheck: return try engine(BlindFileSystem(files), journal)
        case .sharedState: return try engine(UnmarkedFileSystem(base: files), journal)
        case .swapBack: return try engine(RenamingFileSystem(files, .swapsBack), journal)
        case .unlinkThenRename: return try engine(RenamingFileSystem(files, .unlinks), journal)
        case .notifyBeforeRename: return try engine(RenamingFileSystem(files, .notifiesFirst), journal)
        case .shortDebounce: return HastyBridge(try engine(files, journal))
        case .trustsCoarseTimes:
            return try engine(CredulousFileSystem(files, .trustsCoarseTimes), journal)
        case .trustsInodes: return try engine(CredulousFileSystem(files, .ignoresTimes), journal)
        case .readsOpenFiles: return try engine(CredulousFileSystem(files, .ignoresWriters), journal)
        case .baseBeforeFiles:
            let door = DeferringFileSystem(files)
            return try engine(door, HastyJournal(base: journal, deferred: door.deferred))
        case .baseBetweenSides: return try engine(RecordingFileSystem(files, journal), journal)
        case .forgetsNewest: return try engine(files, ForgetfulJournal(base: journal))
        case .reloadsAtOnce: return try engine(files, journal) { $0.coalesce = 0 }
        case .reloadsForNothing: return try engine(files, journal) { $0.ignores = [] }
        case .staleOnWrite: return try engine(files, journal, passesTime: false)
        case .trustsClock: return LaggingClockBridge(try engine(files, journal))
        }
    }

    private func engine(
        _ files: any FileSystem,
        _ journal: any Journal,
        tracksAccess: Bool = false,
        passesTime: Bool = true,
        _ change: (inout WidgetKind) -> Void = { _ in }
    ) throws(EngineError) -> any BridgeUnderTest {
        var engine = try Engine(
            replicas: BothSides(of: files),
            state: StateDirectory(files),
            journal: journal,
            profile: profile(change),
            settings: settings,
            number: UInt64(agent.lane) << 40 | agent.starts << 20,
            boot: "\(executor.boots)"
        )
        engine.tracksAccess = tracksAccess
        // Elsewhere nothing is due but with a change.
        let passesTime = passesTime && !scenario.widgets.isEmpty
        return EngineUnderTest(engine, self.journal, passesTime: passesTime)
    }

    private func profile(_ change: (inout WidgetKind) -> Void) -> Profile? {
        guard !scenario.widgets.isEmpty, var profile = executor.profile else { return executor.profile }
        for document in profile.documents.indices {
            for kind in profile.documents[document].kinds.indices {
                change(&profile.documents[document].kinds[kind])
            }
        }
        return profile
    }

    private var kind: EngineKind { scenario.engine(of: scenario.actors[agent.lane]) }

    private var journal: LabJournal {
        guard kind == .sharedState else { return agent.journal }
        let first = executor.bridges.first { scenario.engine(of: scenario.actors[$0.lane]) == kind }
        return first?.journal ?? agent.journal
    }

    /// A side whose program has a fixed version is pinned to it.
    private var settings: EngineSettings {
        var settings = scenario.settings
        guard scenario.profile != nil else { return settings }
        for side in Side.allCases {
            let actors = scenario.actors.filter { $0.isProgram && $0.side == side }
            let migrates = actors.contains { $0.operations.contains { $0.verb == .migrate } }
            settings.pinnedVersions[side] = migrates ? nil : actors.first?.version
        }
        return settings
    }
}
