import DirectoryReplica
import Documents
package import FileSystem
import FileSystemSimulation
import Model
package import RaceLab
package import StateStore
import SyncEngine

/// The whole engine in a simulated world: a disk in memory, programs that act between any two of its calls,
/// and a clock that is only a number.
///
/// The engine gets the lab's file system and journal, possibly wrapped in others.
package final class Simulation {
    package let fuzzWorld: FuzzWorld
    let seed: UInt64
    let faultProfile: FaultProfile
    let programs: Workload
    let files: any FileSystem
    /// Wraps the lab's journal for the engine.
    let wrap: (LabJournal) -> any Journal
    var journal: LabJournal
    var engine: Engine?
    var schedule: SeededRandom
    var faults: SeededRandom
    var power: SeededRandom
    /// Decides what happens to the journal, except for `faults` and `power`.
    var fate: SeededRandom
    private var helper: SeededRandom
    var barriers: SeededRandom
    var barrier: AskedBarrier?
    var profiles: SeededRandom
    /// The current edition of the profile.
    var edition = 0
    var runs = 0
    private var tokens: UInt64 = 0
    /// The disk is full until then.
    var fullUntil = Duration.zero
    private var stateDisk: SeededRandom
    private var restarts: SeededRandom
    /// The disk of the journal and the state directory is full until this call.
    private var stateFullUntil = 0
    /// The journal cannot be written until then.
    var outUntil = Duration.zero
    /// A copy of the journal, to be restored later.
    private var copy: LabJournal?
    var person = Person.allows
    /// The notices, by the instance of the journal.
    var told: [String: Told] = [:]
    /// The age of the last acknowledged state of each name.
    var acknowledged: [Location: Int] = [:]

    package init(
        seed: UInt64,
        faultProfile: FaultProfile,
        isTraced: Bool = false,
        files: (LabFileSystem) -> any FileSystem,
        journal: @escaping (LabJournal) -> any Journal
    ) {
        self.seed = seed
        self.faultProfile = faultProfile
        fuzzWorld = FuzzWorld(seed: seed, faultProfile: faultProfile, isTraced: isTraced)
        programs = Workload(fuzzWorld, seed: seed)
        self.files = files(LabFileSystem(fuzzWorld))
        wrap = journal
        self.journal = LabJournal(instance: "0")
        schedule = SeededRandom(seed: seed, .schedule)
        faults = SeededRandom(seed: seed, .faults)
        power = SeededRandom(seed: seed, .power)
        fate = SeededRandom(seed: seed, .journal)
        helper = SeededRandom(seed: seed, .helper)
        stateDisk = SeededRandom(seed: seed, .stateDisk)
        restarts = SeededRandom(seed: seed, .restarts)
        barriers = SeededRandom(seed: seed, .barriers)
        profiles = SeededRandom(seed: seed, .profiles)
    }

    package func run(steps: Int) throws(Violation) -> Report {
        hook()
        defer { unhook() }
        for _ in 0..<steps {
            fuzzWorld.report.steps += 1
            try step()
        }
        try finish()
        fuzzWorld.report.calls = fuzzWorld.disk.calls
        return fuzzWorld.report
    }

    // MARK: One step

    private func step() throws(Violation) {
        let longest = schedule.pick([1, 40, 40, 400])
        fuzzWorld.pass(schedule.duration(upTo: .milliseconds(faultProfile.isBusy ? 4 : longest)))
        fuzzWorld.strayClock()
        programs.hurry()
        programs.hurryHalves(to: fuzzWorld.uptime)
        if faultProfile.hangsHelper, helper.isOne(in: 40) {
            fuzzWorld.trace.record("the helper hangs")
            fuzzWorld.watch.hang(until: fuzzWorld.uptime + .seconds(6))
        }
        if schedule.isOne(in: faultProfile.busyness) { programs.act() }
        if faultProfile.fillsDisk, faults.isOne(in: 40) { fullUntil = fuzzWorld.uptime + .seconds(2) }
        if stateDisk.isOne(in: faultProfile.stateOutages) {
            stateFullUntil = fuzzWorld.disk.calls + stateDisk.below(faultProfile.longestStateOutage)
        }
        if fate.isOne(in: faultProfile.journalOutages) {
            outUntil = fuzzWorld.uptime + fate.duration(upTo: .seconds(4))
        }
        if faultProfile.restoresJournal, fate.isOne(in: 20) {
            copy = journal.copy(instance: journal.instance)
        }
        if faultProfile.cutsPower, power.isOne(in: 50) { try cutPower() }
        askBarrier()
        if engine?.isAtRest == true, restarts.isOne(in: faultProfile.restarts) { end() }
        if faultProfile.editsProfile, profiles.isOne(in: 20) {
            editProfile(to: profiles.below(LabProfile.editions.count))
        }
        try live()
        try fuzzWorld.throwViolation()
    }

    /// Delivers hints to the engine and runs its turn; returns `true` if something changed.
    @discardableResult
    func live() throws(Violation) -> Bool {
        if engine == nil { start() }
        guard engine != nil else { return false }
        var isEventful = false
        for word in fuzzWorld.watch.takeWords(at: fuzzWorld.uptime) { tell(word) }
        for hint in fuzzWorld.watch.take(at: fuzzWorld.uptime) { tell(hint) }
        allow()
        beginBarrier()
        if let deadline = engine?.deadline, deadline <= fuzzWorld.uptime, let turn = engine?.turn(at: now) {
            try fuzzWorld.throwViolation()
            if !fuzzWorld.disk.isDead { try judge(turn) }
            isEventful = !turn.changes.isEmpty
        }
        if engine?.hasQuestions == true { ask() }
        if fuzzWorld.disk.isDead {
            count()
            engine = nil
            barrier = nil
            fuzzWorld.report.crashes += 1
        }
        try judgeBarrier()
        return isEventful
    }

    var now: Moment { Moment(uptime: fuzzWorld.uptime, unixNanoseconds: fuzzWorld.disk.now) }

    private func tell(_ hint: Watch.Hint) {
        switch hint {
        case .look(_, let path): engine?.markDirty(path)
        case .beneath(let side, let directory):
            engine?.markDirty(beneath: Subtrees([directory]), on: side, at: now)
        case .everything: engine?.markAllDirty(at: now)
        }
    }

    private func tell(_ word: WatchMessage) {
        switch word {
        case .evidence(let evidence, let side, let path):
            fuzzWorld.trace.record("hears", "\(evidence.rawValue) \(side.rawValue) \(path)")
            engine?.hear(evidence, of: path, on: side)
        case .lost: for side in Side.allCases { engine?.forgetEvidence(on: side) }
        case .token(let token): engine?.answered(token, at: now)
        }
    }

    private func ask() {
        tokens += 1
        engine?.asked(tokens, at: now)
        fuzzWorld.trace.record("asks", "", Int(tokens))
        fuzzWorld.watch.say(.token(tokens), at: fuzzWorld.uptime)
    }

    /// Allows a halt, as a person would.
    private func allow() {
        guard let halt = engine?.halt, !halt.isUnreachable, fuzzWorld.isQuiet || schedule.isOne(in: 8) else {
            return
        }
        switch person {
        case .allows: break
        case .isAway: return
        case .isNotAsked: return fuzzWorld.broken(.alarmed(halt.text))
        }
        fuzzWorld.trace.record("allows")
        engine?.allowDeletions()
    }

    // MARK: Processes

    /// Starts a new process on what the old one left.
    func start() {
        do {
            try fuzzWorld.disk.restart()
        } catch {
            return
        }
        runs += 1
        if runs > 1, faultProfile.losesJournal, schedule.isOne(in: 3) {
            journal = LabJournal(instance: "\(runs)")
        }
        if runs > 1, let copy, fate.isOne(in: 3) { journal = copy.copy(instance: "\(runs) restored") }
        fuzzWorld.trace.record("starts", journal.instance, runs)
        journal.isDead = { [fuzzWorld] in fuzzWorld.disk.isDead }
        journal.interrupt = { [unowned self] call in interrupt(call) }
        startByNoProfile()
        do throws(EngineError) {
            engine = try engine(by: profile)
        } catch {
            fuzzWorld.trace.record("cannot start")
            engine = nil
            fuzzWorld.disk.kill()
            if fuzzWorld.isQuiet { fuzzWorld.broken(.cannotStart("\(error)")) }
            return
        }
        if faultProfile.editsProfile { engine?.rememberStart() }
        engine?.tracksAccess = faultProfile.tracksAccess
        fuzzWorld.watch.restart(at: fuzzWorld.uptime)
    }

    func engine(by profile: Profile?) throws(EngineError) -> Engine {
        try Engine(
            replicas: BothSides(of: files),
            state: StateDirectory(files),
            journal: wrap(journal),
            profile: profile,
            settings: EngineSettings(
                durability: faultProfile.durability,
                commit: faultProfile.commit,
                maxDocument: faultProfile.savesTooMuch ? FaultProfile.mostBytes : 8 << 20,
                trash: TrashLimits(maxBytes: faultProfile.maxTrash ?? TrashLimits().maxBytes),
                pinnedVersions: faultProfile.pinned
            ),
            number: UInt64(runs) << 20,
            boot: "\(fuzzWorld.report.powerCuts)"
        )
    }

    /// Ends the process as a person would: nothing is waiting to be written.
    func end() {
        count()
        engine = nil
        barrier = nil
    }

    private func cutPower() throws(Violation) {
        count()
        engine = nil
        barrier = nil
        programs.die()
        fuzzWorld.trace.record("the power goes")
        fuzzWorld.report.powerCuts += 1
        let losses = fuzzWorld.disk.powerCut(choosing: &power)
        journal.powerCut(choosing: &power, values: &fate)
        fuzzWorld.trace.record("the power is back", losses.code)
        judgePowerCut()
        forgetWhatMayBeForgotten()
        try fuzzWorld.throwViolation()
    }

    func count() {
        guard let counters = engine?.counters else { return }
        fuzzWorld.report.races += counters.races
        fuzzWorld.report.merges += counters.merges
        fuzzWorld.report.conflicts += counters.conflicts
        fuzzWorld.report.notices += counters.notices
    }
}

