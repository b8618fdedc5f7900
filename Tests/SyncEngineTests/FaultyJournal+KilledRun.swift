import FileSystem
import FileSystemSimulation
import Model
import StateStore

/// Runs that end in the middle of a commit, as if their process had been killed.
extension FaultyJournal {
    /// The commit is made, and its base is not recorded.
    func withoutBases(_ live: () throws -> Void) rethrows {
        failsToWrite = { $0.contains { if case .agreed = $0 { true } else { false } } }
        try live()
        failsToWrite = { _ in false }
    }

    /// The commit is announced, and the process dies at its first rename on that side.
    func withDeath(atRenameOn side: Side, of disk: SimulatedDisk, _ live: () throws -> Void) rethrows {
        disk.fail = { call, place in call == .rename && place?.root == Root(side) ? .death() : nil }
        failsToWrite = { [disk] _ in disk.isDead }
        try live()
        failsToWrite = { _ in false }
        disk.fail = { _, _ in nil }
    }
}
