import FileSystem
import FileSystemSimulation
import Model
import SyncEngine
import Testing

/// What stands at a container's path, told by its mark and by the directory that was opened; by itself.
@Suite final class ContainerIdentityTests {
    private let disk = SimulatedDisk()
    private var container = ContainerIdentity(.app)

    private var standing: ContainerIdentity.Standing { container.standing(in: disk) }

    /// As after a first look.
    private func mark(_ words: String = "m") {
        container.bear(words, in: disk)
        container.read(in: disk)
        container.keep()
    }

    @Test func `without a mark the directory that was opened is the container`() {
        #expect(standing == .container && container.isUnmarked(in: disk))
        disk.world.restoreRoot(.app)
        guard case .stranger = standing else {
            Issue.record("\(standing)")
            return
        }
    }

    @Test func `what it bears is known before it is kept, and is no mark to tell it by`() {
        container.bear("m", in: disk)
        #expect(!container.isUnmarked(in: disk) && container.known == nil)
        #expect(container.read(in: disk) == "m")
        #expect(container.known == "m" && container.mark == nil)
        container.keep()
        #expect(container.mark == "m" && standing == .container)
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
        container = ContainerIdentity(.app, mark: "of before")
        guard case .unmarked = standing else {
            Issue.record("\(standing)")
            return
        }
        container.forget()
        #expect(container.known == nil && standing == .container)
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
        found[.app].bear("a", in: disk)
        found[.app].read(in: disk)
        #expect(found.id == pair("a", "b").id)
        found[.app].forget()
        #expect(found.id == before)
    }
}
