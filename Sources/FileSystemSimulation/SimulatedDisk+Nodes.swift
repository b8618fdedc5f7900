import FileSystem
import Model

extension SimulatedDisk {
    /// A name as stored on the disk.
    struct FileName: Hashable, Comparable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
        init(_ name: some StringProtocol) { bytes = Array(name.utf8) }

        /// Hashes the whole array at once, not byte by byte.
        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }

        func folded(onlyASCII: Bool) -> String {
            let text = String(decoding: bytes, as: UTF8.self)
            return onlyASCII
                ? String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 }) : text.lowercased()
        }

        static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
    }

    /// The parts of a file that a sync makes durable.
    struct Content {
        var data: [UInt8] = []
        var mode: UInt32
        var owner: UInt32
        var ownerGroup: UInt32
        var attributes: [String: [UInt8]] = [:]

        init(mode: UInt32, owner: UInt32, ownerGroup: UInt32) {
            self.mode = mode
            self.owner = owner
            self.ownerGroup = ownerGroup
        }
    }

    /// One change of a file, which a power cut keeps, drops or tears.
    enum FileChange {
        case write(at: Int, [UInt8])
        case truncate(to: Int)
        case mode(UInt32)
        case owner(UInt32, UInt32)
        case attribute(String, [UInt8])

        func apply(to content: inout Content) {
            switch self {
            case .write(0, let bytes) where content.data.isEmpty: content.data = bytes
            case .write(let offset, let bytes):
                content.resize(to: max(offset, content.data.count))
                let rest = content.data.dropFirst(offset + bytes.count)
                content.data = content.data.prefix(offset) + bytes + rest
            case .truncate(let size): content.resize(to: size)
            case .mode(let mode): content.mode = mode
            case .owner(let owner, let group): (content.owner, content.ownerGroup) = (owner, group)
            case .attribute(let name, let value): content.attributes[name] = value
            }
        }
    }

    /// `name` in `directory` now refers to `node`, or to nothing. Changes of one call are one item.
    struct NameChange {
        let directory: Node
        let name: FileName
        let node: Node?
    }

    /// The node of each root, if it exists.
    struct RootNodes {
        private var app, group, state: Node?

        subscript(root: Root) -> Node? {
            get {
                switch root {
                case .app: app
                case .group: group
                case .state: state
                }
            }
            set {
                switch root {
                case .app: app = newValue
                case .group: group = newValue
                case .state: state = newValue
                }
            }
        }

        var values: [Node] { [app, group, state].compactMap(\.self) }

        func map(_ transform: (Node) -> Node) -> RootNodes {
            var result = RootNodes()
            for root in Root.allCases { result[root] = self[root].map(transform) }
            return result
        }
    }

    /// An inode.
    final class Node {
        /// Increases with every node and is never reused, unlike `number`, so it defines an order.
        let age: Int
        var number: UInt64
        let kind: FileKind
        let device: UInt64
        var content: Content
        /// Only for directories.
        var entries: [FileName: Node] = [:]
        var modified: Int64
        var changed: Int64
        var links = 0
        /// By the bridge or by other processes.
        var openings = 0
        var writers = 0
        /// Another file system is mounted here.
        var isMountPoint = false

        /// The least that survives a power cut.
        var synced: Content
        var syncedEntries: [FileName: Node] = [:]
        /// The changes from `synced` to `content`, oldest first.
        var unsynced: [FileChange] = []

        init(
            _ age: Int,
            _ number: UInt64,
            _ kind: FileKind,
            on device: UInt64,
            _ content: Content,
            at time: Int64
        ) {
            self.age = age
            self.number = number
            self.kind = kind
            self.device = device
            self.content = content
            synced = content
            modified = time
            changed = time
        }
    }

    /// The free inode numbers.
    struct InodeNumbers {
        var next: UInt64 = 12
        private var free: Set<UInt64> = []

        mutating func take(reusing: Bool) -> UInt64 {
            if reusing, let number = free.min() {
                free.remove(number)
                return number
            }
            next += 1
            return next - 1
        }

        mutating func give(_ number: UInt64) { free.insert(number) }
    }
}

extension SimulatedDisk.Content {
    mutating func resize(to size: Int) {
        if size < data.count {
            data.removeSubrange(size...)
        } else {
            data += [UInt8](repeating: 0, count: size - data.count)
        }
    }
}

// MARK: - Changing

extension SimulatedDisk {
    func change(_ node: Node, _ changes: [FileChange]) {
        let time = stamp()
        for change in changes {
            change.apply(to: &node.content)
            switch change {
            case .write, .truncate: node.modified = time
            case .mode, .owner, .attribute: break
            }
        }
        node.changed = time
        node.unsynced += changes
        unsyncedFiles[node.age] = node
    }

    /// Applies all changes at once, like one system call.
    func change(_ names: [NameChange]) {
        let time = stamp()
        var old: [Node] = []
        for change in names {
            if let node = change.directory.entries[change.name] {
                node.links -= 1
                old.append(node)
            }
            change.node?.links += 1
            change.directory.entries[change.name] = change.node
            change.directory.modified = time
            change.directory.changed = time
            change.node?.changed = time
        }
        for node in old {
            node.changed = time
            forgetIfUnused(node)
        }
        unsyncedNames.append(names)
    }

    /// Frees a file without a name once no process has it open. (A power cut may still restore it under a
    /// synced name; but no sync concerns it any more.)
    func forgetIfUnused(_ node: Node) {
        guard node.links == 0 && node.openings == 0 else { return }
        numbers.give(node.number)
        unsyncedFiles[node.age] = nil
    }

    func opening(_ node: Node, forWriting: Bool) {
        node.openings += 1
        if forWriting { node.writers += 1 }
    }

    func closing(_ node: Node, forWriting: Bool) {
        node.openings -= 1
        if forWriting { node.writers -= 1 }
        forgetIfUnused(node)
    }

    func release(_ handle: Handle) {
        guard let index = handles.firstIndex(where: { $0 === handle }) else { return }
        handles.remove(at: index)
        closing(handle.node, forWriting: handle.isWritable)
    }
}
