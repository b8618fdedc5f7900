import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import Testing

@Suite struct PublicationMarkTests {
    private let content = Digest(of: .text("a"))
    private let mark = PublicationMark(.merged, pair: 7, generation: 1 << 40, source: Digest(of: .text("b")))

    @Test func `A mark is read as it was written, and fits into an inode`() throws {
        let bytes = mark.bytes(at: app("a.json"), content)
        #expect(bytes.count <= 48)
        let read = try #require(PublicationMark(bytes, at: app("a.json"), content))
        #expect(read == mark)
        #expect(read.isSource(Digest(of: .text("b"))) && !read.isSource(content))
    }

    @Test func `A mark belongs to one content of one document`() {
        let bytes = mark.bytes(at: app("a.json"), content)
        #expect(PublicationMark(bytes, at: app("a.json"), Digest(of: .text("c"))) == nil)
        #expect(PublicationMark(bytes, at: app("b.json"), content) == nil)
        #expect(PublicationMark(bytes, at: group("a.json"), content) == nil)
    }

    @Test func `A changed mark is invalid`() {
        let bytes = mark.bytes(at: app("a.json"), content)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            #expect(PublicationMark(other, at: app("a.json"), content) == nil, "\(place)")
        }
        for count in [0, 1, 41] {
            #expect(PublicationMark(Array(bytes.prefix(count)), at: app("a.json"), content) == nil)
        }
        #expect(PublicationMark(bytes + [0], at: app("a.json"), content) == nil)
    }

    @Test func `Published files have the mark, and files made by programs do not`() throws {
        let disk = SimulatedDisk()
        disk.world.save(app("a.json"), .text("a"))
        func stage(_ target: Location, like model: Location, _ mark: PublicationMark?) throws -> Staged {
            let bytes = [UInt8].text("new")
            return try disk.stage(
                bytes,
                digest: Digest(of: bytes),
                for: target,
                replacing: nil,
                like: model,
                number: 1,
                synced: true,
                mark: mark
            )
        }
        func attribute(_ file: Location) -> [UInt8]? {
            disk.world.attribute("user." + OwnAttribute.publication, of: file)
        }
        let first = try stage(group("a.json"), like: app("a.json"), mark)
        #expect(try disk.publish(first, replacing: false) == .created)
        #expect(attribute(group("a.json")) == mark.bytes(at: group("a.json"), Digest(of: .text("new"))))
        #expect(attribute(try stage(app("b.json"), like: group("a.json"), nil).temporary) == nil)
        disk.canMarkFiles = false
        #expect(attribute(try stage(app("c.json"), like: group("a.json"), mark).temporary) == nil)
    }
}
