import Model

/// A copy of a disk's state to return to: a world that many runs start from is built only once.
extension SimulatedDisk {
    package struct Snapshot {
        fileprivate let standing: RootNodes
        fileprivate let numbers: InodeNumbers
        fileprivate let now: Int64
        fileprivate let lastStamp: Int64
        fileprivate let born: Int
    }

    /// Makes everything durable. No file may be open.
    package func snapshot() -> Snapshot {
        precondition(handles.isEmpty, "a file is open")
        writeBack()
        return Snapshot(
            standing: standing.map { $0.copy() },
            numbers: numbers,
            now: now,
            lastStamp: lastStamp,
            born: born
        )
    }

    package func restore(_ snapshot: Snapshot) {
        standing = snapshot.standing.map { $0.copy() }
        opened = standing
        numbers = snapshot.numbers
        now = snapshot.now
        lastStamp = snapshot.lastStamp
        born = snapshot.born
        handles = []
        unsyncedNames = UnsyncedNames()
        unsyncedFiles = [:]
        powerCuts = 0
        isDead = false
    }
}

extension SimulatedDisk.Node {
    /// Copies the whole tree; a file with two names becomes two files.
    fileprivate func copy() -> SimulatedDisk.Node {
        let copy = SimulatedDisk.Node(age, number, kind, on: device, content, at: modified)
        copy.changed = changed
        copy.links = links
        copy.isMountPoint = isMountPoint
        copy.synced = synced
        copy.entries = entries.mapValues { $0.copy() }
        copy.syncedEntries = copy.entries
        return copy
    }
}
