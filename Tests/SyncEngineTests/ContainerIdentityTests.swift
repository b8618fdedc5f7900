import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// The directory at a container's path, recognized by its mark and by the directory that was opened;
/// without an engine.
@Suite final class ContainerIdentityTests {
    private let disk = SimulatedDisk()
    private var container = ContainerIdentity()
    private lazy var replica: any Replica = DirectoryReplica(.app, of: disk)

    private var standing: ReplicaStanding { container.standing(of: replica) }

    /// As after a first turn.
    private func mark(_ words: String = "m") {
        replica.bear(words)
        container.read(of: replica)
        container.keep()
    }

    @Test func `without a mark the opened directory is the container`() {
        #expect(standing == .same && container.isUnmarked(replica))
        disk.world.restoreRoot(.app)
        guard case .stranger = standing else {
            Issue.record("\(standing)")
            return
        }
    }

    @Test func `a mark is known before it is recorded, but does not identify a directory yet`() {
        replica.bear("m")
        #expect(!container.isUnmarked(replica) && container.known == nil)
        #expect(container.read(of: replica) == "m")
        #expect(container.known == "m" && container.mark == nil)
        container.keep()
        #expect(container.mark == "m" && standing == .same)
    }

    @Test func `the mark identifies another directory once the opened one is gone`() {
        mark()
        disk.world.restoreRoot(.app)
        guard case .stranger(let words) = standing else {
            Issue.record("\(standing)")
            return
        }
        #expect(words.hasSuffix(" m"))
        disk.world.removeOpenRoot(.app)
        #expect(standing == .returned)
    }

    @Test func `an opened directory without a mark is distinguished from others`() {
        container = ContainerIdentity(mark: "of before")
        guard case .unmarked = standing else {
            Issue.record("\(standing)")
            return
        }
        container.forget()
        #expect(container.known == nil && standing == .same)
    }

    @Test func `a path without a directory`() {
        mark()
        disk.world.removeRoot(.app)
        #expect(standing == .gone)
    }
}

/// The ID of a pair of containers.
@Suite struct ContainerPairTests {
    private let disk = SimulatedDisk()
    private let log = FaultyJournal()

    private func pair(_ app: String?, _ group: String?) -> ContainerPair {
        ContainerPair(BothSides(of: disk), marks: BothSides(app: app, group: group), number: 7)
    }

    private func journal() throws -> JournalBuffer {
        try JournalBuffer(log, profile: nil, changesProfile: false)
    }

    private func kept() throws -> BothSides<String?> { try ContainerPair.marks(in: log) }

    @Test func `a pair without any mark has no ID, and one mark is enough`() {
        #expect(pair(nil, nil).id == nil)
        #expect(pair("a", nil).id != nil)
        #expect(Set([pair("a", nil), pair(nil, "a"), pair("a", "b"), pair("b", "a")].map(\.id)).count == 4)
        #expect(pair("a", "b").id == pair("a", "b").id)
    }

    @Test func `a container's mark counts before it is recorded`() {
        var found = pair(nil, "b")
        DirectoryReplica(.app, of: disk).bear("a")
        #expect(!found.isKnown(.app))
        found.readMarks()
        #expect(found.isKnown(.app) && found.id == pair("a", "b").id)
    }

    @Test func `containers without a mark are marked once both were listed, and the journal records it`()
        throws
    {
        var (containers, journal) = (pair(nil, nil), try journal())
        containers.recognize(isReachable: false, in: &journal)
        #expect(try kept().app == nil && containers.id == nil)
        containers.recognize(isReachable: true, in: &journal)
        let marks = try kept()
        #expect(marks.app == "faulty-8" && marks.group == "faulty-9")
        #expect(containers.id == pair(marks.app, marks.group).id && containers.loss(of: .app) == nil)
    }

    @Test func `a mark that could not be recorded is recorded in the next turn`() throws {
        var (containers, journal) = (pair(nil, nil), try journal())
        log.failsToWrite = { _ in true }
        containers.recognize(isReachable: true, in: &journal)
        log.failsToWrite = { _ in false }
        #expect(try kept().app == nil && containers.isKnown(.app))
        containers.recognize(isReachable: true, in: &journal)
        #expect(try kept().app == "faulty-8")
    }

    @Test func `a directory accepted as container is not identified before the journal records it`() throws {
        var (containers, journal) = (pair("a", "b"), try journal())
        #expect(containers.loss(of: .app)?.stranger != nil)
        log.failsToWrite = { _ in true }
        #expect(throws: JournalError.self) { try containers.accept(.app, recording: [], to: &journal) }
        #expect(containers.isKnown(.app))
        log.failsToWrite = { _ in false }
        try containers.accept(.app, recording: [], to: &journal)
        #expect(!containers.isKnown(.app) && containers.isKnown(.group) && containers.loss(of: .app) == nil)
    }

    @Test func `a publication is the bridge's own until a program changes it`() throws {
        var containers = pair("a", "b")
        let staged = try disk.stage(
            [1],
            digest: Digest(of: [1]),
            for: inApp("a.json"),
            replacing: nil,
            like: nil,
            number: containers.nextNumber(),
            synced: false
        )
        _ = try disk.publish(staged, replacing: false)
        let later = Moment(uptime: .seconds(9), unixNanoseconds: disk.now + 9_000_000_000)
        let seen = containers.signature(of: staged, at: later)
        #expect(seen.isOwn && seen.trusted != nil)
        disk.now += 1
        disk.world.save(inApp("a.json"), [2])
        #expect(!containers.signature(of: staged, at: later).isOwn)
    }
}
