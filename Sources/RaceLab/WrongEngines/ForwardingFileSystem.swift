import FileSystem
import Model

/// A file system that forwards every call to another one. The faulty engines' file systems change a few of
/// the calls.
protocol ForwardingFileSystem: FileSystem {
    associatedtype Base: FileSystem where Base.Handle == Handle
    var base: Base { get }
}

extension ForwardingFileSystem {
    var timestampGrain: Duration { base.timestampGrain }
    func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] { try base.list(directory) }
    func status(of file: Location) throws(FileError) -> FileStatus { try base.status(of: file) }
    func status(of directory: Directory) throws(FileError) -> FileStatus { try base.status(of: directory) }
    func foldsCase(_ directory: Directory) throws(FileError) -> Bool { try base.foldsCase(directory) }
    func standing(at root: Root) throws(FileError) -> FileStatus { try base.standing(at: root) }
    func open(_ file: Location) throws(FileError) -> Handle { try base.open(file) }
    func status(of handle: Handle) throws(FileError) -> FileStatus { try base.status(of: handle) }
    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        try base.read(handle, limit: limit)
    }
    func isOpenForWriting(_ handle: Handle) -> Bool? { base.isOpenForWriting(handle) }
    func close(_ handle: Handle) { base.close(handle) }
    func create(_ file: Location) throws(FileError) -> Handle { try base.create(file) }
    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) { try base.write(bytes, to: handle) }
    func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        try base.copyAttributes(of: source, to: handle)
    }
    func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        try base.copyAttributes(of: source, to: directory)
    }
    func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        try base.setAttribute(name, of: handle, to: value)
    }
    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try base.attribute(name, of: handle)
    }
    func keepRights(of model: Location, with file: Location) throws(FileError) {
        try base.keepRights(of: model, with: file)
    }
    func keptRights(with file: Location) -> KeptRights? { base.keptRights(with: file) }
    func setDefaultMode(of handle: Handle) throws(FileError) { try base.setDefaultMode(of: handle) }
    func makeReadOnly(_ handle: Handle) throws(FileError) { try base.makeReadOnly(handle) }
    func sync(_ handle: Handle) throws(FileError) { try base.sync(handle) }
    func sync(_ directory: Directory) throws(FileError) { try base.sync(directory) }
    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        try base.rename(from, to: to, mode)
    }
    func link(_ from: Location, to: Location) throws(FileError) { try base.link(from, to: to) }
    func remove(_ file: Location) throws(FileError) { try base.remove(file) }
    func makeDirectory(_ directory: Location) throws(FileError) { try base.makeDirectory(directory) }
    func removeDirectory(_ directory: Location) throws(FileError) { try base.removeDirectory(directory) }
    func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try base.attribute(name, at: root)
    }
    func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try base.addAttribute(name, to: root, value)
    }
    func reopen(_ root: Root) throws(FileError) { try base.reopen(root) }
}

/// A document in a container, not one of the bridge's own files.
func isContainerDocument(_ place: Location) -> Bool { place.root != .state && isDocument(place.path) }
