import Model

/// A disk as it was, to go back to: a world that many runs begin from is made only once.
extension SimulatedDisk {
    package struct Snapshot {
        fileprivate let standing: RootNodes
        fileprivate let numbers: InodeNumbers
        fileprivate let now: Int64
        fileprivate let lastStamp: Int64
        fileprivate let born: Int
    }

    /// Everything is on the platter from here on, and nothing may be open.
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
        unsyncedNames = []
        unsyncedFiles = [:]
        powerCuts = 0
        isDead = false
    }
}

extension SimulatedDisk.Node {
    /// With all that is beneath it; a file with two names becomes two files.
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
