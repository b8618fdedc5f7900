import DirectoryReplica
import FileSystem
package import FileSystemSimulation
import Model
package import RaceLab
import Replica
import StateStore
import SyncEngine

/// The state of a simulated world, and its history as far as the checks need it.
package final class FuzzWorld {
    package let disk: SimulatedDisk
    let faultProfile: FaultProfile
    var ledger = Ledger()
    var window = Window()
    var watch: Watch
    package var trace: Trace
    /// The first violation.
    private(set) var violation: Violation?
    package var report = Report()
    /// The contents that every name has had, oldest first.
    private var history: [Location: [Digest?]] = [:]
    /// The half-written contents that programs left, by name: only these may be unreadable.
    private var halves: [Location: Set<Digest>] = [:]
    /// Called for a move, because programs that have the document open move with it.
    var follow: (Location, Location) -> Void = { _, _ in }
    private(set) var uptime = Duration.zero
    /// How far the clock is ahead of the correct time.
    private var clockError = Duration.zero
    private var clocks: SeededRandom
    /// Whether the world is quiet: no program acts, and nothing fails.
    package internal(set) var isQuiet = false

    package init(seed: UInt64, faultProfile: FaultProfile, isTraced: Bool) {
        // If the state's disk can be full, the containers' disk is a separate one.
        let isSeparate = faultProfile.separatesState || faultProfile.stateOutages > 0
        disk = SimulatedDisk(separate: isSeparate ? [.state] : [])
        self.faultProfile = faultProfile
        watch = Watch(seed: seed, faultProfile)
        clocks = SeededRandom(seed: seed, .clocks)
        trace = Trace(isKept: isTraced)
        disk.canExchange = faultProfile.canExchange
        disk.canRenameExclusively = faultProfile.canRenameExclusively
        disk.knowsWriters = faultProfile.canTellWriters
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

    /// Sometimes sets the clock.
    func strayClock() {
        guard faultProfile.setsClock, clocks.isOne(in: 30) else { return }
        clockError = clocks.duration(upTo: .seconds(7_200)) - .seconds(3_600)
        trace.record("sets the clock", "", Int(clockError.nanoseconds))
        pass(.zero)
    }

    /// Sometimes sets the modification time of a saved file.
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

    /// Reports what a program did to a document, as the kernel would.
    func tell(_ evidence: AccessEvent..., of place: Location) {
        guard faultProfile.tracksAccess, let side = place.side, isDocument(place.path) else { return }
        for one in evidence { watch.say(.evidence(one, side, place.path), at: uptime) }
    }

    // MARK: History

    /// Records the current content of a name.
    func sample(_ place: Location) {
        let digest = disk.world.read(place).map { Digest(of: $0) }
        if history[place, default: [nil]].last != .some(digest) {
            history[place, default: [nil]].append(digest)
        }
        trace.record("=", place.description, digest.map { Int(truncatingIfNeeded: $0.bytes.hash64) } ?? 0)
    }

    func hasHeld(_ digest: Digest?, at place: Location) -> Bool {
        history[place, default: [nil]].contains(digest)
    }

    /// When a name last had the content, as a number that increases with time; `nil` for never.
    func age(of digest: Digest?, at place: Location) -> Int? {
        history[place, default: [nil]].lastIndex(of: digest)
    }

    func leftHalf(_ bytes: [UInt8], at place: Location) {
        halves[place, default: []].insert(Digest(of: bytes))
    }

    /// The engine moved a document: its half-written contents move with it.
    func moved(_ place: Location, to target: Location) {
        halves[target, default: []].formUnion(halves[place] ?? [])
        follow(place, target)
    }

    func isReadable(_ bytes: [UInt8], at place: Location) -> Bool {
        TestDocument(bytes, isVersioned: faultProfile.isVersioned(place.path)) != nil
            || halves[place, default: []].contains(Digest(of: bytes))
    }

    /// The IDs of all edits that are in the containers or in the conflict copies.
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

/// Counts of events.
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
    /// Edits lost between the check and the rename on a file system without an exchange.
    package var windowLosses = 0
    /// How often a caller was told that everything is in sync.
    package var barriers = 0
    /// The number of turns until the engine was at rest.
    package var roundsToRest = 0
    package var held = 0
    /// The number of conflicts between two saves of the same program.
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
    /// A hash of a digest: its first eight bytes.
    fileprivate var hash64: UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

// MARK: - Programs that sync

extension FuzzWorld {
    func letGo(_ pen: SimulatedDisk.World.Pen) {
        if faultProfile.cutsPower { pen.sync() }
        pen.close()
    }
}
