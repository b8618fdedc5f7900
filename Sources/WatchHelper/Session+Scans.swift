// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Session {
    mutating func performScans() throws(SystemError) {
        for _ in 0..<Self.scansPerTurn {
            guard let scan = scans.pop() else { return }
            perform(scan)
            if lines.isFull { try lines.flush() }
        }
    }

    /// Scans every directory of every root, from the top.
    mutating func startCrawl() {
        crawl.started(at: monotonicNow())
        for root in roots.indices { scanAgain(root) }
    }

    mutating func scanAgain(_ root: Int) {
        guard let node = roots[root].node else { return }
        roots[root].unwatched = 0
        guardsAreDue = true
        scans.push(Scan(node: node, work: .list, mode: .again, epoch: epoch))
    }

    private mutating func perform(_ scan: Scan) {
        guard tree.nodes[scan.node] != nil else { return }
        do {
            let directory = try open(scan.node)
            switch scan.work {
            case .list: list(directory, scan, try directory.entries())
            case .look(let names): for name in names { look(at: name, in: directory, scan) }
            }
            stale.succeeded(scan.node)
        } catch {
            failed(scan, error)
        }
    }

    /// Opens the node's directory, if it is at the node's location.
    private mutating func open(_ node: DirectoryTree.NodeID) throws(SystemError) -> Directory {
        guard let place = tree.place(of: node) else { throw SystemError(code: ESTALE) }
        let directory = try Directory(root: try openRoot(place.root), path: place.path)
        guard directory.identity == tree.nodes[node]?.identity else { throw SystemError(code: ESTALE) }
        return directory
    }

    /// A parent was moved or replaced: scans the parent, up to the root.
    private mutating func failed(_ scan: Scan, _ error: SystemError) {
        switch error.code {
        case EACCES, EPERM, EIO, ENAMETOOLONG: return
        case EMFILE, ENFILE, ENOMEM:
            if let place = tree.place(of: scan.node) { notWatched(place.root, error) }
        default:
            if !stale.insert(scan.node, epoch: scan.epoch), let place = tree.place(of: scan.node) {
                crawl.request(at: monotonicNow())
                return lines.all(root: place.root, "unsteady")
            }
            if let parent = tree.nodes[scan.node]?.parent, let name = tree.nodes[scan.node]?.name {
                scans.push(name, in: parent, epoch: scan.epoch)
            } else {
                checkRoots()
            }
        }
    }

    // MARK: One directory

    /// The directory is watched already, so entries created after this listing cause events.
    private mutating func list(_ directory: borrowing Directory, _ scan: Scan, _ entries: [Directory.Entry]) {
        var names = entries.filter(\.isDirectory).map(\.name)
        if scan.mode.reportsFiles {
            for entry in entries where !entry.isDirectory { hint(entry.name, in: scan.node, beneath: false) }
        }
        if let known = tree.nodes[scan.node]?.children.keys, !known.isEmpty {
            let found = Set(names)
            names += known.filter { !found.contains($0) }
        }
        // In parts, so that events are read in between.
        for start in stride(from: 0, to: names.count, by: 128) {
            let part = Array(names[start..<min(start + 128, names.count)])
            if start == 0 {
                for name in part { look(at: name, in: directory, scan) }
            } else {
                scans.push(Scan(node: scan.node, work: .look(part), mode: scan.mode, epoch: scan.epoch))
            }
        }
    }

    /// Uses the current entry of that name.
    private mutating func look(at name: Bytes, in directory: borrowing Directory, _ scan: Scan) {
        let child = tree.child(name, of: scan.node)
        do {
            let found = try directory.child(name)
            if let watch = try watch(found) {
                if let child { lose(child) }
                attach(found, watch, as: name, scan)
            } else {
                known(found, as: name, scan)
            }
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR, ELOOP, EXDEV:
                if let child { lose(child) }
            case ENAMETOOLONG: break
            default:
                if let child, directory.identity(of: name) != tree.nodes[child]?.identity { lose(child) }
                if scan.mode.reportsNew { hint(name, in: scan.node, beneath: true) }
                if error.code != EACCES, let root = tree.place(of: scan.node)?.root {
                    notWatched(root, error)
                }
            }
        }
    }

    private mutating func attach(
        _ found: borrowing Directory,
        _ watch: Int32,
        as name: Bytes,
        _ scan: Scan
    ) {
        guard let root = tree.place(of: scan.node)?.root else { return kernel.remove(watch) }
        let node = tree.attach(name, to: scan.node, root: root, watch: watch, identity: found.identity)
        scans.push(Scan(node: node, work: .list, mode: scan.mode.ofNew, epoch: scan.epoch))
    }

    /// A directory that is watched already was found at this location.
    private mutating func known(_ found: borrowing Directory, as name: Bytes, _ scan: Scan) {
        guard let watch = tree.watch(on: found.identity), let places = tree.watches[watch]?.places else {
            return
        }
        if let child = tree.child(name, of: scan.node) {
            if tree.nodes[child]?.watch == watch {
                if scan.mode.deep {
                    scans.push(Scan(node: child, work: .list, mode: scan.mode, epoch: scan.epoch))
                }
                return
            }
            lose(child)
        }
        if let moved = places.first(where: { !isRoot($0) && !stillHolds($0, found.identity) }) {
            move(moved, as: name, scan)
        } else {
            // One directory at two locations: a mount, or one root inside another.
            attach(found, watch, as: name, scan)
            if scan.mode.reportsNew { hint(name, in: scan.node, beneath: true) }
        }
    }

    private mutating func move(_ moved: DirectoryTree.NodeID, as name: Bytes, _ scan: Scan) {
        guard !tree.isInside(scan.node, moved) else {
            // Two directories swapped which one is inside the other. A scan from the root resolves that.
            if let root = tree.place(of: scan.node)?.root, let node = roots[root].node {
                scans.push(Scan(node: node, work: .list, mode: .again, epoch: scan.epoch))
            }
            return
        }
        lose(moved)
        tree.move(moved, to: scan.node, as: name)
        hint(name, in: scan.node, beneath: true)
        if scan.mode.deep {
            scans.push(Scan(node: moved, work: .list, mode: scan.mode, epoch: scan.epoch))
        }
    }

    /// The node of a root. It is never moved: the root's path defines the root.
    private func isRoot(_ node: DirectoryTree.NodeID) -> Bool {
        roots.contains { $0.node == node }
    }

    private mutating func stillHolds(_ node: DirectoryTree.NodeID, _ identity: Identity) -> Bool {
        guard let directory = try? open(node) else { return false }
        return directory.identity == identity
    }

    /// Removes a directory from its location and reports that.
    private mutating func lose(_ node: DirectoryTree.NodeID) {
        if let place = tree.place(of: node) { lines.look(root: place.root, path: place.path, beneath: true) }
        tree.detach(node)
    }

    private mutating func hint(_ name: Bytes, in node: DirectoryTree.NodeID, beneath: Bool) {
        guard let (root, path) = path(of: name, in: node) else { return }
        lines.look(root: root, path: path, beneath: beneath)
    }
}
