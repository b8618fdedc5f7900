import FileSystem
import FileSystemSimulation
import Model

struct SimulatedGround: Ground {
    let door: SimulatedDisk
    let isReal = false
    let hasAttributes = true

    init(_ disk: SimulatedDisk = SimulatedDisk()) { door = disk }

    func save(_ file: Location, _ bytes: [UInt8]) { door.world.save(file, bytes) }
    func overwrite(_ file: Location, _ bytes: [UInt8]) { door.world.overwrite(file, bytes) }
    func open(_ file: Location) -> SimulatedDisk.World.Pen? { door.world.open(file) }
    func read(_ file: Location) -> [UInt8]? { door.world.read(file) }
    func delete(_ file: Location) { door.world.delete(file) }
    func rename(_ from: Location, to: Location) { door.world.rename(from, to: to) }
    func setMode(_ file: Location, _ mode: UInt32) { door.world.setMode(file, mode) }
    func setAttribute(_ name: String, of file: Location, to value: [UInt8]) {
        door.world.setAttribute(name, of: file, to: value)
    }
    func attribute(_ name: String, of file: Location) -> [UInt8]? {
        door.world.attribute(name, of: file)
    }
    func makeDirectory(_ directory: Location) { door.world.makeDirectory(directory) }
    func makeSymbolicLink(_ file: Location) { door.world.makeSymbolicLink(file) }
    func makeSpecial(_ file: Location) { door.world.makeSpecial(file) }
    func save(name: [UInt8], in root: Root, _ bytes: [UInt8]) {
        door.world.save(name: name, in: root, bytes)
    }
    func removeRoot(_ root: Root) { door.world.removeRoot(root) }
    func replaceRoot(_ root: Root) { door.world.replaceRoot(root) }
}

extension SimulatedDisk.World.Pen: WorldPen {}
