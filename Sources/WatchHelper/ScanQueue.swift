// SPDX-License-Identifier: GPL-2.0-only

/// How a directory is scanned.
struct ScanMode {
    /// Reports its files: the directory is new.
    var reportsFiles: Bool
    /// Scans known subdirectories, too.
    var deep: Bool
    /// Reports new subdirectories. False at the start, before the client has read anything.
    var reportsNew: Bool

    static let start = ScanMode(reportsFiles: false, deep: true, reportsNew: false)
    static let new = ScanMode(reportsFiles: true, deep: true, reportsNew: true)
    static let again = ScanMode(reportsFiles: false, deep: true, reportsNew: true)
    static let shallow = ScanMode(reportsFiles: false, deep: false, reportsNew: true)

    var ofNew: ScanMode { reportsNew ? .new : self }
}

/// A directory to scan.
struct Scan {
    enum Work {
        /// All entries of the directory.
        case list
        /// The subdirectories with these names, if they exist.
        case look([Bytes])
    }

    let node: DirectoryTree.NodeID
    let work: Work
    let mode: ScanMode
    /// All scans of an epoch were caused by events from before the same token.
    let epoch: Int
}

/// The pending scans: older epochs first, so that a flood of new events does not delay a token.
struct ScanQueue {
    private var lanes: [(epoch: Int, scans: [Scan])] = []
    private var single: Set<Key> = []

    private struct Key: Hashable {
        let node: DirectoryTree.NodeID
        let name: Bytes
    }

    var isEmpty: Bool { lanes.isEmpty }

    /// The current epoch; all older ones are done.
    var oldestEpoch: Int? { lanes.first?.epoch }

    mutating func push(_ scan: Scan) {
        if let index = lanes.firstIndex(where: { $0.epoch >= scan.epoch }) {
            if lanes[index].epoch == scan.epoch {
                lanes[index].scans.append(scan)
            } else {
                lanes.insert((scan.epoch, [scan]), at: index)
            }
        } else {
            lanes.append((scan.epoch, [scan]))
        }
    }

    /// Adds one name because of an event, unless its scan is pending already.
    mutating func push(_ name: Bytes, in node: DirectoryTree.NodeID, epoch: Int) {
        guard single.insert(Key(node: node, name: name)).inserted else { return }
        push(Scan(node: node, work: .look([name]), mode: .shallow, epoch: epoch))
    }

    mutating func pop() -> Scan? {
        guard let scan = lanes.first?.scans.last else { return nil }
        lanes[0].scans.removeLast()
        if lanes[0].scans.isEmpty { lanes.removeFirst() }
        if case .look(let names) = scan.work, names.count == 1 {
            single.remove(Key(node: scan.node, name: names[0]))
        }
        return scan
    }
}
