package import FileSystem
package import Model
package import Replica

/// Makes the directories that documents need, and removes them once they are empty: only those that the
/// bridge made.
///
/// It keeps which directories it made, and which have renames that are not synced yet. `takeChanges` returns
/// what the journal must store.
package struct FolderKeeper: Sendable {
    private let side: Side
    package private(set) var made: Set<RelativePath>
    private var changes: [DirectoryChange] = []
    /// Directories with renames that are not synced, and may not survive a power cut.
    private var unsynced: Set<Directory> = []
    /// `false`: no directory is ever synced.
    private let syncs: Bool

    /// `made`: the directories that earlier runs made.
    package init(_ side: Side, made: Set<RelativePath> = [], syncs: Bool) {
        self.side = side
        self.made = made
        self.syncs = syncs
    }

    /// The directories made and removed since the last call.
    package mutating func takeChanges() -> [DirectoryChange] {
        defer { changes = [] }
        return changes
    }

    // MARK: Making

    package mutating func makeDirectories(
        above path: RelativePath,
        in files: any FileSystem
    ) throws(FileError) {
        guard let directory = path.directory else { return }
        do {
            try make(directory, in: files)
        } catch .missing {
            try makeDirectories(above: directory, in: files)
            try make(directory, in: files)
        } catch .noDirectory(let missing) where missing.path != nil {
            try makeDirectories(above: directory, in: files)
            try make(directory, in: files)
        }
    }

    private mutating func make(_ path: RelativePath, in files: any FileSystem) throws(FileError) {
        let place = Location(side, path)
        do {
            try files.makeDirectory(place)
        } catch .exists {
            return
        }
        do throws(FileError) {
            try takeOver(path, in: files)
            if syncs { try files.sync(place.directory) }
        } catch {
            // Otherwise another program would take it for finished and synced.
            try? files.removeDirectory(place)
            throw error
        }
        made.insert(path)
        changes.append(.made(side, path))
    }

    /// Copies the rights of the other side's directory, or else of the one above it.
    private func takeOver(_ path: RelativePath, in files: any FileSystem) throws(FileError) {
        let made = Directory(Root(side), path)
        for model in [Directory(Root(side.other), path), Directory(Root(side), path.directory)] {
            do throws(FileError) { return try files.copyAttributes(of: model, to: made) } catch {
                switch error {
                case .noDirectory, .missing: continue
                default: throw error
                }
            }
        }
    }

    // MARK: Removing

    /// Removes those that were not empty when their last document was removed.
    package mutating func removeEmpty(in files: any FileSystem) {
        for path in made.sorted().reversed() { removeEmpty(from: path, in: files) }
    }

    /// Removes the directory and its parents.
    package mutating func removeEmpty(from directory: RelativePath?, in files: any FileSystem) {
        var directory = directory
        while let path = directory, made.contains(path) {
            do { try files.removeDirectory(Location(side, path)) } catch { return }
            made.remove(path)
            changes.append(.removed(side, path))
            directory = path.directory
        }
    }

    /// Another directory is the container now: its subdirectories were not made by the bridge.
    package mutating func forget() { made = [] }

    // MARK: Syncing

    package mutating func remember(changedName path: RelativePath) {
        if syncs { unsynced.insert(Directory(Root(side), path.directory)) }
    }

    /// `isDue`: sync even if no name was changed.
    package mutating func sync(
        _ path: RelativePath?,
        isDue: Bool,
        in files: any FileSystem
    ) throws(FileError) {
        let directory = Directory(Root(side), path)
        guard syncs, isDue || unsynced.contains(directory) else { return }
        do {
            try files.sync(directory)
        } catch .missing, .noDirectory {
            // The directory was removed with its last document.
        }
        unsynced.remove(directory)
    }
}
