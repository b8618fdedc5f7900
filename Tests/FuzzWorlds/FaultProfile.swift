import FileSystemSimulation
package import Model
import RaceLab
package import SyncEngine

/// What can go wrong in one world. Each seed draws it anew: a world without deletions proves more about torn
/// files.
package struct FaultProfile: Sendable {
    package var names: [RelativePath] = []
    /// `budget.json` is among the names, and each side's program has a version of its own.
    package var isBudget = false
    package var versions = BothSides(app: 1, group: 2)
    package var pinned = BothSides<Int?>(app: nil, group: nil)
    /// The profile is edited while the journal lives, and commands come by no profile.
    package var editsProfile = false
    /// The profile has merge rules, and programs save what they decide.
    package var hasRules = false
    /// In the middle of it, the app's program becomes the next version.
    package var upgrades = false

    // What programs do.
    package var overwrites = false
    package var holdsOpen = false
    package var tears = false
    package var deletes = false
    package var respells = false
    package var moves = false
    /// A whole folder of documents gets another name.
    package var movesFolders = false
    package var folders = ["d", "g"].compactMap { RelativePath($0) }
    /// All documents lie in one folder, programs look for them under its newest name, and may save there as
    /// soon as it has that.
    package var followsFolders = false
    package var isStale = false
    /// Only this side's program saves.
    package var loneWriter: Side?
    /// What a program has not seen, it does not take away.
    package var keepsUnseen = false
    /// The kernel's queue tells who reads and who saves.
    package var tracksAccess = false
    /// Programs save without a pause, and somebody waits.
    package var isBusy = false
    package var takesDirectories = false
    package var swapsKinds = false
    /// What programs keep open, and write in place in two halves, later.
    package var pair: RelativePath?
    /// Programs give what they save any time.
    package var setsTimes = false
    /// Before one call of the engine's in so many, a program acts; 0: never.
    package var pressure = 0
    /// A program acts before one turn in so many.
    package var busyness = 2

    // What is heard of it.
    package var longestDelay = Duration.zero
    package var doublesHints = false
    /// Once in so many hints, all that is waiting becomes "look at everything"; 0: never.
    package var overflows = 0
    package var hangsHelper = false

    // What fails.
    /// One call in so many fails; 0: none.
    package var faults = 0
    package var fillsDisk = false
    /// Before one step in so many the disk of the journal and the state directory fills, until so many calls
    /// later; 0: never.
    package var stateOutages = 0
    package var longestStateOutage = 400
    package var journalFaults = 0
    /// The process is killed in one call in so many; 0: never.
    package var kills = 0
    package var losesJournal = false
    /// Before one step in so many in which nothing is waiting, the process is ended, and another is started;
    /// 0: never.
    package var restarts = 0
    /// Before one step in so many it cannot be written for a while; 0: never.
    package var journalOutages = 0
    /// Another process has a lock on it then: each attempt takes time, in which programs act.
    package var journalBlocks = false
    /// One of its reads in so many fails; 0: none.
    package var journalReadFaults = 0
    /// It is taken away, and an older copy of it put in its place, while no process runs.
    package var restoresJournal = false
    package var cutsPower = false

    // The machine and the settings.
    package var durability = Durability.batch
    package var commit = CommitMode.exchange
    package var canExchange = true
    package var canRenameExclusively = true
    package var canTellWriters = true
    package var reusesInodes = true
    package var separatesState = false
    package var grain = Duration.zero
    /// Files and directories can have extended attributes.
    package var hasAttributes = true
    package var setsClock = false
    /// Bytes of the disk; `nil`: more than any world fills.
    package var maxTrash: Int64?
    /// A document has a limit, and some saves are larger.
    package var savesTooMuch = false

    package init() {}

    package func isVersioned(_ path: RelativePath) -> Bool {
        isBudget && path.description == Self.budget
    }

    static let budget = "budget.json"
    /// Of a document, where some saves are larger.
    static let mostBytes = 1_000
    static let plainNames = ["a.json", "b.json", "d/c.json", "d/e/f.json"]
}

