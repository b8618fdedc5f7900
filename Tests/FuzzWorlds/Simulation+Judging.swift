import Documents
import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import StateStore
import SyncEngine

/// The notices of one instance of the journal.
struct Told {
    var sequence: Int64 = 0
    /// The run that sent it: the journal keeps what a run had no time to send.
    var run = 0
    var generations: [RelativePath: Int64] = [:]
}

// MARK: - After a turn

extension Simulation {
    func judge(_ turn: Turn) throws(Violation) {
        if fuzzWorld.disk.openHandles != 0 { throw .leaked(handles: fuzzWorld.disk.openHandles) }
        for notice in turn.notices { try judge(notice) }
        for change in turn.changes { fuzzWorld.trace.record("turn:", change.code) }
        for path in turn.published { try acknowledge(path) }
    }

    private func judge(_ notice: Notice) throws(Violation) {
        fuzzWorld.trace.record("notice", "\(notice.kind) \(notice.document)", Int(notice.sequence))
        let instance = engine?.journal.instance ?? ""
        var told = told[instance] ?? Told()
        if notice.sequence <= told.sequence { throw .sequenceWentBack(notice.sequence, after: told.sequence) }
        if told.run == runs, notice.sequence > told.sequence + 1 { throw .skipped(told.sequence + 1) }
        (told.sequence, told.run) = (notice.sequence, runs)
        let last = told.generations[notice.document] ?? 0
        // Several kinds may have notices of one generation.
        if notice.generation < last {
            throw .generationWentBack(notice.document, notice.generation, after: last)
        }
        told.generations[notice.document] = notice.generation
        self.told[instance] = told
        if !fuzzWorld.hasHeld(notice.hash, at: Location(Side.group, notice.document)) {
            throw .premature(notice.document, generation: notice.generation)
        }
    }

    /// Records that a document was reported in sync: from now on each side's state, or a newer one, must
    /// survive as promised.
    private func acknowledge(_ path: RelativePath) throws(Violation) {
        guard let row = engine?.row(path) else { return }
        for side in Side.allCases {
            guard let hash = row.hashes[side] else { continue }
            let place = Location(side, path)
            guard let age = fuzzWorld.age(of: hash, at: place) else { throw .agreedOnNothing(place) }
            acknowledged[place] = max(acknowledged[place] ?? 0, age)
        }
    }
}

// MARK: - After a power cut

extension Simulation {
    /// Checks exactly what each durability promises.
    func judgePowerCut() {
        guard faultProfile.durability != .none else { return }
        for side in Side.allCases {
            for path in faultProfile.names {
                let place = Location(side, path)
                let bytes = fuzzWorld.disk.world.read(place)
                let age = fuzzWorld.age(of: bytes.map { Digest(of: $0) }, at: place)
                guard let age else {
                    fuzzWorld.broken(.tornByPowerCut(place))
                    continue
                }
                guard faultProfile.durability != .file, let least = acknowledged[place] else { continue }
                if age < least { fuzzWorld.broken(.forgottenByPowerCut(place)) }
            }
        }
    }

    /// Allows the loss of what the durability does not promise to keep.
    func forgetWhatMayBeForgotten() {
        if faultProfile.durability == .none || faultProfile.durability == .file {
            // Either state of a document may be the one that both sides return to.
            fuzzWorld.ledger.forgive(allBut: [])
        }
        for side in Side.allCases {
            for path in faultProfile.names { fuzzWorld.sample(Location(side, path)) }
        }
        acknowledged = [:]
        // Notices may have been lost with the journal's last transactions.
        told = [:]
    }
}

// MARK: - At rest

extension Simulation {
    /// Makes the world quiet: the engine must come to rest, and all promises must hold.
    func finish() throws(Violation) {
        fuzzWorld.trace.record("quiet")
        programs.finishAll()
        programs.finishHalves()
        fuzzWorld.isQuiet = true
        if faultProfile.editsProfile { publishLastEdition() }
        try restHindered()
        try rest()
        if barrier?.begun != nil { throw .starved }
        try judgeAgreement()
        engine?.markAllDirty(at: now)
        try rest()
        try judgeRest()
        try probe()
        count()
    }

    /// The engine must also come to rest while a program keeps a file open, and while no hints arrive.
    private func restHindered() throws(Violation) {
        guard faultProfile.pair != nil || faultProfile.hangsHelper else { return }
        if faultProfile.hangsHelper { fuzzWorld.watch.hang(until: nil) }
        try rest()
        if faultProfile.hangsHelper { fuzzWorld.watch.replace(at: fuzzWorld.uptime) }
        programs.letGoOfAll()
    }

    /// The most turns with changes until the engine must be at rest.
    static var mostRounds: Int { 200 }
    /// The most turns of any kind: many only wait for a writer, or for a hint.
    static var mostTurns: Int { 10_000 }

