import FileSystem
package import Model

// What survives a power cut.
//
// A write, rename or removal is at first only in the kernel's memory. `sync` of a file makes its content
// durable, but not its name; `sync` of a directory makes its names durable, but not the contents of the
// files. For the rest, the generator decides whether a power cut keeps, drops or tears it:
//
// - each write of a file by itself, independently of its order, and it may be torn;
//
// - for a directory, a prefix of its changes, as journalling file systems keep them in order. One call is one
// item even if it changes two directories: a rename is never half done.
//
// So after a cut a file may be empty, have its old name and its new bytes, or be gone.
extension SimulatedDisk {
    package func sync(_ handle: Handle) throws(FileError) {
        if let fault = step(.sync, handle.file) {
            // The kernel treats data that it failed to write as clean: a second sync succeeds although the
            // data is lost.
            if !isDead { handle.node.unsynced = [] }
            throw .system(errno: fault.number, .sync, handle.file)
        }
        assertOpen(handle)
        settle(handle.node)
    }

    package func sync(_ directory: Directory) throws(FileError) {
        try enter(.syncDirectory, directory)
        let node = try node(of: directory)
        settle(node)
        settleNames(of: node)
    }

    func settleNames(of directory: Node) { unsyncedNames.take(of: directory.age).forEach(settle) }

    /// Makes everything durable, as the kernel does after thirty seconds.
    package func writeBack() {
        for node in unsyncedFiles.values { settle(node) }
        unsyncedNames.items.forEach(settle)
        unsyncedNames = UnsyncedNames()
    }

    func settle(_ node: Node) {
        for change in node.unsynced { change.apply(to: &node.synced) }
        node.unsynced = []
        unsyncedFiles[node.age] = nil
    }

    private func settle(_ item: [NameChange]) {
        for change in item { change.directory.syncedEntries[change.name] = change.node }
    }
}

// MARK: - Power cut

extension SimulatedDisk {
    /// What happened to the changes that were not synced.
    package struct Losses: Hashable, Sendable {
        package var kept = 0
        package var dropped = 0
        package var torn = 0
    }

    /// Cuts the power: every process ends, and unsynced changes are lost at random. The fraction that
    /// survives is drawn first, so that all and nothing occur as often as a mixture.
    @discardableResult
    package func powerCut(choosing generator: inout some RandomNumberGenerator) -> Losses {
        kill()
        powerCuts += 1
        var losses = Losses()
        let odds = Int.random(in: 0...4, using: &generator)
        cutNames(odds, &losses, &generator)
        let survivors = reachable()
        for node in survivors { cut(node, odds, &losses, &generator) }
        rebuild(from: survivors)
        return losses
    }

    private func cutNames(_ odds: Int, _ losses: inout Losses, _ generator: inout some RandomNumberGenerator)
    {
        var ended: Set<Int> = []
        for item in unsyncedNames.items {
            let directories = item.map(\.directory.age)
            let isOpen = directories.allSatisfy { !ended.contains($0) }
            if isOpen && Int.random(in: 0..<4, using: &generator) < odds {
                settle(item)
                losses.kept += 1
            } else {
                ended.formUnion(directories)
                losses.dropped += 1
            }
        }
        unsyncedNames = UnsyncedNames()
    }

    private func cut(
        _ node: Node,
        _ odds: Int,
        _ losses: inout Losses,
        _ generator: inout some RandomNumberGenerator
    ) {
        for change in node.unsynced {
            let isMixed = 1...3 ~= odds
            if case .write(let offset, let bytes) = change, isMixed,
                Int.random(in: 0..<4, using: &generator) == 0
            {
                FileChange.write(at: offset, torn(bytes, &generator)).apply(to: &node.synced)
                losses.torn += 1
            } else if Int.random(in: 0..<4, using: &generator) < odds {
                change.apply(to: &node.synced)
                losses.kept += 1
            } else {
                losses.dropped += 1
            }
        }
    }

    /// A prefix, followed by nothing, zeros, or the previous durable bytes.
    private func torn(_ bytes: [UInt8], _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        let whole = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        let rest = bytes.count - whole
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return Array(bytes.prefix(whole))
        case 1: return bytes.prefix(whole) + Array(repeating: 0, count: rest)
        default:
            let garbage = (0..<rest).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            return bytes.prefix(whole) + garbage
        }
    }

    /// Every node that still has a durable name, each once, in an order that does not depend on hashing.
    private func reachable() -> [Node] {
        var found: [Node] = Root.allCases.compactMap { standing[$0] }
        var seen = Set(found.map(\.age))
        var index = 0
        while index < found.count {
            for (_, node) in found[index].syncedEntries.sorted(by: { $0.key < $1.key })
            where seen.insert(node.age).inserted {
                found.append(node)
            }
            index += 1
        }
        return found
    }

    private func rebuild(from survivors: [Node]) {
        unsyncedFiles = [:]
        for node in survivors {
            node.content = node.synced
            node.entries = node.syncedEntries
            node.unsynced = []
            node.openings = 0
            node.writers = 0
            node.links = 0
        }
        for node in standing.values { node.links = 1 }
        for node in survivors { for child in node.entries.values { child.links += 1 } }
        numbers = InodeNumbers(inUse: survivors)
    }
}

extension SimulatedDisk.InodeNumbers {
    /// After a cut, a file that came back gets a new inode number if its own was reused.
    init(inUse nodes: [SimulatedDisk.Node]) {
        self.init()
        next = (nodes.map(\.number).max() ?? next) + 1
        var taken: Set<UInt64> = []
        for node in nodes where !taken.insert(node.number).inserted { node.number = take(reusing: false) }
    }
}
