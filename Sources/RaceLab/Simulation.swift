import Documents
import FileSystemSimulation
import Reconciliation
package import Storage
import SyncEngine

/// The whole engine in a simulated world: a disk in memory, programs that act between any two of its calls,
/// and a clock that is only a number.
///
/// The doors that the engine is given are the lab's own, or others wrapped around them.
package final class Simulation {
    package let scene: Scene
    let seed: UInt64
    let troubles: Troubles
    let programs: Programs
    let files: any FileSystem
    /// Wraps the lab's journal for the engine.
    let wrap: (LabJournal) -> any Journal
    var journal: LabJournal
    var engine: Engine?
    var schedule: Chance
    var faults: Chance
    var power: Chance
    /// Of what becomes of the journal, but for what `faults` and `power` choose.
    var fate: Chance
    private var helper: Chance
    var barriers: Chance
    var barrier: AskedBarrier?
    var profiles: Chance
    /// Of the profile, where it is edited.
    var edition = 0
    var runs = 0
    private var tokens: UInt64 = 0
    /// Nothing is left on the disk until then.
    var fullUntil = Duration.zero
    private var stateDisk: Chance
    private var restarts: Chance
    /// Nothing is left on the disk of the journal and the state directory until that call.
    private var stateFullUntil = 0
    /// The journal cannot be written until then.
    var outUntil = Duration.zero
    /// Of the journal, to be restored later.
    private var copy: LabJournal?
    var person = Person.allows
    /// What was told, by the instance of the journal.
    var told: [String: Told] = [:]
    /// How new the state of each name was that was last acknowledged.
    var acknowledged: [Location: Int] = [:]

    package init(
        seed: UInt64,
        troubles: Troubles,
        isTraced: Bool = false,
        files: (LabDoor) -> any FileSystem,
        journal: @escaping (LabJournal) -> any Journal
    ) {
        self.seed = seed
        self.troubles = troubles
        scene = Scene(seed: seed, troubles: troubles, isTraced: isTraced)
        programs = Programs(scene, seed: seed)
        self.files = files(LabDoor(scene))
        wrap = journal
        self.journal = LabJournal(instance: "0")
        schedule = Chance(seed: seed, .schedule)
        faults = Chance(seed: seed, .faults)
        power = Chance(seed: seed, .power)
        fate = Chance(seed: seed, .journal)
        helper = Chance(seed: seed, .helper)
        stateDisk = Chance(seed: seed, .stateDisk)
        restarts = Chance(seed: seed, .restarts)
        barriers = Chance(seed: seed, .barriers)
        profiles = Chance(seed: seed, .profiles)
    }

    package func run(steps: Int) throws(Violation) -> Report {
        hook()
        defer { unhook() }
        for _ in 0..<steps {
            scene.report.steps += 1
            try step()
        }
        try finish()
        scene.report.calls = scene.disk.calls
        return scene.report
    }

    // MARK: One step

    private func step() throws(Violation) {
        let longest = schedule.pick([1, 40, 40, 400])
        scene.pass(schedule.duration(upTo: .milliseconds(troubles.isBusy ? 4 : longest)))
        scene.strayClock()
        programs.hurry()
        programs.hurryHalves(to: scene.uptime)
        if troubles.hangsHelper, helper.isOne(in: 40) {
            scene.trace.note("the helper hangs")
            scene.watch.hang(until: scene.uptime + .seconds(6))
        }
        if schedule.isOne(in: troubles.busyness) { programs.act() }
        if troubles.fillsDisk, faults.isOne(in: 40) { fullUntil = scene.uptime + .seconds(2) }
        if stateDisk.isOne(in: troubles.stateOutages) {
            stateFullUntil = scene.disk.calls + stateDisk.below(troubles.longestStateOutage)
        }
        if fate.isOne(in: troubles.journalOutages) {
            outUntil = scene.uptime + fate.duration(upTo: .seconds(4))
        }
        if troubles.restoresJournal, fate.isOne(in: 20) { copy = journal.copy(instance: journal.instance) }
        if troubles.cutsPower, power.isOne(in: 50) { try cutPower() }
        askBarrier()
        if engine?.isAtRest == true, restarts.isOne(in: troubles.restarts) { end() }
        if troubles.editsProfile, profiles.isOne(in: 20) {
            editProfile(to: profiles.below(LabProfile.editions.count))
        }
        try live()
        try scene.throwViolation()
    }

    /// The engine hears what there is to hear, and has its turn; `true` if something became of it.
    @discardableResult
    func live() throws(Violation) -> Bool {
        if engine == nil { start() }
        guard engine != nil else { return false }
        var isEventful = false
        for word in scene.watch.takeWords(at: scene.uptime) { tell(word) }
        for hint in scene.watch.take(at: scene.uptime) { tell(hint) }
        allow()
        beginBarrier()
        if let deadline = engine?.deadline, deadline <= scene.uptime, let turn = engine?.turn(at: now) {
            try scene.throwViolation()
            if !scene.disk.isDead { try judge(turn) }
            isEventful = !turn.changes.isEmpty
        }
        if engine?.hasQuestions == true { ask() }
        if scene.disk.isDead {
            count()
            engine = nil
            barrier = nil
            scene.report.crashes += 1
        }
        try judgeBarrier()
        return isEventful
    }

    var now: Moment { Moment(uptime: scene.uptime, unixNanoseconds: scene.disk.now) }

    private func tell(_ hint: Watch.Hint) {
        switch hint {
        case .look(_, let path): engine?.markDirty(path, at: now)
        case .beneath(let side, let directory): engine?.markDirty(beneath: directory, on: side, at: now)
        case .everything: engine?.markAllDirty(at: now)
        }
    }

    private func tell(_ word: Watch.Word) {
        switch word {
        case .evidence(let evidence, let side, let path):
            scene.trace.note("hears", "\(evidence.rawValue) \(side.rawValue) \(path)")
            engine?.hear(evidence, of: path, on: side)
        case .lost: for side in Side.allCases { engine?.forgetEvidence(on: side) }
        case .token(let token): engine?.answered(token, at: now)
        }
    }

    private func ask() {
        tokens += 1
        engine?.asked(tokens)
        scene.trace.note("asks", "", Int(tokens))
        scene.watch.say(.token(tokens), at: scene.uptime)
    }

    /// A person sees that everything is gone, and says that it may be.
    private func allow() {
        guard let halt = engine?.halt, !halt.isUnreachable, scene.isQuiet || schedule.isOne(in: 8) else {
            return
        }
        switch person {
        case .allows: break
        case .isAway: return
        case .isNotAsked: return scene.broken(.alarmed(halt.reason))
        }
        scene.trace.note("allows")
        engine?.allowDeletions()
    }

    // MARK: Processes

    /// A new process on what the old one left.
    func start() {
        do {
            try scene.disk.restart()
        } catch {
            return
        }
        runs += 1
        if runs > 1, troubles.losesJournal, schedule.isOne(in: 3) {
            journal = LabJournal(instance: "\(runs)")
        }
        if runs > 1, let copy, fate.isOne(in: 3) { journal = copy.copy(instance: "\(runs) restored") }
        scene.trace.note("starts", journal.instance, runs)
        journal.isDead = { [scene] in scene.disk.isDead }
        journal.interrupt = { [unowned self] call in interrupt(call) }
        startByNoProfile()
        do throws(EngineError) {
            engine = try engine(by: profile)
        } catch {
            scene.trace.note("cannot start")
            engine = nil
            scene.disk.kill()
            if scene.isQuiet { scene.broken(.cannotStart("\(error)")) }
            return
        }
        if troubles.editsProfile { engine?.rememberProfile() }
        engine?.tracksAccess = troubles.tracksAccess
        scene.watch.restart(at: scene.uptime)
    }

    func engine(by profile: Profile?) throws(EngineError) -> Engine {
        try Engine(
            files: files,
            journal: wrap(journal),
            profile: profile,
            settings: EngineSettings(
                durability: troubles.durability,
                commit: troubles.commit,
                maxDocument: troubles.savesTooMuch ? Troubles.mostBytes : 8 << 20,
                maxTrash: troubles.maxTrash ?? Trash.maxBytes,
                pinnedVersions: troubles.pinned
            ),
            number: UInt64(runs) << 20,
            boot: "\(scene.report.powerCuts)"
        )
    }

    /// As by a person: nothing is waiting to be written.
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
        scene.trace.note("the power goes")
        scene.report.powerCuts += 1
        let losses = scene.disk.powerCut(choosing: &power)
        journal.powerCut(choosing: &power, values: &fate)
        scene.trace.note("the power is back", losses.code)
        judgePowerCut()
        forgetWhatMayBeForgotten()
        try scene.throwViolation()
    }

    func count() {
        guard let counters = engine?.counters else { return }
        scene.report.races += counters.races
        scene.report.merges += counters.merges
        scene.report.conflicts += counters.conflicts
        scene.report.notices += counters.notices
    }
}

