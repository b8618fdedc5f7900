import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import Testing

/// Directories that are created for documents, and removed once they are empty; without an engine.
@Suite final class FolderKeeperTests {
    private let disk = SimulatedDisk()
    private var folders = FolderKeeper(.group, syncs: true)

    private func isThere(_ name: String) -> Bool { (try? disk.status(of: group(name)).kind) == .directory }

    private func make(_ name: String) throws {
        try folders.makeDirectories(above: group(name).path, in: disk)
    }

    private func empty(_ name: String) {
        folders.removeEmpty(from: group(name).path.directory, in: disk)
    }

    private func sync(_ name: String, isDue: Bool = false) throws {
        try folders.sync(group(name).path.directory, isDue: isDue, in: disk)
    }

    @Test func `missing parent directories are created and reported once`() throws {
        try make("a/b/c.json")
        #expect(isThere("a/b"))
        let changes = folders.takeChanges()
        #expect(changes == [.made(.group, group("a").path), .made(.group, group("a/b").path)])
        try make("a/b/d.json")
        #expect(folders.takeChanges().isEmpty)
        #expect(folders.made.sorted().map(\.description) == ["a", "a/b"])
    }

    @Test func `directories that the bridge created are removed with their last file, and others stay`()
        throws
    {
        disk.world.makeDirectory(group("mine"))
        try make("mine/b/c.json")
        _ = folders.takeChanges()
        empty("mine/b/c.json")
        #expect(folders.takeChanges() == [.removed(.group, group("mine/b").path)])
        #expect(isThere("mine") && !isThere("mine/b"))
    }

    @Test func `a directory that is not empty stays until it is`() throws {
        try make("a/b.json")
        disk.world.save(group("a/other.json"), [1])
        empty("a/b.json")
        #expect(isThere("a") && !folders.made.isEmpty)
        disk.world.delete(group("a/other.json"))
        folders.removeEmpty(in: disk)
        #expect(!isThere("a") && folders.made.isEmpty)
    }

    @Test func `created directories of an earlier run are removed, but not those of another container`() {
        disk.world.makeDirectory(group("a"))
        let made: Set = [group("a").path]
        folders = FolderKeeper(.group, made: made, syncs: true)
        folders.forget()
        folders.removeEmpty(in: disk)
        #expect(isThere("a"))
        folders = FolderKeeper(.group, made: made, syncs: true)
        folders.removeEmpty(in: disk)
        #expect(!isThere("a"))
    }

    @Test func `a directory that cannot be synced is removed again`() {
        disk.fail = { call, _ in call == .syncDirectory ? .error(5) : nil }
        #expect(throws: FileError.self) { try self.make("a/b.json") }
        #expect(!isThere("a") && folders.takeChanges().isEmpty)
    }

    @Test func `a directory is synced once after a name in it changed`() throws {
        var syncs = 0
        disk.meanwhile = { call, _ in if call == .syncDirectory { syncs += 1 } }
        try sync("a.json")
        #expect(syncs == 0)
        folders.remember(changedName: group("a.json").path)
        try sync("a.json")
        try sync("a.json")
        #expect(syncs == 1)
        try sync("a.json", isDue: true)
        #expect(syncs == 2)
    }

    @Test func `a directory that cannot be synced is tried again, unless it is gone`() throws {
        folders.remember(changedName: group("a.json").path)
        disk.fail = { call, _ in call == .syncDirectory ? .error(5) : nil }
        #expect(throws: FileError.self) { try self.sync("a.json") }
        #expect(throws: FileError.self) { try self.sync("a.json") }
        disk.fail = { _, _ in nil }
        folders.remember(changedName: group("gone/a.json").path)
        try sync("gone/a.json")
    }

    @Test func `without durability nothing is synced`() throws {
        folders = FolderKeeper(.group, syncs: false)
        disk.fail = { call, _ in call == .syncDirectory ? .error(5) : nil }
        try make("a/b.json")
        folders.remember(changedName: group("a/b.json").path)
        try sync("a/b.json", isDue: true)
        #expect(isThere("a"))
    }
}
