// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Session {
    /// Reads the kernel's queue.
    mutating func drain() {
        guard mayHoldEvents else { return }
        for _ in 0..<Self.eventsPerTurn {
            guard let event = kernel.next() else {
                mayHoldEvents = false
                passMarks { $0.mark == nil }
                return
            }
            handle(event)
            if lines.isFull { return }
        }
    }

    private mutating func handle(_ event: Event) {
        if event.has(IN_Q_OVERFLOW) { return overflowed() }
        if event.has(IN_IGNORED) { return watchEnded(event.watch) }
        if guards.hold(event.name, event.watch) { checkRoots() }
        guard let watch = tree.watches[event.watch] else { return }
        for node in watch.places {
            if event.name.isEmpty {
                directoryItself(node, event)
            } else if event.has(IN_ISDIR) {
                directory(event, in: node)
            } else {
                document(event, in: node)
            }
        }
    }

    /// The kernel kept the oldest events and dropped the rest, for all roots.
    private mutating func overflowed() {
        if let proven = evidence?.giveUp() { report(proven) }
        for root in roots.indices { lines.all(root: root, "overflow") }
        crawl.request(at: monotonicNow())
        passMarks { _ in true }
    }

    private mutating func document(_ event: Event, in node: DirectoryTree.NodeID) {
        if event.name.isHidden {
            guard event.name.isTemporary else { return }
            isUnhurried = true
        }
        guard let (root, path) = path(of: event.name, in: node) else { return }
        if temporaries.isDisplacedFileClosed(event, root, path) { lines.look(root: root, path: path) }
        if let proven = evidence?.read(event, of: .init(root: root, path: path)) { report(proven) }
        if !event.name.isHidden && event.has(KernelWatches.changes) { lines.look(root: root, path: path) }
    }

    private mutating func report(_ proven: [(Lines.Evidence, EvidenceReader.Document)]) {
        for (evidence, document) in proven {
            lines.evidence(evidence, root: document.root, path: document.path)
        }
    }

    /// Handles an event about a directory in a watched one.
    private mutating func directory(_ event: Event, in node: DirectoryTree.NodeID) {
        guard !event.name.isHidden, event.has(KernelWatches.changes) else { return }
        guard let (root, path) = path(of: event.name, in: node) else {
            _ = stale.insert(node, epoch: epoch)
            return
        }
        // Reports the removal here, as the directory may never have been watched. The scan reports new
        // directories.
        if event.has(IN_MOVED_FROM | IN_DELETE | IN_ATTRIB) {
            lines.look(root: root, path: path, beneath: true)
        }
        scans.push(event.name, in: node, epoch: epoch)
    }

    /// Handles an event about a watched directory itself.
    private mutating func directoryItself(_ node: DirectoryTree.NodeID, _ event: Event) {
        guard let parent = tree.nodes[node]?.parent else {
            guard let place = tree.place(of: node) else { return }
            if event.has(IN_ATTRIB) { lines.look(root: place.root, path: [], beneath: true) }
            if event.has(IN_MOVE_SELF | IN_DELETE_SELF) { checkRoots() }
            if event.has(IN_UNMOUNT) { loseRoot(place.root, "unmounted") }
            return
        }
        if event.has(IN_UNMOUNT), let place = tree.place(of: node) {
            lines.all(root: place.root, "unmounted")
        }
        if event.has(IN_MOVE_SELF | IN_UNMOUNT), let name = tree.nodes[node]?.name {
            scans.push(name, in: parent, epoch: epoch)
        }
    }

    /// The kernel removed a watch: the directory was deleted, or it was a mark in the queue.
    private mutating func watchEnded(_ watch: Int32) {
        passMarks { $0.mark == watch }
        guard tree.watches[watch] != nil || guards.contains(watch) else { return }
        kernel.remove(watch)
        unguarded(watch)
        for node in tree.forget(watch: watch) {
            if let parent = tree.nodes[node]?.parent, let name = tree.nodes[node]?.name {
                scans.push(name, in: parent, epoch: epoch)
            } else if let place = tree.place(of: node) {
                loseRoot(place.root, "root-lost")
                armRoot(place.root)
            }
        }
    }

    func path(of name: Bytes, in node: DirectoryTree.NodeID) -> (root: Int, path: Bytes)? {
        guard let (root, path) = tree.place(of: node) else { return nil }
        return (root, path.isEmpty ? name : path + [UInt8(ascii: "/")] + name)
    }

    /// All events from before these tokens have been read.
    private mutating func passMarks(where isMeant: (Token) -> Bool) {
        for index in tokens.indices where tokens[index].closes == nil && isMeant(tokens[index]) {
            if crawl.due != nil { startCrawl() }
            tokens[index].closes = epoch
            epoch += 1
        }
    }
}
