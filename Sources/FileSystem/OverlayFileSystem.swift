package import Model

/// A read-only view of a disk that keeps writes in memory and discards them in the end. Used for dry runs of
/// code that writes.
package final class OverlayFileSystem<Files: FileSystem>: FileSystem {
    package enum Handle {
        case real(Files.Handle)
        case made(Node)
    }

    /// A file that exists only in memory.
    package final class Node {
        fileprivate var bytes: [UInt8] = []
        fileprivate var mode: UInt32 = 0o600
        fileprivate let inode: UInt64

        fileprivate init(inode: UInt64) { self.inode = inode }
    }

    private enum Entry {
        case gone
        /// A real file, possibly under another name.
        case real(Location)
        case made(Node)
    }

    private let files: Files
    /// The state directory does not exist yet, so its root has no directory behind it.
    private let hasState: Bool
    /// The entries that differ from the disk.
    private var entries: [Location: Entry] = [:]
    private var directories: Set<Location> = []
    private var inodes: UInt64 = 0

    package init(_ files: Files, hasState: Bool = true) {
        self.files = files
        self.hasState = hasState
    }

    /// Discards all writes.
    package func forget() {
        entries = [:]
        directories = []
    }

    private func entry(_ file: Location) -> Entry {
        entries[file] ?? (hasState || file.root != .state ? .real(file) : .gone)
    }

    /// Throws `.missing` if there is no such file.
    private func found(_ file: Location) throws(FileError) -> Entry {
        let entry = entry(file)
        switch entry {
        case .gone: throw .missing(file)
        case .real(let place):
            do { _ = try files.status(of: place) } catch .missing { throw .missing(file) }
        case .made: break
        }
        return entry
    }

    private func isThere(_ file: Location) throws(FileError) -> Bool {
        do { _ = try found(file) } catch .missing { return false }
        return true
    }
}

// Reading.
extension OverlayFileSystem {
    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        var listed: [DirectoryEntry] = []
        if hasState || directory.root != .state {
            do {
                listed = try files.list(directory)
            } catch .noDirectory where directory.path.map({ isMade($0, directory.root) }) ?? true {
                // The file is in memory.
            }
        }
        func place(_ name: [UInt8]) -> Location? {
            RelativePath.child(of: directory.path, String(decoding: name, as: UTF8.self))
                .map { Location(directory.root, $0) }
        }
        listed.removeAll { place($0.bytes).map { entries[$0] != nil } ?? false }
        for (file, entry) in entries where file.directory == directory {
            if case .gone = entry { continue }
            listed.append(DirectoryEntry(bytes: Array(file.path.name.utf8), kind: .regular))
        }
        return listed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private func isMade(_ path: RelativePath, _ root: Root) -> Bool {
        directories.contains(Location(root, path))
    }

    package func status(of file: Location) throws(FileError) -> FileStatus {
        switch entry(file) {
        case .gone: throw .missing(file)
        case .real(let place): return try files.status(of: place)
        case .made(let node): return status(of: node)
        }
    }

    private func status(of node: Node) -> FileStatus {
        FileStatus(
            kind: .regular,
            signature: Signature(
                device: 0,
                inode: node.inode,
                size: Int64(node.bytes.count),
                modified: 0,
                changed: 0
            ),
            mode: node.mode,
            owner: 0,
            ownerGroup: 0,
            links: 1,
            allocated: Int64(node.bytes.count)
        )
    }

    package func status(of directory: Directory) throws(FileError) -> FileStatus {
        try files.status(of: directory)
    }

    package func foldsCase(_ directory: Directory) throws(FileError) -> Bool {
        try files.foldsCase(directory)
    }

    package func standing(at root: Root) throws(FileError) -> FileStatus { try files.standing(at: root) }

    package func open(_ file: Location) throws(FileError) -> Handle {
        switch entry(file) {
        case .gone: throw .missing(file)
        case .real(let place): return .real(try files.open(place))
        case .made(let node): return .made(node)
        }
    }

    package func status(of handle: Handle) throws(FileError) -> FileStatus {
        switch handle {
        case .real(let handle): try files.status(of: handle)
        case .made(let node): status(of: node)
        }
    }

    package func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        switch handle {
        case .real(let handle): try files.read(handle, limit: limit)
        case .made(let node): Array(node.bytes.prefix(limit))
        }
    }

    package func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        guard case .real(let handle) = handle else { return nil }
        return try files.attribute(name, of: handle)
    }

    /// Other processes cannot write to a file in memory.
    package func isOpenForWriting(_ handle: Handle) -> Bool? { false }

    package func close(_ handle: Handle) {
        if case .real(let handle) = handle { files.close(handle) }
    }
}

// Writing, in memory.
extension OverlayFileSystem {
    package func create(_ file: Location) throws(FileError) -> Handle {
        if try isThere(file) { throw .exists(file) }
        inodes += 1
        let node = Node(inode: inodes)
        entries[file] = .made(node)
        return .made(node)
    }

    package func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        guard case .made(let node) = handle else { preconditionFailure("a real file is only read") }
        node.bytes += bytes
    }

    package func copyAttributes(of source: Location, to handle: Handle) {}
    package func copyAttributes(of source: Directory, to directory: Directory) {}
    package func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) {}
    package func keepRights(of model: Location, with file: Location) {}
    package func keptRights(with file: Location) -> KeptRights? { nil }
    package func setDefaultMode(of handle: Handle) {}
    package func makeReadOnly(_ handle: Handle) { if case .made(let node) = handle { node.mode = 0o400 } }
    package func sync(_ handle: Handle) {}
    package func sync(_ directory: Directory) {}

    package func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        let moved = try found(from)
        switch mode {
        case .exclusive:
            if try isThere(to) { throw .exists(to) }
            entries[from] = .gone
        case .exchange: entries[from] = try found(to)
        case .replace: entries[from] = .gone
        }
        entries[to] = moved
    }

    package func link(_ from: Location, to: Location) throws(FileError) {
        if try isThere(to) { throw .exists(to) }
        entries[to] = try found(from)
    }

    package func remove(_ file: Location) throws(FileError) {
        _ = try found(file)
        entries[file] = .gone
    }

    package func makeDirectory(_ directory: Location) throws(FileError) {
        if try isThere(directory) { throw .exists(directory) }
        guard directories.insert(directory).inserted else { throw .exists(directory) }
    }

    package func removeDirectory(_ directory: Location) { directories.remove(directory) }

    package func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try files.attribute(name, at: root)
    }

    package func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) {}

    package func reopen(_ root: Root) throws(FileError) { try files.reopen(root) }

    package var timestampGrain: Duration { .zero }
}
