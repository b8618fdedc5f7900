import DirectoryReplica
package import FileSystem
internal import Glibc
package import Model

extension SimulatedDisk {
    package func create(_ file: Location) throws(FileError) -> Handle {
        try enter(.create, file)
        let way = try way(to: file, .put, .create)
        guard way.node == nil else { throw .exists(file) }
        let node = newNode(.regular, on: way.parent.device, mode: 0o600)
        change([NameChange(directory: way.parent, name: way.name, node: node)])
        return handle(node, file, isWritable: true)
    }

    package func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        let fault = step(.write, handle.file)
        if let fault { store(bytes.prefix(fault.stored), handle) }
        if let fault { throw FileError(Errno(code: fault.number), .write, handle.file) }
        assertOpen(handle)
        guard handle.isWritable else { throw .system(errno: EBADF, .write, handle.file) }
        store(bytes[...], handle)
    }

    private func store(_ bytes: ArraySlice<UInt8>, _ handle: Handle) {
        guard !bytes.isEmpty else { return }
        change(handle.node, [.write(at: handle.offset, Array(bytes))])
        handle.offset += bytes.count
    }

    package func copyAttributes(of source: Location, to handle: Handle) throws(FileError) {
        try enter(.attributes, source)
        assertOpen(handle)
        let model = try find(source, .attributes)
        guard model.kind == .regular else { throw .notRegular(source, model.kind) }
        var content = model.content
        if source.root == .state, let kept = content.attributes[Self.rights].flatMap({ KeptRights($0) }) {
            (content.mode, content.owner, content.ownerGroup) = (kept.mode, kept.owner, kept.ownerGroup)
        }
        copy(content, to: handle.node)
        let attributes = content.attributes
            .filter { !Self.own.contains($0.key) }
            .sorted { $0.key < $1.key }
        let missing = attributes.filter { handle.node.content.attributes[$0.key] != $0.value }
        if !missing.isEmpty { change(handle.node, missing.map { .attribute($0.key, $0.value) }) }
    }

    package func copyAttributes(of source: Directory, to directory: Directory) throws(FileError) {
        try enter(.attributes, directory)
        guard directory.path != nil else { throw .directory(errno: EINVAL, .attributes, directory) }
        copy(try node(of: source).content, to: try node(of: directory))
    }

    private static let own = OwnAttribute.all.map { "user." + $0 }

    private static var rights: String { "user." + OwnAttribute.rights }

    package func keptRights(with file: Location) -> KeptRights? { readRights(of: file) }

    package func keepRights(of model: Location, with file: Location) throws(FileError) {
        try enter(.attributes, file)
        let content = try find(model, .attributes).content
        let node = try find(file, .attributes)
        guard node.kind == .regular else { throw .notRegular(file, node.kind) }
        let rights = KeptRights(
            mode: content.mode,
            owner: content.owner,
            ownerGroup: content.ownerGroup,
            list: []
        )
        change(node, [.mode(0o600)])
        guard canMarkFiles else { throw .system(errno: EOPNOTSUPP, .attributes, file) }
        change(node, [.attribute(Self.rights, rights.bytes)])
    }

    package func setAttribute(_ name: String, of handle: Handle, to value: [UInt8]) throws(FileError) {
        try enter(.attributes, handle.file)
        assertOpen(handle)
        guard canMarkFiles else { throw .system(errno: EOPNOTSUPP, .attributes, handle.file) }
        change(handle.node, [.attribute("user." + name, value)])
    }

    package func setDefaultMode(of handle: Handle) throws(FileError) {
        try enter(.attributes, handle.file)
        assertOpen(handle)
        change(handle.node, [.mode(0o644)])
    }

    package func makeReadOnly(_ handle: Handle) throws(FileError) {
        try enter(.attributes, handle.file)
        assertOpen(handle)
        change(handle.node, [.mode(handle.node.content.mode & ~0o222)])
    }

    /// Copies owner and mode, if they differ.
    private func copy(_ model: Content, to node: Node) {
        let own = node.content
        if own.owner != model.owner || own.ownerGroup != model.ownerGroup {
            change(node, [.owner(model.owner, model.ownerGroup)])
        }
        if own.mode != model.mode { change(node, [.mode(model.mode)]) }
    }

    package func addAttribute(_ name: String, to root: Root, _ value: [UInt8]) throws(FileError) {
        try enter(.attributes, Directory(root))
        let node = try node(of: Directory(root))
        guard canMarkRoots else { throw .directory(errno: EOPNOTSUPP, .attributes, Directory(root)) }
        guard node.content.attributes["user." + name] == nil else {
            throw .directory(errno: EEXIST, .attributes, Directory(root))
        }
        change(node, [.attribute("user." + name, value)])
        settle(node)
    }

    package func reopen(_ root: Root) throws(FileError) {
        try enter(.open, Directory(root))
        guard let node = standing[root] else { throw .noDirectory(Directory(root)) }
        opened[root] = node
    }

    package func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        try enter(.rename, from)
        let source = try way(to: from, .find, .rename)
        let target = try way(to: to, .put, .rename)
        guard source.parent.device == target.parent.device else { throw .unsupported(.rename, to) }
        guard let moved = source.node else { throw .missing(from) }
        switch mode {
        case .exclusive:
            guard target.node == nil else { throw .exists(to) }
            guard canRenameExclusively else { throw .unsupported(.rename, to) }
        case .exchange:
            guard target.node != nil else { throw .missing(to) }
            guard canExchange else { throw .unsupported(.rename, to) }
        case .replace: break
        }
        // Both names are links to one file: POSIX does nothing, and both stay.
        if moved === target.node { return }
        try allow(moved, from: source, over: target, to, mode)
        change([
            NameChange(
                directory: source.parent,
                name: source.name,
                node: mode == .exchange ? target.node : nil
            ),
            NameChange(directory: target.parent, name: target.name, node: moved),
        ])
    }

    /// Throws the kernel's errors about directories and mounts.
    private func allow(
        _ moved: Node,
        from source: Way,
        over target: Way,
        _ to: Location,
        _ mode: RenameMode
    ) throws(FileError) {
        let taken = target.node
        let isExchange = mode == .exchange
        if target.leads(through: moved) { throw .unsupported(.rename, to) }
        if let taken, source.leads(through: taken) {
            throw isExchange ? .unsupported(.rename, to) : .system(errno: ENOTEMPTY, .rename, to)
        }
        if moved.isMountPoint || taken?.isMountPoint == true { throw .system(errno: EBUSY, .rename, to) }
        guard let taken, !isExchange else { return }
        switch (moved.kind == .directory, taken.kind == .directory) {
        case (true, false): throw .system(errno: ENOTDIR, .rename, to)
        case (false, true): throw .notRegular(to, .directory)
        case (true, true): if !taken.entries.isEmpty { throw .system(errno: ENOTEMPTY, .rename, to) }
        case (false, false): break
        }
    }

    package func link(_ from: Location, to: Location) throws(FileError) {
        try enter(.link, from)
        let source = try way(to: from, .find, .link)
        let target = try way(to: to, .put, .link)
        guard let node = source.node else { throw .missing(from) }
        guard target.node == nil else { throw .exists(to) }
        guard canLink, node.device == target.parent.device, node.kind != .directory else {
            throw .unsupported(.link, to)
        }
        change([NameChange(directory: target.parent, name: target.name, node: node)])
    }

    package func remove(_ file: Location) throws(FileError) {
        try enter(.remove, file)
        let way = try way(to: file, .find, .remove)
        guard let node = way.node else { throw .missing(file) }
        guard node.kind != .directory else { throw .notRegular(file, .directory) }
        guard !node.isMountPoint else { throw .system(errno: EBUSY, .remove, file) }
        change([NameChange(directory: way.parent, name: way.name, node: nil)])
    }

    package func makeDirectory(_ directory: Location) throws(FileError) {
        try enter(.makeDirectory, directory)
        let way = try way(to: directory, .put, .makeDirectory)
        guard way.node == nil else { throw .exists(directory) }
        let node = newNode(.directory, on: way.parent.device, mode: 0o700)
        change([NameChange(directory: way.parent, name: way.name, node: node)])
    }

    package func removeDirectory(_ directory: Location) throws(FileError) {
        try enter(.removeDirectory, directory)
        let way: Way
        do {
            way = try self.way(to: directory, .find, .removeDirectory)
        } catch .noDirectory {
            throw .noDirectory(Directory(directory.root, directory.path))
        }
        guard let node = way.node else { throw .missing(directory) }
        guard node.kind == .directory else { throw .noDirectory(Directory(directory.root, directory.path)) }
        guard !node.isMountPoint else { throw .system(errno: EBUSY, .removeDirectory, directory) }
        guard node.entries.isEmpty else { throw .system(errno: ENOTEMPTY, .removeDirectory, directory) }
        change([NameChange(directory: way.parent, name: way.name, node: nil)])
    }
}
