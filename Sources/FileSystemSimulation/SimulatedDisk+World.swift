import FileSystem
package import Model

extension SimulatedDisk {
    /// The other processes. Their operations cost no step, call no hook, and are as volatile as the bridge's;
    /// an operation that fails returns `false` or `nil`. They resolve the roots' paths, not the roots that
    /// the bridge opened.
    package var world: World { World(disk: self) }

    package struct World {
        let disk: SimulatedDisk

        /// A file that another process has open for writing, whatever its name.
        package final class Pen {
            private let disk: SimulatedDisk
            fileprivate let node: Node
            private var offset = 0
            /// A power cut ends the process that holds it.
            private var life: Int?

            init(_ disk: SimulatedDisk, _ node: Node) {
                self.disk = disk
                self.node = node
                life = disk.powerCuts
                disk.opening(node, forWriting: true)
            }

            private var isOpen: Bool { life == disk.powerCuts }

            package func truncate() {
                guard isOpen else { return }
                disk.change(node, [.truncate(to: 0)])
                offset = 0
            }

            package func write(_ bytes: [UInt8]) {
                guard isOpen else { return }
                disk.change(node, [.write(at: offset, bytes)])
                offset += bytes.count
            }

            /// Writes in place, over any bytes there.
            package func write(_ bytes: [UInt8], at offset: Int) {
                if isOpen { disk.change(node, [.write(at: offset, bytes)]) }
            }

            package var bytes: [UInt8] { node.content.data }

            /// A number that no other file ever gets.
            package var file: Int { node.age }

            /// Makes what was written survive a power cut, under whatever name.
            package func sync() { if isOpen { disk.settle(node) } }

            /// The file has no name any more.
            package var isNameless: Bool { node.links == 0 }

            package func close() {
                if isOpen { disk.closing(node, forWriting: true) }
                life = nil
            }
        }
    }
}

// MARK: - Documents

extension SimulatedDisk.World {
    /// Saves like a careful program: writes a new file and renames it over the old one.
    @discardableResult
    package func save(_ file: Location, _ bytes: [UInt8], mode: UInt32 = 0o644) -> Bool {
        put(file) { way in
            let node = disk.newNode(.regular, on: way.parent.device, mode: mode)
            disk.change(node, [.write(at: 0, bytes)])
            return node
        }
    }

    /// Truncates and writes in place, at once; use `open` to write in pieces that others can see.
    @discardableResult
    package func overwrite(_ file: Location, _ bytes: [UInt8]) -> Bool {
        guard let pen = open(file) else { return false }
        pen.truncate()
        pen.write(bytes)
        pen.close()
        return true
    }

    /// Opens for writing, and creates the file if it is absent.
    package func open(_ file: Location) -> Pen? {
        if node(file) == nil { save(file, []) }
        guard let node = node(file), node.kind == .regular else { return nil }
        return Pen(disk, node)
    }

    /// The name still refers to the file that it writes to.
    package func isHeld(_ file: Location, by pen: Pen) -> Bool { node(file) === pen.node }

    /// A program syncs the file and its directory, or the directory of a deleted file.
    package func sync(_ file: Location) {
        if let node = node(file) { disk.settle(node) }
        guard let way = way(file) else { return }
        disk.settle(way.parent)
        disk.settleNames(of: way.parent)
    }

    package func read(_ file: Location) -> [UInt8]? {
        guard let node = node(file), node.kind == .regular else { return nil }
        return node.content.data
    }

    /// The file at a name.
    package struct Standing {
        package let bytes: [UInt8]
        /// A number that no other file ever gets.
        package let file: Int
        package let names: Int
    }

    package func standing(at file: Location) -> Standing? {
        guard let node = node(file), node.kind == .regular else { return nil }
        return Standing(bytes: node.content.data, file: node.age, names: node.links)
    }

    package func isEmptyDirectory(_ place: Location) -> Bool {
        guard let node = node(place), node.kind == .directory else { return false }
        return node.entries.isEmpty
    }

