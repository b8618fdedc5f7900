// SPDX-License-Identifier: GPL-2.0-only

/// How a directory is scanned.
struct ScanMode {
    /// Its files are told of: nobody knew it before.
    var tellsFiles: Bool
    /// Directories in it that are known already are scanned too.
    var deep: Bool
    /// New directories in it are told of. Not so at the start, when the client has looked at nothing yet.
    var tellsNew: Bool

    static let start = ScanMode(tellsFiles: false, deep: true, tellsNew: false)
    static let new = ScanMode(tellsFiles: true, deep: true, tellsNew: true)
    static let again = ScanMode(tellsFiles: false, deep: true, tellsNew: true)
    static let shallow = ScanMode(tellsFiles: false, deep: false, tellsNew: true)

    var ofNew: ScanMode { tellsNew ? .new : self }
}

/// Something to look at on the disk.
struct Scan {
    enum Work {
        /// All that is in the directory.
        case list
        /// The directories of these names in it, if there are any.
        case look([Bytes])
    }

    let node: DirectoryTree.NodeID
    let work: Work
    let mode: ScanMode
    /// Scans of one epoch were caused by what was queued before one token.
    let epoch: Int
}

/// What is still to be looked at: older epochs first, so that a flood of new work never keeps a token
/// waiting.
struct ScanQueue {
    private var lanes: [(epoch: Int, scans: [Scan])] = []
    private var single: Set<Key> = []

    private struct Key: Hashable {
        let node: DirectoryTree.NodeID
        let name: Bytes
    }

    var isEmpty: Bool { lanes.isEmpty }

    /// The epoch that is worked on; everything older is done.
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

    /// One name, because of an event; nothing where that is still to be looked at anyway.
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