extension FaultProfile {
    /// `powerCuts`: whether the power may go in such a world.
    package init(seed: UInt64, powerCuts: Bool = false) {
        var random = SeededRandom(seed: seed, .faultProfile)
        drawNames(&random)
        drawPrograms(&random)
        drawHints(&random)
        drawMachine(&random)
        drawFaults(&random)
        var state = SeededRandom(seed: seed, .stateDisk)
        stateOutages = state.pick([0, 0, 0, 40, 12])
        longestStateOutage = state.pick([400, 400, 4_000])
        var bounds = SeededRandom(seed: seed, .bounds)
        // What a stale save was made on may be there alone.
        maxTrash = tracksAccess ? nil : bounds.pick([nil, nil, 32 << 10, 256 << 10])
        savesTooMuch = bounds.isOne(in: 4)
        var attributes = SeededRandom(seed: seed, .attributes)
        hasAttributes = !attributes.isOne(in: 4)
        cutsPower = powerCuts
        if powerCuts { keepToSyncedPrograms() }
    }

    /// A world in which the kernel's queue decides on what every save was made, of programs that save over
    /// what they have never read: nothing that nobody has seen may go.
    ///
    /// `fillsState`: whether the state directory may run out of room in it.
    package init(staleSeed seed: UInt64, fillsState: Bool = false) {
        self.init(seed: seed)
        stateOutages = fillsState ? (stateOutages == 0 ? 25 : stateOutages) : 0
        // A save that comes after a question and is told of later than its answer counts as made with sight.
        if fillsState { longestDelay = min(longestDelay, .milliseconds(200)) }
        (isStale, tracksAccess, keepsUnseen) = (true, true, true)
        maxTrash = nil
        (holdsOpen, tears, deletes, moves, takesDirectories, swapsKinds) = (
            false, false, false, false, false, false
        )
        (overflows, faults, fillsDisk, journalFaults, kills) = (0, 0, false, 0, 0)
        (commit, canExchange, canRenameExclusively, canTellWriters) = (.exchange, true, true, true)
        (grain, upgrades) = (.zero, false)
    }

    /// A world in which the journal fails, blocks, and is restored from a copy, at any call.
    package init(journalSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededRandom(seed: seed, .journal)
        journalFaults = random.pick([0, 12, 4])
        journalOutages = random.pick([0, 40, 12])
        journalBlocks = random.coin()
        journalReadFaults = random.pick([0, 0, 40, 8])
        restoresJournal = random.isOne(in: 3)
        if random.coin() { loneWriter = random.coin() ? .app : .group }
        guard loneWriter != nil else { return }
        restarts = 20
        // What the bridge is made to forget it may take for an edit of the other side.
        (kills, losesJournal, restoresJournal) = (0, false, false)
        (faults, fillsDisk, upgrades) = (0, false, false)
        // Two saves of one program that never saw each other.
        (isStale, holdsOpen, tears, moves, takesDirectories, swapsKinds) = (
            false, false, false, false, false, false
        )
    }

    /// A world of programs that keep a file open, of wrong times, and of a helper that hangs.
    package init(hinderedSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededRandom(seed: seed, .hindrances)
        pair = random.isOne(in: 4) ? nil : RelativePath("pair.json")
        (setsTimes, setsClock) = (random.coin(), random.coin())
        hangsHelper = random.isOne(in: 3)
        canTellWriters = true
        grain = random.pick([.zero, .milliseconds(1), .milliseconds(10)])
    }

    /// A world in which nothing goes wrong and no program ever pauses: whoever waits must not wait for that.
    package init(busySeed seed: UInt64) {
        self.init(seed: seed)
        isBusy = true
        names = Self.plainNames.compactMap { RelativePath($0) }
        (isBudget, upgrades, busyness, pressure, tracksAccess) = (false, false, 1, 0, false)
        (holdsOpen, tears, deletes, moves, takesDirectories, swapsKinds) = (
            false, false, false, false, false, false
        )
        (overflows, faults, fillsDisk, journalFaults, kills) = (0, 0, false, 0, 0)
        stateOutages = 0
        longestDelay = min(longestDelay, .milliseconds(5))
        // Else each displaced file is waited for as long as a program may have it open.
        canTellWriters = true
    }

    /// A world in which the profile is edited between and during runs: at first it knows one version alone,
    /// and the programs are of that.
    package init(profileSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededRandom(seed: seed, .profiles)
        editsProfile = true
        (isBudget, upgrades, swapsKinds) = (true, false, false)
        pinned = BothSides(app: nil, group: nil)
        names = ([Self.budget] + names.dropFirst().map(\.description)).compactMap { RelativePath($0) }
        versions = random.pick([
            BothSides(app: 1, group: 2), BothSides(app: 1, group: 2), BothSides(app: 2, group: 1),
            BothSides(app: 2, group: 2),
        ])
        losesJournal = losesJournal && random.isOne(in: 4)
    }

