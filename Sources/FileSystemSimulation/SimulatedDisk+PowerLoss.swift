import FileSystem
package import Model

// What is on the platter.
//
// Whatever is written, renamed or removed is at first only in the kernel's memory. `sync` of a file takes
// down what was written to it, not its name; `sync` of a directory takes down its names, not what the files
// hold. A power cut keeps, drops or tears each of the rest as it is drawn:
//
// - of a file each write by itself, whatever came before or after it, and a write may be torn;
// - of a directory a beginning: names are kept in the order they were changed in, as journalling file systems
//   keep them. One call is one item even where it touches two directories: a rename is never half done.
//
// A file can so be there, empty; or be there under its old name with its new bytes; or be gone.
extension SimulatedDisk {
    package func sync(_ handle: Handle) throws(FileError) {
        if let fault = step(.sync, handle.file) {
            // What could not be written is taken for clean from then on: a second sync succeeds, and is a
            // lie.
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

    /// The kernel has had its thirty seconds: everything is on the platter.
    package func writeBack() {
        for node in unsyncedFiles.values { settle(node) }
        unsyncedNames.forEach(settle)
        unsyncedNames = []
    }

    func settle(_ node: Node) {
        for change in node.unsynced { change.apply(to: &node.synced) }
        node.unsynced = []
        unsyncedFiles[node.age] = nil
    }

    private func settle(_ item: [NameChange]) {
        for change in item { change.directory.syncedEntries[change.name] = change.node }
    }

    /// Its own items, and for each of those that touches another directory, what came before it there.
    func settleNames(of directory: Node) {
        var reached: Set<Int> = [directory.age]
        var isReached = Array(repeating: false, count: unsyncedNames.count)
        for (place, item) in unsyncedNames.enumerated().reversed() {
            guard item.contains(where: { reached.contains($0.directory.age) }) else { continue }
            isReached[place] = true
            reached.formUnion(item.map(\.directory.age))
        }
        for (item, isReached) in zip(unsyncedNames, isReached) where isReached { settle(item) }
        unsyncedNames = zip(unsyncedNames, isReached).filter { !$0.1 }.map(\.0)
    }
}

// MARK: - The cut

extension SimulatedDisk {
    /// What became of the changes that no sync had reached.
    package struct Losses: Hashable, Sendable {
        package var kept = 0
        package var dropped = 0
        package var torn = 0
    }

    /// The power goes and comes back: every process is gone, ours and the world's, and so is whatever is
    /// drawn. How much survives at all is drawn first, so that all and nothing come up as often as a mixture.
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
        for item in unsyncedNames {
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
        unsyncedNames = []
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

    /// A beginning; then nothing, zeros, or what lay on the platter before.
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

    /// Everything the platter still has a name for, each once, in an order that does not depend on a hash.
    private func reachable() -> [Node] {
        var found: [Node] = Root.allCases.compactMap { standing[$0] }
        var seen = Set(found.map(\.age))
        var place = 0
        while place < found.count {
            for (_, node) in found[place].syncedEntries.sorted(by: { $0.key < $1.key })
            where seen.insert(node.age).inserted {
                found.append(node)
            }
            place += 1
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
    /// After a cut: a file that came back may have lost its number to a later one, and gets a new one.
    init(inUse nodes: [SimulatedDisk.Node]) {
        self.init()
        next = (nodes.map(\.number).max() ?? next) + 1
        var taken: Set<UInt64> = []
        for node in nodes where !taken.insert(node.number).inserted { node.number = take(reusing: false) }
    }
}