// MARK: - Between two calls

extension Simulation {
    private func hook() {
        scene.disk.meanwhile = { [unowned self] call, place in
            scene.trace.note(call.rawValue, place?.description ?? "")
            guard !scene.isQuiet else { return }
            scene.pass(.microseconds(10))
            if schedule.isOne(in: troubles.pressure) { programs.act() }
        }
        scene.disk.fail = { [unowned self] call, place in
            guard !scene.isQuiet else { return nil }
            let isFull = place?.root == .state && isStateFull
            guard let fault = isFull ? fullness(in: call) : fault(in: call) else { return nil }
            scene.report.faults += 1
            scene.trace.note("fails", fault.code)
            return fault
        }
    }

    /// Undoes the circles of references too.
    private func unhook() {
        scene.disk.meanwhile = { _, _ in }
        scene.disk.fail = { _, _ in nil }
        journal.interrupt = { _ in nil }
        journal.isDead = { false }
    }

    /// A process that is killed over and over again gets nowhere, which proves little.
    private var mayDie: Bool { runs < 12 }

    private func fault(in call: SystemCall) -> SimulatedDisk.Fault? {
        if mayDie, faults.isOne(in: troubles.kills) { return .death(faults.below(40)) }
        if scene.uptime < fullUntil {
            switch call {
            case .create, .makeDirectory: if faults.coin() { return .error(Errors.noSpace) }
            case .write: return .short(faults.below(30), Errors.noSpace)
            default: break
            }
        }
        guard faults.isOne(in: troubles.faults) else { return nil }
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

    private var isStateFull: Bool { scene.disk.calls < stateFullUntil }

    /// What is there already can be read, renamed and removed.
    private func fullness(in call: SystemCall) -> SimulatedDisk.Fault? {
        switch call {
        case .create, .link, .makeDirectory: .error(Errors.noSpace)
        case .write: .short(stateDisk.below(30), Errors.noSpace)
        default: nil
        }
    }

    private func interrupt(_ call: LabJournal.Call) -> JournalError? {
        guard !scene.isQuiet else { return nil }
        switch call {
        case .read:
            guard fate.isOne(in: troubles.journalReadFaults) else { return nil }
            scene.report.faults += 1
            scene.trace.note("the journal cannot be read")
            return JournalError(reason: "disk I/O error")
        case .write where isStateFull:
            scene.report.faults += 1
            scene.trace.note("no room for the journal")
            return JournalError(reason: "disk is full")
        case .write where scene.uptime < outUntil:
            scene.report.faults += 1
            scene.trace.note("the journal is out of order")
            guard troubles.journalBlocks else { return JournalError(reason: "disk is full") }
            scene.pass(.milliseconds(100))
            programs.act()
            return JournalError(reason: "database is locked")
        case .write(let isValue): return interrupt(false, isValue ? \.fate : \.faults, \.power)
        case .written(let isValue):
            return interrupt(true, isValue ? \.fate : \.faults, isValue ? \.fate : \.power)
        }
    }

    private func interrupt(
        _ isWritten: Bool,
        _ faults: ReferenceWritableKeyPath<Simulation, Chance>,
        _ power: ReferenceWritableKeyPath<Simulation, Chance>
    ) -> JournalError? {
        if troubles.cutsPower, isWritten, self[keyPath: power].isOne(in: 10) { journal.writeBack() }
        if mayDie, self[keyPath: faults].isOne(in: troubles.kills) {
            scene.trace.note("dies at the journal", "\(isWritten)")
            scene.disk.kill()
            return JournalError(reason: "dead")
        }
        guard !isWritten, self[keyPath: faults].isOne(in: troubles.journalFaults) else { return nil }
        scene.report.faults += 1
        scene.trace.note("the journal fails")
        return JournalError(reason: "disk is full")
    }
}

/// Numbers of errors, as Linux has them.
private enum Errors {
    static let io: Int32 = 5
    static let forbidden: Int32 = 13
    static let tooManyFiles: Int32 = 24
    static let noSpace: Int32 = 28
    static let readOnly: Int32 = 30
    static let quota: Int32 = 122
}
