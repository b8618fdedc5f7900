import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Testing

/// What a name leads to on a case-insensitive file system; without an engine.
@Suite final class NamesakeTests {
    private let disk = SimulatedDisk()
    private var caseFolding = CaseFolding()

    init() {
        disk.foldingRoots = [.group]
        disk.world.makeDirectory(group("Notes"))
        disk.world.save(group("Notes/A.json"), [1])
        disk.world.save(group("b.json"), [1])
    }

    private func record(_ directories: Directory...) {
        for directory in directories { caseFolding.record(directory, in: disk) }
    }

    private func namesake(_ place: Location) -> String? {
        caseFolding.namesake(of: place, in: disk)?.description
    }

    @Test func `a name that differs only in case belongs to another document, also in a subdirectory`() {
        #expect(namesake(group("B.json")) == nil, "nobody has looked at the directory")
        record(Directory(.group))
        #expect(namesake(group("B.json")) == "b.json")
        #expect(namesake(group("notes/a.json")) == "Notes/A.json")
    }

    @Test func `a directory that was empty is asked once a file was created in it`() {
        disk.foldingRoots = []
        caseFolding.record(Directory(.group), isEmpty: true, in: disk)
        disk.foldingRoots = [.group]
        #expect(namesake(group("B.json")) == nil)
        caseFolding.record(created: group("b.json"), in: disk)
        #expect(namesake(group("B.json")) == "b.json")
    }

    @Test func `letters that the file system does not fold distinguish two documents`() {
        disk.foldsOnlyASCII = true
        for name in ["\u{C9}.JSON", "\u{E9}.JSON"] { disk.world.save(group(name), [1]) }
        record(Directory(.group))
        #expect(namesake(group("\u{E9}.json")) == "\u{E9}.JSON")
        #expect(namesake(group("\u{C9}.json")) == "\u{C9}.JSON")
        #expect(namesake(group("B.json")) == "b.json")
    }

    @Test func `a name with the same case, or of a missing document, has no namesake`() {
        record(Directory(.group))
        #expect(namesake(group("b.json")) == nil && namesake(group("Notes/A.json")) == nil)
        #expect(namesake(group("c.json")) == nil && namesake(group("other/a.json")) == nil)
    }

    @Test func `a case-sensitive directory has no namesakes, and neither has another container`() {
        record(Directory(.group), Directory(.app))
        disk.world.save(app("b.json"), [1])
        #expect(namesake(app("B.json")) == nil)
        disk.foldingRoots = []
        record(Directory(.group))
        #expect(namesake(group("B.json")) == nil)
    }
}