    /// A world of documents with merge rules.
    package init(ruledSeed seed: UInt64) {
        self.init(seed: seed)
        hasRules = true
        savesTooMuch = false
        (isBudget, upgrades) = (false, false)
        pinned = BothSides(app: nil, group: nil)
        names = Self.plainNames.prefix(names.count).compactMap { RelativePath($0) }
    }

    /// The same where the power goes, and the journal fails, loses its tail and is restored from a copy.
    package init(battledProfileSeed seed: UInt64) {
        self.init(profileSeed: seed)
        var random = SeededRandom(seed: seed, .journal)
        journalFaults = random.pick([0, 12, 4])
        journalOutages = random.pick([0, 40, 12])
        journalReadFaults = random.pick([0, 0, 40, 8])
        restoresJournal = random.coin()
        cutsPower = random.coin()
        if cutsPower { keepToSyncedPrograms() }
    }

    /// A world in which programs give folders of documents other names, and back.
    package init(folderSeed seed: UInt64) {
        self.init(seed: seed)
        movesFolders = true
        // A document that is held does not move with the others.
        savesTooMuch = false
        (isBudget, upgrades, swapsKinds) = (false, false, false)
        pinned = BothSides(app: nil, group: nil)
        names = ["d/c.json", "d/e/f.json", "g/c.json", "g/e/f.json", "a.json"].compactMap { RelativePath($0) }
    }

    /// A world in which all documents lie in one folder, which gets other names on either side, and programs
    /// go on in it: what is there under another name is no loss of everything.
    package init(renamedSeed seed: UInt64) {
        self.init(folderSeed: seed)
        var random = SeededRandom(seed: seed, .renames)
        followsFolders = true
        takesDirectories = false
        folders = ["d", "e", "f"].compactMap { RelativePath($0) }
        names = (0..<random.pick([1, 2, 3, 5])).compactMap { RelativePath("d/\($0).json") }
        // Each document has three names on two sides: one act in four calls takes ten times as long.
        pressure = random.pick([0, 12, 40])
    }

    private mutating func drawNames(_ random: inout SeededRandom) {
        isBudget = random.coin()
        let pool = (isBudget ? [Self.budget] : []) + Self.plainNames.dropFirst(isBudget ? 1 : 0)
        let count = random.pick([1, 1, 2, 2, 3, 4])
        names = pool.prefix(count).compactMap { RelativePath($0) }
        versions = BothSides(app: random.pick([1, 1, 2]), group: random.pick([1, 2, 2]))
        if random.coin() { pinned = BothSides(app: versions.app, group: versions.group) }
        upgrades = pinned.app == nil && random.isOne(in: 3)
    }

    private mutating func drawPrograms(_ random: inout SeededRandom) {
        overwrites = random.coin()
        holdsOpen = random.coin()
        tears = random.isOne(in: 3)
        deletes = random.coin()
        respells = random.coin()
        moves = random.isOne(in: 3)
        isStale = random.isOne(in: 3)
        tracksAccess = random.coin()
        takesDirectories = random.isOne(in: 3)
        swapsKinds = random.isOne(in: 8)
        pressure = random.pick([0, 4, 12, 12, 40, 40])
        busyness = random.pick([1, 2, 2, 5])
    }

    private mutating func drawHints(_ random: inout SeededRandom) {
        longestDelay = random.pick([.zero, .milliseconds(5), .milliseconds(200), .seconds(3)])
        doublesHints = random.coin()
        overflows = random.pick([0, 0, 10, 60])
    }

    private mutating func drawMachine(_ random: inout SeededRandom) {
        durability = random.pick([.none, .file, .dir, .batch])
        commit = random.isOne(in: 6) ? .rename : .exchange
        canExchange = !random.isOne(in: 8)
        canRenameExclusively = !random.isOne(in: 8)
        canTellWriters = !random.isOne(in: 5)
        reusesInodes = random.coin()
        separatesState = random.isOne(in: 5)
        grain = random.pick([.zero, .zero, .milliseconds(1), .milliseconds(4), .milliseconds(10)])
    }

    private mutating func drawFaults(_ random: inout SeededRandom) {
        faults = random.pick([0, 0, 0, 100, 25, 8])
        fillsDisk = random.isOne(in: 5)
        journalFaults = random.pick([0, 0, 0, 12])
        kills = random.pick([0, 0, 0, 600, 200])
        losesJournal = random.isOne(in: 3)
    }

    /// What a program has not synced the bridge cannot keep: these programs sync whatever they save.
    private mutating func keepToSyncedPrograms() {
        tears = false
        swapsKinds = false
        takesDirectories = false
    }
}
