import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import SyncEngine
import Testing

/// What stands at a container's path, told by its mark and by the directory that was opened; by itself.
@Suite final class ContainerIdentityTests {
    private let disk = SimulatedDisk()
    private var container = ContainerIdentity()
    private var replica: any Replica { DirectoryReplica(.app, of: disk) }

    private var standing: ReplicaStanding { container.standing(of: replica) }

    /// As after a first look.
    private func mark(_ words: String = "m") {
        replica.bear(words)
        container.read(of: replica)
        container.keep()
    }

    @Test func `without a mark the directory that was opened is the container`() {
        #expect(standing == .same && container.isUnmarked(replica))
        disk.world.restoreRoot(.app)
        guard case .stranger = standing else {
            Issue.record("\(standing)")
            return
        }
    }

    @Test func `what it bears is known before it is kept, and is no mark to tell it by`() {
        replica.bear("m")
        #expect(!container.isUnmarked(replica) && container.known == nil)
        #expect(container.read(of: replica) == "m")
        #expect(container.known == "m" && container.mark == nil)
        container.keep()
        #expect(container.mark == "m" && standing == .same)
    }

    @Test func `by its mark it is known as another directory, once the opened one is no more`() {
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

    @Test func `the opened directory without its mark is told apart from others`() {
        container = ContainerIdentity(mark: "of before")
        guard case .unmarked = standing else {
            Issue.record("\(standing)")
            return
        }
        container.forget()
        #expect(container.known == nil && standing == .same)
    }

    @Test func `a path at which nothing stands`() {
        mark()
        disk.world.removeRoot(.app)
        #expect(standing == .gone)
    }
}

/// What tells two containers from other two.
@Suite struct ContainerPairTests {
    private func pair(_ app: String?, _ group: String?) -> ContainerPair {
        ContainerPair(marks: BothSides(app: app, group: group))
    }

    @Test func `a pair without any mark has no id, and one mark is enough`() {
        #expect(pair(nil, nil).id == nil)
        #expect(pair("a", nil).id != nil)
        #expect(Set([pair("a", nil), pair(nil, "a"), pair("a", "b"), pair("b", "a")].map(\.id)).count == 4)
        #expect(pair("a", "b").id == pair("a", "b").id)
    }

    @Test func `what a container bears counts before it is kept`() {
        let disk = SimulatedDisk()
        var found = pair(nil, "b")
        let before = found.id
        let replica = DirectoryReplica(.app, of: disk)
        replica.bear("a")
        found[.app].read(of: replica)
        #expect(found.id == pair("a", "b").id)
        found[.app].forget()
        #expect(found.id == before)
    }
}
