import FileSystem
import Model

/// The same disk, accessed through a faulty file system.
struct FaultyGround<Base: Ground>: Ground {
    let base: Base
    let door: FaultyDoor<Base.Door>
    var isReal: Bool { base.isReal }
    var hasAttributes: Bool { base.hasAttributes }

    init(_ base: Base, _ fault: DoorFault) {
        self.base = base
        door = FaultyDoor(base.door, fault)
    }

    func save(_ file: Location, _ bytes: [UInt8]) { base.save(file, bytes) }
    func overwrite(_ file: Location, _ bytes: [UInt8]) { base.overwrite(file, bytes) }
    func open(_ file: Location) -> Base.Pen? { base.open(file) }
    func read(_ file: Location) -> [UInt8]? { base.read(file) }
    func delete(_ file: Location) { base.delete(file) }
    func rename(_ from: Location, to: Location) { base.rename(from, to: to) }
    func setMode(_ file: Location, _ mode: UInt32) { base.setMode(file, mode) }
    func setAttribute(_ name: String, of file: Location, to value: [UInt8]) {
        base.setAttribute(name, of: file, to: value)
    }
    func attribute(_ name: String, of file: Location) -> [UInt8]? { base.attribute(name, of: file) }
    func makeDirectory(_ directory: Location) { base.makeDirectory(directory) }
    func makeSymbolicLink(_ file: Location) { base.makeSymbolicLink(file) }
    func makeSpecial(_ file: Location) { base.makeSpecial(file) }
    func save(name: [UInt8], in root: Root, _ bytes: [UInt8]) {
        base.save(name: name, in: root, bytes)
    }
    func removeRoot(_ root: Root) { base.removeRoot(root) }
    func replaceRoot(_ root: Root) { base.replaceRoot(root) }
}