    func rest() throws(Violation) {
        var rounds = 0
        for _ in 0..<Self.mostTurns where rounds < Self.mostRounds {
            if try live() { rounds += 1 }
            try fuzzWorld.throwViolation()
            guard let engine else {
                rounds += 1
                continue
            }
            if engine.isSettled, engine.isAllListed, engine.halt == nil, fuzzWorld.watch.isEmpty {
                fuzzWorld.report.roundsToRest = max(fuzzWorld.report.roundsToRest, rounds)
                return
            }
            let due = [engine.deadline, fuzzWorld.watch.next].compactMap(\.self).min() ?? fuzzWorld.uptime
            fuzzWorld.pass(max(.milliseconds(1), due - fuzzWorld.uptime))
        }
        throw .restless(reasonForUnrest())
    }

    private func reasonForUnrest() -> String {
        guard let engine else { return "no process" }
        if let halt = engine.halt { return "halted: \(halt.reason)" }
        let rows = engine.rows().filter { $0.state != .synced }
        let held = rows.map { "\($0.name) \($0.state) \($0.reason?.text ?? "")" }
        return held.joined(separator: "; ") + (engine.isAtRest ? "" : "; something put aside, or waiting")
    }

    private func judgeRest() throws(Violation) {
        try judgeAgreement()
        try judgeEditions()
        try judgeRules()
        try judgeLosses()
        try judgeTrash()
        countContradictions()
        if faultProfile.loneWriter != nil, let merges = engine?.counters.merges, merges > 0 {
            throw .contradicted(merges: merges)
        }
        for side in Side.allCases {
            for file in fuzzWorld.disk.world.files(Root(side)) where isOurs(file.path) {
                throw .littered(Location(side, file.path))
            }
        }
        for (side, path) in journal.knownDirectories()
        where fuzzWorld.disk.world.isEmptyDirectory(Location(side, path)) {
            throw .emptyDirectory(Location(side, path))
        }
    }

    /// Checks that the trash does not exceed its limit.
    private func judgeTrash() throws(Violation) {
        guard let most = faultProfile.maxTrash else { return }
        let kept = fuzzWorld.disk.world.files(.state).filter {
            $0.path.description.hasPrefix(Trash.directory + "/")
        }
        let size = fuzzWorld.disk.blockSize
        let blocks = kept.reduce(0) { $0 + (Int64($1.bytes.count) + size - 1) / size }
        if blocks * size > most { throw .overfull(files: kept.count) }
    }

    /// With known bases, hardly any of a program's saves conflict with each other.
    private func countContradictions() {
        guard faultProfile.keepsUnseen else { return }
        for field in ((try? journal.conflicts()) ?? []).flatMap(\.fields) {
            guard let app = id(in: field.app), let group = id(in: field.group),
                let place = fuzzWorld.ledger.place(ofBoth: app, group)
            else { continue }
            fuzzWorld.trace.remark("\(place): \(max(app, group)) is in conflict with \(min(app, group))")
            fuzzWorld.report.contradictions += 1
        }
    }

    private func id(in text: String?) -> Int? { Ids.found(in: Array((text ?? "").utf8)).first }

    private func judgeLosses() throws(Violation) {
        let missing = fuzzWorld.ledger.missing(from: fuzzWorld.foundIds())
        guard !missing.isEmpty else { return }
        let trash = fuzzWorld.ids(in: Trash.directory)
        for (id, place) in missing where !trash.contains(id) { throw .lost(edit: id, place) }
        let replaced = replacedWinners()
        for (id, place) in missing where !replaced.contains(id) { throw .buried(edit: id, place) }
    }

    /// The edits that won a recorded conflict against a program which has changed that field again since:
    /// that is its next edit, whatever it had read.
    private func replacedWinners() -> Set<Int> {
        let fields = ((try? journal.conflicts()) ?? []).flatMap(\.fields)
        let lost = fields.filter { id(in: $0.group).map(fuzzWorld.ledger.isReplacedByItsProgram) ?? false }
        return Set(lost.compactMap { id(in: $0.app) })
    }

    /// Checks that both sides are equal by value, or have a reason not to be.
    func judgeAgreement() throws(Violation) {
        let world = fuzzWorld.disk.world
        let paths = Set(Side.allCases.flatMap { side in world.files(Root(side)).map(\.path) })
        for path in paths.filter({ isDocument($0) }).sorted() where engine?.document(ofView: path) == nil {
            let row = engine?.row(path)
            if row?.state == .held {
                fuzzWorld.report.held += 1
                continue
            }
            let bytes = BothSides { world.read(Location($0, path)) }
            guard let app = bytes.app, let group = bytes.group else {
                throw .diverged(path, why: "\(bytes.app == nil ? "app" : "group") does not have it")
            }
            if let why = whyUnequal(app, group, engine?.rule(for: path)),
                !isAgreedByAnEdition(app, group, path)
            {
                throw .diverged(path, why: why.text)
            }
            for side in Side.allCases {
                guard let hash = row?.hashes[side], bytes[side].map({ Digest(of: $0) }) == hash else {
                    throw .diverged(path, why: "the base of \(side) is not what is there")
                }
            }
        }
    }
}
