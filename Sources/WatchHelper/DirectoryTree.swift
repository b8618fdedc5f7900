// SPDX-License-Identifier: GPL-2.0-only

/// The watched directories and their locations; pure bookkeeping.
///
/// A node is a location: a name in a parent. A watch belongs to an inode, and has one location, or several if
/// directories from the command line are inside each other, or a mount shows one directory twice. A rename
/// moves one node with all nodes below it. A node whose location is unknown waits in *limbo*, as it may
/// reappear elsewhere.
struct DirectoryTree {
    typealias NodeID = Int

    struct Node {
        let root: Int
        let identity: Identity
        /// The kernel's watch; `nil` once the kernel has removed it.
        var watch: Int32?
        var parent: NodeID?
        var name: Bytes
        var children: [Bytes: NodeID] = [:]
    }

    struct Watch {
        let identity: Identity
        var places: [NodeID]
    }

    private(set) var nodes: [NodeID: Node] = [:]
    private(set) var watches: [Int32: Watch] = [:]
    private(set) var limbo: Set<NodeID> = []
    private var watchOf: [Identity: Int32] = [:]
    private var nextID = 0

    /// The kernel's watch on that inode.
    func watch(on identity: Identity) -> Int32? { watchOf[identity] }

    func child(_ name: Bytes, of parent: NodeID) -> NodeID? { nodes[parent]?.children[name] }

    /// The location of a node: its root, and its path there, which is empty for the root itself. `nil` in
    /// limbo.
    func place(of node: NodeID) -> (root: Int, path: Bytes)? {
        var names: [Bytes] = []
        var top = node
        while let current = nodes[top], let parent = current.parent {
            names.append(current.name)
            top = parent
        }
        guard let root = nodes[top]?.root, !limbo.contains(top) else { return nil }
        return (root, Bytes(names.reversed().joined(separator: [UInt8(ascii: "/")])))
    }

    func isInside(_ node: NodeID, _ ancestor: NodeID) -> Bool {
        var current: NodeID? = node
        while let here = current {
            if here == ancestor { return true }
            current = nodes[here]?.parent
        }
        return false
    }

    // MARK: Changes

    /// Adds a location for a watch. `parent` is `nil` for a root.
    mutating func attach(
        _ name: Bytes,
        to parent: NodeID?,
        root: Int,
        watch: Int32,
        identity: Identity
    ) -> NodeID {
        nextID += 1
        let id = nextID
        nodes[id] = Node(root: root, identity: identity, watch: watch, parent: parent, name: name)
        if let parent {
            precondition(nodes[parent]?.children[name] == nil, "two directories in one place")
            nodes[parent]?.children[name] = id
        }
        watches[watch, default: Watch(identity: identity, places: [])].places.append(id)
        watchOf[identity] = watch
        return id
    }

    /// Moves a node with all nodes below it to limbo.
    mutating func detach(_ node: NodeID) {
        if let parent = nodes[node]?.parent, let name = nodes[node]?.name {
            nodes[parent]?.children[name] = nil
        }
        nodes[node]?.parent = nil
        limbo.insert(node)
    }

    /// Moves a node, from limbo or another location, with all nodes below it, to a free location.
    mutating func move(_ node: NodeID, to parent: NodeID, as name: Bytes) {
        precondition(!isInside(parent, node), "a directory inside itself")
        precondition(nodes[parent]?.children[name] == nil, "two directories in one place")
        detach(node)
        limbo.remove(node)
        nodes[node]?.parent = parent
        nodes[node]?.name = name
        nodes[parent]?.children[name] = node
    }

    /// Forgets a watch that the kernel removed. Its nodes stay until they are scanned.
    mutating func forget(watch: Int32) -> [NodeID] {
        guard let record = watches.removeValue(forKey: watch) else { return [] }
        if watchOf[record.identity] == watch { watchOf[record.identity] = nil }
        for place in record.places { nodes[place]?.watch = nil }
        return record.places
    }

    /// Removes all nodes in limbo; returns the watches without a location, the deepest first.
    mutating func purgeLimbo() -> [Int32] {
        guard !limbo.isEmpty else { return [] }
        var orphans: [Int32] = []
        for node in limbo.sorted() { orphans += drop(node) }
        limbo.removeAll()
        return orphans
    }

    private mutating func drop(_ top: NodeID) -> [Int32] {
        var parentsFirst = [top]
        var index = 0
        while index < parentsFirst.count {
            if let children = nodes[parentsFirst[index]]?.children.values {
                parentsFirst += children.sorted()
            }
            index += 1
        }
        return parentsFirst.reversed().compactMap { dropOne($0) }
    }

    private mutating func dropOne(_ id: NodeID) -> Int32? {
        guard let watch = nodes.removeValue(forKey: id)?.watch else { return nil }
        watches[watch]?.places.removeAll { $0 == id }
        guard watches[watch]?.places.isEmpty == true else { return nil }
        _ = forget(watch: watch)
        return watch
    }
}
