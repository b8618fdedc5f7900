package import FileSystem
package import FileSystemSimulation
package import Model

/// Where a scenario is played: a disk in memory, or real directories.
///
/// What programs do is done here at once and costs no step: the world puts a step before each.
package protocol RaceBackend: AnyObject {
    associatedtype Files: FileSystem
    associatedtype Writer: RaceBackendWriter

    /// The engine's door.
    var files: Files { get }
    /// Now, in nanoseconds since 1970, where the backend has no clock of its own.
    func pass(to nanoseconds: Int64)
    /// What a reader gets; `nil`: there is nothing.
    func read(_ file: Location) -> [UInt8]?
    /// A new file, renamed over what is there.
    func save(_ file: Location, _ bytes: [UInt8])
    func delete(_ file: Location) -> Bool
    /// Opens for writing, making the file where it is not there.
    func open(_ file: Location) -> Writer?
    /// What it writes to is still to be found by that name.
    func isHeld(_ file: Location, by writer: Writer) -> Bool
    /// All files beneath a directory of the bridge's own.
    func kept(in directory: String) -> [[UInt8]]
    /// Everything that no sync has reached may be lost.
    func cutPower(_ random: inout SeededRandom)
    /// The document and its name survive a power cut.
    func sync(_ file: Location)
    /// Keeps everything as it is now, if it can; `restore` brings that back.
    func save() -> Bool
    func restore()
}

/// A file that a program holds open for writing.
package protocol RaceBackendWriter {
    func truncate()
    /// Behind what it wrote before.
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
    package func save(_ file: Location, _ bytes: [UInt8]) { files.world.save(file, bytes) }
    package func delete(_ file: Location) -> Bool { files.world.delete(file) }
    package func open(_ file: Location) -> SimulatedDisk.World.Pen? { files.world.open(file) }
    package func isHeld(_ file: Location, by writer: SimulatedDisk.World.Pen) -> Bool {
        files.world.isHeld(file, by: writer)
    }
    package func sync(_ file: Location) { files.world.sync(file) }

    package func save() -> Bool {
        saved = files.snapshot()
        return true
    }

    package func restore() { if let saved { files.restore(saved) } }

    package func kept(in directory: String) -> [[UInt8]] {
        files.world.files(in: directory, of: .state)
    }

    package func cutPower(_ random: inout SeededRandom) {
        files.powerCut(choosing: &random)
        try? files.restart()
    }
}