    /// Every regular file below a root, in the order of paths, without names that are not valid paths.
    package func files(_ root: Root) -> [(path: RelativePath, bytes: [UInt8])] {
        guard let top = disk.standing[root] else { return [] }
        var found: [(path: RelativePath, bytes: [UInt8])] = []
        var open: [(path: RelativePath?, node: SimulatedDisk.Node)] = [(nil, top)]
        while let (directory, node) = open.popLast() {
            for (name, child) in node.entries {
                guard let text = String(validating: name.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: directory, text)
                else { continue }
                switch child.kind {
                case .regular: found.append((path, child.content.data))
                case .directory: open.append((path, child))
                case .symbolicLink, .special: break
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The contents of the regular files in one directory, in the order of their names.
    package func files(in directory: String, of root: Root) -> [[UInt8]] {
        guard let node = disk.standing[root]?.entries[.init(directory)] else { return [] }
        let files = node.entries.filter { $0.value.kind == .regular }
        return files.sorted { $0.key < $1.key }.map(\.value.content.data)
    }

    @discardableResult
    package func delete(_ file: Location) -> Bool {
        guard let way = way(file), let node = way.node else { return false }
        guard node.entries.isEmpty else { return false }
        disk.change([.init(directory: way.parent, name: way.name, node: nil)])
        return true
    }

    /// Replaces an existing file.
    @discardableResult
    package func rename(_ from: Location, to: Location) -> Bool {
        guard let source = way(from), let node = source.node, let target = way(to), node !== target.node,
            source.parent.device == target.parent.device,
            !target.leads(through: node)
        else { return false }
        disk.change([
            .init(directory: source.parent, name: source.name, node: nil),
            .init(directory: target.parent, name: target.name, node: node),
        ])
        return true
    }

    @discardableResult
    package func link(_ from: Location, to: Location) -> Bool {
        guard let node = node(from), node.kind != .directory else { return false }
        return put(to, isNew: true) { _ in node }
    }

    @discardableResult
    package func setMode(_ file: Location, _ mode: UInt32) -> Bool { change(file, .mode(mode)) }

    /// Sets any time, like `utimes`.
    @discardableResult
    package func setModified(_ file: Location, to time: Int64) -> Bool {
        guard let node = node(file) else { return false }
        node.modified = time
        node.changed = disk.stamp()
        return true
    }

    /// `name` includes `user.`.
    @discardableResult
    package func setAttribute(_ name: String, of file: Location, to value: [UInt8]) -> Bool {
        change(file, .attribute(name, value))
    }

    package func attribute(_ name: String, of file: Location) -> [UInt8]? {
        node(file)?.content.attributes[name]
    }
}

// MARK: - Other entries

extension SimulatedDisk.World {
    @discardableResult
    package func makeDirectory(_ directory: Location) -> Bool { make(.directory, directory, mode: 0o755) }

    /// The target does not matter, as no link is followed.
    @discardableResult
    package func makeSymbolicLink(_ file: Location) -> Bool { make(.symbolicLink, file, mode: 0o777) }

    /// A FIFO, socket or device.
    @discardableResult
    package func makeSpecial(_ file: Location) -> Bool { make(.special, file, mode: 0o644) }

    /// A file whose name need not be UTF-8.
    @discardableResult
    package func save(name: [UInt8], in root: Root, _ bytes: [UInt8]) -> Bool {
        guard let directory = disk.standing[root] else { return false }
        let node = disk.newNode(.regular, on: directory.device, mode: 0o644)
        disk.change(node, [.write(at: 0, bytes)])
        disk.change([.init(directory: directory, name: .init(name), node: node)])
        return true
    }

    /// Mounts another file system there.
    @discardableResult
    package func mount(over file: Location) -> Bool {
        guard let node = node(file) else { return false }
        node.isMountPoint = true
        return true
    }

    /// Deletes the root with its content; the directory that the bridge opened stays, without a name.
    package func removeRoot(_ root: Root) {
        guard let old = disk.standing[root] else { return }
        disk.standing[root] = nil
        remove(old)
    }

    /// Deletes the directory that the bridge opened, wherever it is now.
    package func removeOpenRoot(_ root: Root) { if let old = disk.opened[root] { remove(old) } }

    private func remove(_ old: SimulatedDisk.Node) {
        for name in old.entries.keys.sorted() {
            disk.change([.init(directory: old, name: name, node: nil)])
        }
        old.links = 0
    }

    /// Moves the root away, and makes an empty directory in its place.
    package func replaceRoot(_ root: Root) {
        disk.standing[root] = disk.directoryNode(on: disk.device(of: root), mode: 0o755)
    }

    /// Makes another root's path lead to this root's directory, like a bind mount.
    package func bind(_ root: Root, at other: Root) { disk.standing[other] = disk.standing[root] }

    /// Puts the opened root back to its path.
    package func putBackRoot(_ root: Root) { disk.standing[root] = disk.opened[root] }

    /// Puts a copy of the opened root, with its attributes, at the root's path.
    package func restoreRoot(_ root: Root) { disk.standing[root] = disk.opened[root].map(copy) }

    private func copy(_ original: SimulatedDisk.Node) -> SimulatedDisk.Node {
        let copy = disk.newNode(original.kind, on: original.device, mode: original.content.mode)
        copy.links = 1
        copy.content = original.content
        for (name, node) in original.entries.sorted(by: { $0.key < $1.key }) {
            copy.entries[name] = self.copy(node)
        }
        (copy.synced, copy.syncedEntries) = (copy.content, copy.entries)
        return copy
    }

    private func make(_ kind: FileKind, _ file: Location, mode: UInt32) -> Bool {
        put(file, isNew: true) { way in disk.newNode(kind, on: way.parent.device, mode: mode) }
    }

    private func way(_ file: Location) -> SimulatedDisk.Way? {
        try? disk.way(to: file, .put, .create, from: disk.standing)
    }

    private func node(_ file: Location) -> SimulatedDisk.Node? { way(file)?.node }

    private func change(_ file: Location, _ change: SimulatedDisk.FileChange) -> Bool {
        guard let node = node(file) else { return false }
        disk.change(node, [change])
        return true
    }

    private func put(
        _ file: Location,
        isNew: Bool = false,
        _ node: (SimulatedDisk.Way) -> SimulatedDisk.Node
    ) -> Bool {
        guard let way = way(file), way.node == nil || !isNew, way.node?.kind != .directory else {
            return false
        }
        disk.change([.init(directory: way.parent, name: way.name, node: node(way))])
        return true
    }
}
