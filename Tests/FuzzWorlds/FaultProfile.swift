import FileSystemSimulation
package import Model
import RaceLab
package import SyncEngine

/// What can go wrong in one world. Each seed draws a different selection, because, for example, a world
/// without deletions tests torn files better.
package struct FaultProfile: Sendable {
    package var names: [RelativePath] = []
    /// Whether `budget.json` is among the names, and each side's program has its own version.
    package var isBudget = false
    package var versions = BothSides(app: 1, group: 2)
    package var pinned = BothSides<Int?>(app: nil, group: nil)
    /// Whether the profile is edited while the journal exists, and commands run without a profile.
    package var editsProfile = false
    /// Whether the profile has merge rules, and programs change the fields they apply to.
    package var hasRules = false
    /// Whether the app's program is upgraded to the next version during the run.
    package var upgrades = false

    // What programs do.
    package var overwrites = false
    package var holdsOpen = false
    package var tears = false
    package var deletes = false
    package var respells = false
    package var moves = false
    /// Whether a whole directory of documents is renamed.
    package var movesFolders = false
    package var folders = ["d", "g"].compactMap { RelativePath($0) }
    /// Whether all documents are in one directory, and programs use its newest name, possibly saving there
    /// directly after a rename.
    package var followsFolders = false
    package var isStale = false
    /// The only side whose program saves; `nil`: both.
    package var loneWriter: Side?
    /// Whether a program never removes changes that it has not read.
    package var keepsUnseen = false
    /// Whether access events report who reads and who saves.
    package var tracksAccess = false
    /// Whether programs save without a pause, while callers wait.
    package var isBusy = false
    package var takesDirectories = false
    package var swapsKinds = false
    /// The document that programs keep open and write in place in two halves.
    package var pair: RelativePath?
    /// Whether programs set arbitrary modification times.
    package var setsTimes = false
    /// A program acts before one in this many calls of the engine; 0: never.
    package var pressure = 0
    /// A program acts before one in this many turns.
    package var busyness = 2

    // Hints
    package var longestDelay = Duration.zero
    package var doublesHints = false
    /// One in this many hints replaces all pending hints by "check everything"; 0: never.
    package var overflows = 0
    package var hangsHelper = false

    // Failures
    /// One in this many calls fails; 0: none.
    package var faults = 0
    package var fillsDisk = false
    /// Before one in this many steps the disk of the journal and the state directory is full, for a number
    /// of calls; 0: never.
    package var stateOutages = 0
    package var longestStateOutage = 400
    package var journalFaults = 0
    /// The process is killed in one in this many calls; 0: never.
    package var kills = 0
    package var losesJournal = false
    /// Before one in this many idle steps the process is ended and another is started; 0: never.
    package var restarts = 0
    /// Before one in this many steps the journal cannot be written for some time; 0: never.
    package var journalOutages = 0
    /// Whether another process then has a lock on it, so that each attempt takes time in which programs
    /// act.
    package var journalBlocks = false
    /// One in this many reads of the journal fails; 0: none.
    package var journalReadFaults = 0
    /// Whether the journal is replaced by an older copy of it while no process runs.
    package var restoresJournal = false
    package var cutsPower = false

    // Machine and settings
    package var durability = Durability.batch
    package var commit = CommitMode.exchange
    package var canExchange = true
    package var canRenameExclusively = true
    package var canTellWriters = true
    package var reusesInodes = true
    package var separatesState = false
    package var grain = Duration.zero
    /// Whether files and directories can have extended attributes.
    package var hasAttributes = true
    package var setsClock = false
    /// The limit in bytes; `nil`: more than any world needs.
    package var maxTrash: Int64?
    /// Whether documents have a size limit that some saves exceed.
    package var savesTooMuch = false

    package init() {}

    package func isVersioned(_ path: RelativePath) -> Bool {
        isBudget && path.description == Self.budget
    }

    static let budget = "budget.json"
    /// The size limit of a document, if some saves exceed it.
    static let mostBytes = 1_000
    static let plainNames = ["a.json", "b.json", "d/c.json", "d/e/f.json"]
}

extension FaultProfile {
    /// `powerCuts`: whether the power may be cut in such a world.
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
        // The base of a stale save may be only in the trash.
        maxTrash = tracksAccess ? nil : bounds.pick([nil, nil, 32 << 10, 256 << 10])
        savesTooMuch = bounds.isOne(in: 4)
        var attributes = SeededRandom(seed: seed, .attributes)
        hasAttributes = !attributes.isOne(in: 4)
        cutsPower = powerCuts
        if powerCuts { keepToSyncedPrograms() }
    }

    /// A world in which access events determine the base of every save, and programs save over content they
    /// have never read: no unread change may be lost.
    ///
    /// `fillsState`: whether the state directory may run out of room.
    package init(staleSeed seed: UInt64, fillsState: Bool = false) {
        self.init(seed: seed)
        stateOutages = fillsState ? (stateOutages == 0 ? 25 : stateOutages) : 0
        // A save after a question that is reported later than the answer counts as made after reading.
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
        // A publication that the bridge forgets may count as an edit of the other side.
        (kills, losesJournal, restoresJournal) = (0, false, false)
        (faults, fillsDisk, upgrades) = (0, false, false)
        // They allow two saves of one program that do not know each other.
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

    /// A world without faults in which programs never pause: callers must not wait for them.
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
        // Otherwise each displaced file is waited for as long as a program may have it open.
        canTellWriters = true
    }

    /// A world in which the profile is edited between and during runs. At first it has only one version,
    /// which the programs use.
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

    /// The same with power cuts, and a journal that fails, loses its last entries and is restored from a
    /// copy.
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

    /// A world in which programs rename directories of documents, and back.
    package init(folderSeed seed: UInt64) {
        self.init(seed: seed)
        movesFolders = true
        // A held document does not move with the others.
        savesTooMuch = false
        (isBudget, upgrades, swapsKinds) = (false, false, false)
        pinned = BothSides(app: nil, group: nil)
        names = ["d/c.json", "d/e/f.json", "g/c.json", "g/e/f.json", "a.json"].compactMap { RelativePath($0) }
    }

    /// A world in which all documents are in one directory, which is renamed on either side while programs
    /// continue: that must not count as a loss of all documents.
    package init(renamedSeed seed: UInt64) {
        self.init(folderSeed: seed)
        var random = SeededRandom(seed: seed, .renames)
        followsFolders = true
        takesDirectories = false
        folders = ["d", "e", "f"].compactMap { RelativePath($0) }
        names = (0..<random.pick([1, 2, 3, 5])).compactMap { RelativePath("d/\($0).json") }
        // Each document has three names on two sides: with one action per four calls it takes ten times as
        // long.
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

    /// The bridge cannot keep what a program has not synced, so these programs sync every save.
    private mutating func keepToSyncedPrograms() {
        tears = false
        swapsKinds = false
        takesDirectories = false
    }
}
