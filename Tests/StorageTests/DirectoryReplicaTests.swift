import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import Testing

@Suite struct DirectoryReplicaTests {
    private let disk = SimulatedDisk()
    private let bytes = Array("{}".utf8)

    private func path(_ name: String) throws -> RelativePath { try #require(RelativePath(name)) }

    private func replica(maxBytes: Int = 100) -> DirectoryReplica {
        var replica = DirectoryReplica(.app, of: disk)
        replica.begin(ReplicaSettings(maxBytes: maxBytes))
        return replica
    }

    private func read(
        _ name: String,
        unless known: Digest? = nil,
        mayWait: Bool = true,
        isKnown: Bool = false
    ) throws -> FileReading {
        try replica().read(try path(name), unless: known, mayWait: mayWait, isKnown: isKnown, pair: nil)
    }

    @Test func `A missing document is absent, and so is one in a missing directory`() throws {
        for name in ["a.json", "b/a.json"] {
            #expect(try read(name) == .absent)
            #expect(try replica().signature(of: try path(name), isKnown: true) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `The first write shows that a file system has no exchange`(hasFlags: Bool) throws {
        (disk.canExchange, disk.canRenameExclusively, disk.canLink) = (hasFlags, hasFlags, hasFlags)
        var replica = replica()
        let write = DocumentWrite(
            try path("a.json"),
            bytes: bytes,
            digest: Digest(of: bytes),
            over: nil,
            like: nil,
            number: 1,
            isSynced: false
        )
        #expect(try replica.commit(try replica.prepare(write), over: nil, waits: true) == .created)
        #expect(replica.exchanges == hasFlags)
        #expect(try replica.exchanges(path("a.json")) == hasFlags)
    }

    @Test func `An expected content is not returned`() throws {
        disk.world.save(Location(Side.app, try path("a.json")), bytes)
        let signature = try #require(try replica().signature(of: try path("a.json"), isKnown: false))
        let digest = Digest(of: bytes)
        #expect(try read("a.json", unless: digest) == .same(signature))
        let content = FileContent(bytes: bytes, digest: digest, signature: signature)
        #expect(try read("a.json") == .content(content))
    }

    @Test func `A file that a program has open for writing is not read, unless the caller does not wait`()
        throws
    {
        let file = Location(Side.app, try path("a.json"))
        disk.world.save(file, bytes)
        let pen = try #require(disk.world.open(file))
        #expect(throws: ReadObstacle.beingWritten) { try read("a.json") }
        if case .content(let content) = try read("a.json", mayWait: false) {
            #expect(content.bytes == bytes)
        } else {
            Issue.record("it was to be read")
        }
        pen.close()
        #expect(throws: Never.self) { try read("a.json") }
    }

    @Test func `Anything but a document is a problem, and never absent`() throws {
        disk.world.makeSymbolicLink(Location(Side.app, try path("link.json")))
        disk.world.makeDirectory(Location(Side.app, try path("directory.json")))
        disk.world.save(Location(Side.app, try path("large.json")), bytes)
        #expect(throws: ReadObstacle.notRegular(.symbolicLink)) {
            try replica().signature(of: try path("link.json"), isKnown: false)
        }
        #expect(throws: ReadObstacle.notRegular(.directory)) {
            try replica().signature(of: try path("directory.json"), isKnown: false)
        }
        #expect(throws: ReadObstacle.tooLarge(2)) {
            try replica(maxBytes: 1).signature(of: try path("large.json"), isKnown: false)
        }
    }
}
