package import FileSystem
internal import Glibc
package import Model

extension SimulatedDisk {
    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        try enter(.list, directory)
        return try node(of: directory).entries
            .map { name, node in DirectoryEntry(bytes: name.bytes, kind: node.kind) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    package func status(of file: Location) throws(FileError) -> FileStatus {
        try enter(.stat, file)
        return try status(find(file, .stat))
    }

    package func status(of directory: Directory) throws(FileError) -> FileStatus {
        try enter(.stat, directory)
        return try status(node(of: directory))
    }

    /// Never changes, so no other process can interfere.
    package func foldsCase(_ directory: Directory) -> Bool { foldingRoots.contains(directory.root) }

    package func standing(at root: Root) throws(FileError) -> FileStatus {
        try enter(.stat, Directory(root))
        guard let node = standing[root] else { throw .noDirectory(Directory(root)) }
        return status(node)
    }

    package func status(of handle: Handle) throws(FileError) -> FileStatus {
        try enter(.stat, handle.file)
        assertOpen(handle)
        return status(handle.node)
    }

    package func open(_ file: Location) throws(FileError) -> Handle {
        try enter(.open, file)
        let node = try find(file, .open)
        guard node.kind == .regular else { throw .notRegular(file, node.kind) }
        return handle(node, file, isWritable: false)
    }

    package func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        try enter(.read, handle.file)
        assertOpen(handle)
        guard !handle.isWritable else { throw .system(errno: EBADF, .read, handle.file) }
        return Array(handle.node.content.data.prefix(limit))
    }

    package func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? {
        try enter(.attributes, handle.file)
        assertOpen(handle)
        return handle.node.content.attributes["user." + name]
    }

    package func isOpenForWriting(_ handle: Handle) -> Bool? {
        guard step(.lock, handle.file) == nil, knowsWriters else { return nil }
        assertOpen(handle)
        return handle.node.writers > 0
    }

    package func close(_ handle: Handle) {
        _ = step(.close, handle.file)
        if !isDead { assertOpen(handle) }
        release(handle)
    }

    package func attribute(_ name: String, at root: Root) throws(FileError) -> [UInt8]? {
        try enter(.stat, Directory(root))
        guard let node = standing[root] else { throw .noDirectory(Directory(root)) }
        return node.content.attributes["user." + name]
    }
}

// MARK: - Resolving

extension SimulatedDisk {
    /// A resolved path: from a root to the directory that contains a name.
    struct Way {
        /// The directories from the root on, without `parent`.
        var above: [Node] = []
        let parent: Node
        let name: FileName

        var node: Node? { parent.entries[name] }
        func leads(through node: Node) -> Bool { parent === node || above.contains { $0 === node } }
    }

    func way(
        to file: Location,
        _ purpose: LinuxFileSystem.Purpose,
        _ call: SystemCall,
        from roots: RootNodes? = nil
    ) throws(FileError) -> Way {
        let path = Array(file.path.description.utf8)
        let isPlain = !path.contains(UInt8(ascii: "/"))
        let parts = isPlain ? [] : path.split(separator: UInt8(ascii: "/"))
        guard isPlain ? path.count <= 255 : parts.allSatisfy({ $0.count <= 255 }) else {
            throw .system(errno: ENAMETOOLONG, call, file)
        }
        guard let top = (roots ?? opened)[file.root], top.links > 0 else {
            throw absence(of: file, purpose)
        }
        guard let name = parts.last else {
            return Way(parent: top, name: spelled(FileName(path), in: top, file.root))
        }
        var directories = [top]
        for part in parts.dropLast() {
            let last = directories[directories.count - 1]
            guard let next = last.entries[spelled(FileName(Array(part)), in: last, file.root)] else {
                throw absence(of: file, purpose)
            }
            switch next.kind {
            case .directory: directories.append(next)
            case .symbolicLink: throw .notRegular(file, .symbolicLink)
            case .regular, .special: throw .noDirectory(file.directory)
            }
        }
        let parent = directories.removeLast()
        return Way(
            above: directories,
            parent: parent,
            name: spelled(FileName(Array(name)), in: parent, file.root)
        )
    }

    /// The name as stored in the directory, if the directory is case-insensitive.
    private func spelled(_ name: FileName, in directory: Node, _ root: Root) -> FileName {
        guard foldingRoots.contains(root), directory.entries[name] == nil else { return name }
        if lowersNames { return FileName(name.folded(onlyASCII: foldsOnlyASCII)) }
        let folded = name.folded(onlyASCII: foldsOnlyASCII)
        return directory.entries.keys.sorted().first { $0.folded(onlyASCII: foldsOnlyASCII) == folded }
            ?? name
    }

    private func absence(of file: Location, _ purpose: LinuxFileSystem.Purpose) -> FileError {
        purpose == .find ? .missing(file) : .noDirectory(file.directory)
    }

    func find(_ file: Location, _ call: SystemCall) throws(FileError) -> Node {
        guard let node = try way(to: file, .find, call).node else { throw .missing(file) }
        return node
    }

    func node(of directory: Directory) throws(FileError) -> Node {
        guard let path = directory.path else {
            guard let node = opened[directory.root], node.links > 0 else { throw .noDirectory(directory) }
            return node
        }
        guard let node = try? find(Location(directory.root, path), .stat), node.kind == .directory else {
            throw .noDirectory(directory)
        }
        return node
    }

    func handle(_ node: Node, _ file: Location, isWritable: Bool) -> Handle {
        let handle = Handle(node, file, isWritable: isWritable)
        handles.append(handle)
        opening(node, forWriting: isWritable)
        return handle
    }

    /// Using a closed file is a programming error.
    func assertOpen(_ handle: Handle) {
        precondition(handles.contains { $0 === handle }, "\(handle.file) is used after it was closed")
    }

    func status(_ node: Node) -> FileStatus {
        let isDirectory = node.kind == .directory
        let size = isDirectory ? 4096 : Int64(node.content.data.count)
        let subdirectories = node.entries.values.count { $0.kind == .directory }
        return FileStatus(
            kind: node.kind,
            signature: Signature(
                device: node.device,
                inode: node.number,
                size: size,
                modified: node.modified,
                changed: node.changed
            ),
            mode: node.content.mode,
            owner: node.content.owner,
            ownerGroup: node.content.ownerGroup,
            links: UInt64(isDirectory ? 2 + subdirectories : node.links),
            allocated: (size + blockSize - 1) / blockSize * blockSize,
            isMountPoint: node.isMountPoint
        )
    }
}
