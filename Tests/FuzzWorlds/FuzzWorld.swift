import DirectoryReplica
import FileSystem
package import FileSystemSimulation
import Model
package import RaceLab
import Replica
import StateStore
import SyncEngine

/// What is true in a simulated world, and all that has to be remembered of it to judge it.
package final class FuzzWorld {
    package let disk: SimulatedDisk
    let faultProfile: FaultProfile
    var ledger = Ledger()
    var window = Window()
    var watch: Watch
    package var trace: Trace
    /// The first promise that was broken.
    private(set) var violation: Violation?
    package var report = Report()
    /// What every document's name has held, oldest first.
    private var history: [Location: [Digest?]] = [:]
    /// What programs left half written, and where: only this may be unreadable.
    private var halves: [Location: Set<Digest>] = [:]
    /// Programs that hold a document open go with it.
    var follow: (Location, Location) -> Void = { _, _ in }
    private(set) var uptime = Duration.zero
    /// How far the clock is ahead of what it was.
    private var clockError = Duration.zero
    private var clocks: SeededRandom
    /// The world is quiet: no program acts, nothing goes wrong.
    package internal(set) var isQuiet = false

    package init(seed: UInt64, faultProfile: FaultProfile, isTraced: Bool) {
        // Where it fills the containers do not.
        let isSeparate = faultProfile.separatesState || faultProfile.stateOutages > 0
        disk = SimulatedDisk(separate: isSeparate ? [.state] : [])
        self.faultProfile = faultProfile
        watch = Watch(seed: seed, faultProfile)
        clocks = SeededRandom(seed: seed, .clocks)
        trace = Trace(isKept: isTraced)
        disk.canExchange = faultProfile.canExchange
        disk.canRenameExclusively = faultProfile.canRenameExclusively
        disk.canTellWriters = faultProfile.canTellWriters
        disk.reusesInodeNumbers = faultProfile.reusesInodes
        disk.timestampGrain = faultProfile.grain
        disk.blockSize = 4_096
        (disk.canMarkRoots, disk.canMarkFiles) = (faultProfile.hasAttributes, faultProfile.hasAttributes)
        pass(.zero)
    }

    /// 2026-01-18, in nanoseconds.
    private static let dawn: Int64 = 1_768_746_600_000_000_000

    func pass(_ time: Duration) {
        uptime += time
        disk.now = Self.dawn + (uptime + clockError).nanoseconds
    }

    /// Somebody may set the clock.
    func strayClock() {
        guard faultProfile.setsClock, clocks.isOne(in: 30) else { return }
        clockError = clocks.duration(upTo: .seconds(7_200)) - .seconds(3_600)
        trace.note("sets the clock", "", Int(clockError.nanoseconds))
        pass(.zero)
    }

    /// What was saved may be given any time.
    func strayTime(of place: Location) {
        guard faultProfile.setsTimes, clocks.isOne(in: 3) else { return }
        let error = clocks.duration(upTo: .seconds(7_200)) - .seconds(3_600)
        disk.world.setModified(place, to: disk.now + error.nanoseconds)
    }

    func broken(_ violation: Violation) {
        trace.remark("!! \(violation)")
        if self.violation == nil { self.violation = violation }
    }

    func throwViolation() throws(Violation) { if let violation { throw violation } }

    /// Somebody did something to a document, as the kernel sees it.
    func tell(_ evidence: AccessEvent..., of place: Location) {
        guard faultProfile.tracksAccess, let side = place.side, isDocument(place.path) else { return }
        for one in evidence { watch.say(.evidence(one, side, place.path), at: uptime) }
    }

    // MARK: History

    /// Looks at what a name holds now.
    func sample(_ place: Location) {
        let digest = disk.world.read(place).map { Digest(of: $0) }
        if history[place, default: [nil]].last != .some(digest) {
            history[place, default: [nil]].append(digest)
        }
        trace.note("=", place.description, digest.map { Int(truncatingIfNeeded: $0.bytes.hash64) } ?? 0)
    }

    func hasHeld(_ digest: Digest?, at place: Location) -> Bool {
        history[place, default: [nil]].contains(digest)
    }

    /// When a name last held it, as a number that rises with time; `nil` for never.
    func age(of digest: Digest?, at place: Location) -> Int? {
        history[place, default: [nil]].lastIndex(of: digest)
    }

    func leftHalf(_ bytes: [UInt8], at place: Location) {
        halves[place, default: []].insert(Digest(of: bytes))
    }

    /// The engine gave a document another name: what a program has left half written there is so still.
    func moved(_ place: Location, to target: Location) {
        halves[target, default: []].formUnion(halves[place] ?? [])
        follow(place, target)
    }

    func isReadable(_ bytes: [UInt8], at place: Location) -> Bool {
        TestDocument(bytes, isVersioned: faultProfile.isVersioned(place.path)) != nil
            || halves[place, default: []].contains(Digest(of: bytes))
    }

    /// The ids of all edits that are in the containers or in the conflict store.
    func foundIds() -> Set<Int> {
        var found: Set<Int> = []
        for root in [Root.app, .group] {
            for file in disk.world.files(root) where isDocument(file.path) {
                found.formUnion(Ids.found(in: file.bytes))
            }
        }
        return found.union(ids(in: Trash.conflicts))
    }

    func ids(in directory: String) -> Set<Int> {
        disk.world.files(.state).filter { $0.path.description.hasPrefix(directory + "/") }
            .reduce(into: []) { $0.formUnion(Ids.found(in: $1.bytes)) }
    }
}

/// Counts of what happened.
package struct Report: Sendable, Hashable {
    package var steps = 0
    package var calls = 0
    package var edits = 0
    package var faults = 0
    package var crashes = 0
    package var powerCuts = 0
    package var races = 0
    package var merges = 0
    package var conflicts = 0
    package var notices = 0
    /// Edits that fell into the window that a file system without an exchange leaves.
    package var windowLosses = 0
    /// How often somebody was told that all is in sync.
    package var barriers = 0
    /// Turns it took to come to rest.
    package var roundsToRest = 0
    package var held = 0
    /// Places of conflicts in which two saves of one program meet.
    package var contradictions = 0

    package init() {}

    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        for field in fields { sum[keyPath: field] += b[keyPath: field] }
        sum.roundsToRest = max(a.roundsToRest, b.roundsToRest)
        return sum
    }

    private static var fields: [WritableKeyPath<Report, Int>] {
        [
            \.steps, \.calls, \.edits, \.faults, \.crashes, \.powerCuts, \.races, \.merges, \.conflicts,
            \.notices,
            \.windowLosses, \.held, \.barriers, \.contradictions,
        ]
    }
}

func isOurs(_ path: RelativePath) -> Bool { path.name.hasPrefix(TemporaryName.prefix) }

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

extension [UInt8] {
    /// Of a digest: its first eight bytes.
    fileprivate var hash64: UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

// MARK: - Programs that sync

extension FuzzWorld {
    func letGo(_ pen: SimulatedDisk.World.Pen) {
        if faultProfile.cutsPower { pen.sync() }
        pen.close()
    }
}