// MARK: - Between two calls

extension Simulation {
    private func hook() {
        fuzzWorld.disk.meanwhile = { [unowned self] call, place in
            fuzzWorld.trace.record(call.rawValue, place?.description ?? "")
            guard !fuzzWorld.isQuiet else { return }
            fuzzWorld.pass(.microseconds(10))
            if schedule.isOne(in: faultProfile.pressure) { programs.act() }
        }
        fuzzWorld.disk.fail = { [unowned self] call, place in
            guard !fuzzWorld.isQuiet else { return nil }
            let isFull = place?.root == .state && isStateFull
            guard let fault = isFull ? fullness(in: call) : fault(in: call) else { return nil }
            fuzzWorld.report.faults += 1
            fuzzWorld.trace.record("fails", fault.code)
            return fault
        }
    }

    /// Breaks reference cycles.
    private func unhook() {
        fuzzWorld.disk.meanwhile = { _, _ in }
        fuzzWorld.disk.fail = { _, _ in nil }
        journal.interrupt = { _ in nil }
        journal.isDead = { false }
    }

    /// A process that is killed again and again makes no progress, which proves little.
    private var mayDie: Bool { runs < 12 }

    private func fault(in call: SystemCall) -> SimulatedDisk.Fault? {
        if mayDie, faults.isOne(in: faultProfile.kills) { return .death(faults.below(40)) }
        if fuzzWorld.uptime < fullUntil {
            switch call {
            case .create, .makeDirectory: if faults.coin() { return .error(Errors.noSpace) }
            case .write: return .short(faults.below(30), Errors.noSpace)
            default: break
            }
        }
        guard faults.isOne(in: faultProfile.faults) else { return nil }
        switch call {
        case .create, .makeDirectory:
            return .error(faults.pick([Errors.noSpace, Errors.tooManyFiles, Errors.forbidden, Errors.io]))
        case .write: return .short(faults.below(30), faults.pick([Errors.noSpace, Errors.io, Errors.quota]))
        case .open, .list: return .error(faults.pick([Errors.tooManyFiles, Errors.forbidden, Errors.io]))
        case .close, .lock: return nil
        case .rename, .link, .remove, .removeDirectory:
            return .error(faults.pick([Errors.forbidden, Errors.io, Errors.readOnly, Errors.noSpace]))
        case .stat, .read, .attributes, .sync, .syncDirectory: return .error(Errors.io)
        }
    }

