import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Files on their way to the trash; without an engine.
@Suite struct DiscardsTests {
    private let disk = SimulatedDisk()
    private let place = inApp("out.json")
    private let bytes = Array("old".utf8)
    private let digest = Digest(of: Array("old".utf8))

    private func discards() throws -> Discards {
        try disk.state.makeKeepingPlaces()
        disk.world.save(place, bytes)
        return Discards(recorded: nil, TrashLimits(maxBytes: 1 << 20), limit: 1_000)
    }

    private func trash() -> [String] {
        disk.world.files(in: Trash.directory, of: .state).map { String(decoding: $0, as: UTF8.self) }
    }

    private func flush(_ discards: inout Discards) {
        var replicas: BothSides<any Replica> = BothSides(of: disk)
        discards.flush(in: disk.state, from: &replicas)
    }

    /// A file is on its way, and the disk is full.
    private func stuck() throws -> Discards {
        var discards = try discards()
        disk.fail = { call, _ in call == .rename ? .error(ENOSPC) : nil }
        discards.add(place, digest)
        flush(&discards)
        disk.fail = { _, _ in nil }
        return discards
    }

    @Test func `a discarded file goes to the trash at once`() throws {
        var discards = try discards()
        discards.add(place, digest)
        #expect(disk.text(place) == "old")
        flush(&discards)
        #expect(disk.text(place) == nil && trash() == ["old"])
        #expect(discards.problem == nil && discards.deadline == nil)
    }

    @Test func `directories that the bridge created are removed with their last file`() throws {
        var discards = try discards()
        let deep = inApp("one/two/a.json")
        var replicas: BothSides<any Replica> = BothSides(of: disk)
        try replicas.app.makeDirectories(above: deep.path)
        disk.world.save(deep, bytes)
        discards.add(deep, digest)
        discards.flush(in: disk.state, from: &replicas)
        #expect(replicas.app.madeDirectories.count == 2, "nobody has said that they may be empty")
        discards.addEmptied(deep)
        #expect(discards.hasEmptied)
        discards.flush(in: disk.state, from: &replicas)
        #expect(replicas.app.madeDirectories.isEmpty && !discards.hasEmptied && disk.text(place) == "old")
    }

    @Test func `a file that another program removed is no problem`() throws {
        var discards = try discards()
        discards.add(inApp("gone.json"), digest)
        flush(&discards)
        #expect(discards.problem == nil && discards.due(at: .seconds(9)).isEmpty)
    }

    @Test func `a file that the trash cannot take is retried, less and less often`() throws {
        var discards = try stuck()
        #expect(discards.problem?.text.hasPrefix("1 replaced file cannot be moved to the trash: ") == true)
        #expect(discards.deadline == .zero && discards.due(at: .zero) == [place])
        discards.countRetry(at: .zero)
        #expect(discards.due(at: .milliseconds(999)).isEmpty && discards.deadline == .seconds(1))
        discards.countRetry(at: .seconds(1))
        #expect(discards.deadline == .seconds(3))
        discards.retryNow()
        #expect(discards.due(at: .zero) == [place])
    }

    @Test func `a file that is examined again is reported once`() throws {
        var discards = try stuck()
        let held = [discards.take(place), discards.take(place)]
        #expect(held == [digest, nil])
        discards.countRetry(at: .seconds(1))
        #expect(discards.problem == nil && discards.deadline == nil)
    }

    @Test func `an original that a migration keeps elsewhere is only deleted`() throws {
        var discards = try discards()
        #expect(!discards.hasOriginals)
        discards.addOriginals([digest])
        discards.add(place, digest)
        flush(&discards)
        #expect(discards.hasOriginals && disk.text(place) == nil && trash().isEmpty)
    }

    @Test func `the journal is told about the trash only if something changed`() throws {
        var discards = try discards()
        try discards.prune(at: Moment(uptime: .zero, unixNanoseconds: disk.now), whole: true, in: disk.state)
        discards.add(place, digest)
        flush(&discards)
        let news = try #require(try discards.takeNews(in: disk.state))
        #expect(news.hasPrefix("\(discards.knownUse.files) ") && discards.knownUse.files == 1)
        let again = try discards.takeNews(in: disk.state)
        #expect(again == nil)
    }

    @Test func `a content removed from the trash is reported once`() throws {
        var discards = try discards()
        try discards.discard(place, digest, in: disk.state, from: BothSides(of: disk))
        try discards.drop(digest, in: disk.state)
        let dropped = [discards.takeDropped(), discards.takeDropped()]
        #expect(trash().isEmpty && dropped == [[digest], []])
    }
}
