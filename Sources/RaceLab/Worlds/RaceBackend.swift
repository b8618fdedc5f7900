package import FileSystem
package import FileSystemSimulation
package import Model

/// The disk of a scenario: in memory, or real directories.
///
/// Its methods act at once and cost no step: the world adds a step before each.
package protocol RaceBackend: AnyObject {
    associatedtype Files: FileSystem
    associatedtype Writer: RaceBackendWriter

    /// The engine's file system.
    var files: Files { get }
    /// Sets the time, in nanoseconds since 1970, if the backend has no clock of its own.
    func pass(to nanoseconds: Int64)
    /// The content that a reader gets; `nil` if the document is absent.
    func read(_ file: Location) -> [UInt8]?
    /// Writes a new file and renames it over the document.
    func save(_ file: Location, _ bytes: [UInt8])
    func delete(_ file: Location) -> Bool
    /// Opens for writing, and creates the file if it is absent.
    func open(_ file: Location) -> Writer?
    /// Whether the name still refers to the file that it writes to.
    func isHeld(_ file: Location, by writer: Writer) -> Bool
    /// All files below a directory of the bridge's state.
    func kept(in directory: String) -> [[UInt8]]
    /// All files of a container, temporary ones included.
    func contents(of container: Root) -> [[UInt8]]
    /// Makes everything durable.
    func writeBack()
    /// Cuts the power: unsynced changes may be lost.
    func cutPower(_ random: inout SeededRandom)
    /// Makes the document and its name durable.
    func sync(_ file: Location)
    /// Saves the current state, if possible; `restore` returns to it.
    func save() -> Bool
    func restore()
}

extension RaceBackend {
    /// In any file, temporary ones included.
    var editsInContainers: Set<Int> {
        Set((contents(of: .app) + contents(of: .group)).flatMap(Ids.found))
    }
}

extension Location {
    /// The directories that contain it, the outermost first: a program that saves there makes them.
    var directories: [Location] {
        guard let directory = path.directory else { return [] }
        let place = Location(root, directory)
        return place.directories + [place]
    }
}

/// A file that a program has open for writing.
package protocol RaceBackendWriter {
    func truncate()
    /// Appends.
    func write(_ bytes: [UInt8])
    func close()
}

extension SimulatedDisk.World.Pen: RaceBackendWriter {}

/// The disk in memory.
package final class SimulatedBackend: RaceBackend {
    package let files: SimulatedDisk
    private var saved: SimulatedDisk.Snapshot?

    package init(_ machine: Machine) {
        files = SimulatedDisk()
        files.canExchange = machine.canExchange
        files.reusesInodeNumbers = machine.reusesInodes
        files.timestampGrain = machine.grain
    }

    package func pass(to nanoseconds: Int64) { files.now = nanoseconds }
    package func read(_ file: Location) -> [UInt8]? { files.world.read(file) }
    package func save(_ file: Location, _ bytes: [UInt8]) {
        for directory in file.directories { files.world.makeDirectory(directory) }
        files.world.save(file, bytes)
    }
    package func delete(_ file: Location) -> Bool { files.world.delete(file) }
    package func open(_ file: Location) -> SimulatedDisk.World.Pen? {
        for directory in file.directories { files.world.makeDirectory(directory) }
        return files.world.open(file)
    }
    package func isHeld(_ file: Location, by writer: SimulatedDisk.World.Pen) -> Bool {
        files.world.isHeld(file, by: writer)
    }
    package func sync(_ file: Location) {
        for place in file.directories + [file] { files.world.sync(place) }
    }

    package func save() -> Bool {
        saved = files.snapshot()
        return true
    }

    package func restore() { if let saved { files.restore(saved) } }

    package func kept(in directory: String) -> [[UInt8]] {
        files.world.files(in: directory, of: .state)
    }

    package func contents(of container: Root) -> [[UInt8]] { files.world.files(container).map(\.bytes) }

    package func writeBack() { files.writeBack() }

    package func cutPower(_ random: inout SeededRandom) {
        files.powerCut(choosing: &random)
        try? files.restart()
    }
}