    private var isStateFull: Bool { fuzzWorld.disk.calls < stateFullUntil }

    /// With a full disk, existing files can be read, renamed and removed.
    private func fullness(in call: SystemCall) -> SimulatedDisk.Fault? {
        switch call {
        case .create, .link, .makeDirectory: .error(Errors.noSpace)
        case .write: .short(stateDisk.below(30), Errors.noSpace)
        default: nil
        }
    }

    private func interrupt(_ call: LabJournal.Call) -> JournalError? {
        guard !fuzzWorld.isQuiet else { return nil }
        switch call {
        case .read:
            guard fate.isOne(in: faultProfile.journalReadFaults) else { return nil }
            fuzzWorld.report.faults += 1
            fuzzWorld.trace.record("the journal cannot be read")
            return .other("disk I/O error")
        case .write where isStateFull:
            fuzzWorld.report.faults += 1
            fuzzWorld.trace.record("no room for the journal")
            return .other("disk is full")
        case .write where fuzzWorld.uptime < outUntil:
            fuzzWorld.report.faults += 1
            fuzzWorld.trace.record("the journal is out of order")
            guard faultProfile.journalBlocks else { return .other("disk is full") }
            fuzzWorld.pass(.milliseconds(100))
            programs.act()
            return .other("database is locked")
        case .write(let isValue): return interrupt(false, isValue ? \.fate : \.faults, \.power)
        case .written(let isValue):
            return interrupt(true, isValue ? \.fate : \.faults, isValue ? \.fate : \.power)
        }
    }

    private func interrupt(
        _ isWritten: Bool,
        _ faults: ReferenceWritableKeyPath<Simulation, SeededRandom>,
        _ power: ReferenceWritableKeyPath<Simulation, SeededRandom>
    ) -> JournalError? {
        if faultProfile.cutsPower, isWritten, self[keyPath: power].isOne(in: 10) { journal.writeBack() }
        if mayDie, self[keyPath: faults].isOne(in: faultProfile.kills) {
            fuzzWorld.trace.record("dies at the journal", "\(isWritten)")
            fuzzWorld.disk.kill()
            return .other("dead")
        }
        guard !isWritten, self[keyPath: faults].isOne(in: faultProfile.journalFaults) else { return nil }
        fuzzWorld.report.faults += 1
        fuzzWorld.trace.record("the journal fails")
        return .other("disk is full")
    }
}

/// Error numbers of Linux.
private enum Errors {
    static let io: Int32 = 5
    static let forbidden: Int32 = 13
    static let tooManyFiles: Int32 = 24
    static let noSpace: Int32 = 28
    static let readOnly: Int32 = 30
    static let quota: Int32 = 122
}
