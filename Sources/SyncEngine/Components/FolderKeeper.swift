import DirectoryReplica
package import FileSystem
package import Model

/// Makes the directories that documents need, and removes them once they are empty: only those that the
/// bridge has made.
///
/// Owns which directories it has made, which may have become empty, in which a name was changed that may not
/// survive a power cut yet, and which fold case. It needs the disk, and no journal: what is to be kept beyond
/// this run waits in `takeChanges`.
package struct FolderKeeper: Sendable {
    package var caseFolding = CaseFolding()
    private var made: BothSides<Set<RelativePath>>
    private var changes: [Change] = []
    /// Files that were taken out of directories that may be empty now.
    private var emptied: [Location] = []
    /// Directories in which a name was changed that may not survive a power cut yet.
    private var unsynced: Set<Directory> = []
    /// Else no directory is ever synced.
    private let syncs: Bool

    /// What became of a directory.
    package enum Change: Sendable, Hashable {
        case made(Side, RelativePath)
        case removed(Side, RelativePath)
    }

    /// `made`: by earlier runs.
    package init(made: BothSides<Set<RelativePath>> = BothSides(app: [], group: []), syncs: Bool) {
        self.made = made
        self.syncs = syncs
    }

    /// What has become of directories since this was asked last.
    package mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    // MARK: Making

    package mutating func makeDirectories(
        above file: Location,
        in files: any FileSystem
    ) throws(FileError) {
        guard let directory = file.path.directory else { return }
        let place = Location(file.root, directory)
        do {
            try make(place, in: files)
        } catch .missing {
            try makeDirectories(above: place, in: files)
            try make(place, in: files)
        } catch .noDirectory(let missing) where missing.path != nil {
            try makeDirectories(above: place, in: files)
            try make(place, in: files)
        }
    }

    private mutating func make(_ place: Location, in files: any FileSystem) throws(FileError) {
        do {
            try files.makeDirectory(place)
        } catch .exists {
            return
        }
        guard let side = place.side else { return }
        do throws(FileError) {
            try Self.takeOver(place, from: side.other, in: files)
            if syncs { try files.sync(place.directory) }
        } catch {
            // Whoever finds it there would take it for finished, and synced.
            try? files.removeDirectory(place)
            throw error
        }
        made[side].insert(place.path)
        changes.append(.made(side, place.path))
    }

    /// Whoever may enter the directory on the other side may enter this one.
    private static func takeOver(
        _ place: Location,
        from other: Side,
        in files: any FileSystem
    ) throws(FileError) {
        let made = Directory(place.root, place.path)
        do { try files.copyAttributes(of: Directory(Root(other), place.path), to: made) } catch {
            switch error {
            // It is gone there by now.
            case .noDirectory, .missing: return
            default: throw error
            }
        }
    }

    // MARK: Removing

    /// A file was taken out of its directory, or did not come into it.
    package mutating func note(emptied file: Location) { emptied.append(file) }

    package var mayBeEmpty: Bool { !emptied.isEmpty }

    /// Those that something was taken out of: once for each directory, not for each of its files, for some
    /// file systems read all of it to tell.
    package mutating func removeEmptied(in files: any FileSystem) {
        var tried: Set<Directory> = []
        for place in emptied where tried.insert(place.directory).inserted {
            if let side = place.side { removeEmpty(place.path.directory, on: side, in: files) }
        }
        emptied.removeAll(keepingCapacity: true)
    }

    /// Those that could not be removed when their last document went.
    package mutating func removeEmpty(in files: any FileSystem) {
        for side in Side.allCases {
            for path in made[side].sorted().reversed() { removeEmpty(path, on: side, in: files) }
        }
    }

    private mutating func removeEmpty(
        _ directory: RelativePath?,
        on side: Side,
        in files: any FileSystem
    ) {
        var directory = directory
        while let path = directory, made[side].contains(path) {
            do { try files.removeDirectory(Location(side, path)) } catch { return }
            made[side].remove(path)
            changes.append(.removed(side, path))
            directory = path.directory
        }
    }

    /// In order of their names.
    package func made(on side: Side) -> [RelativePath] { made[side].sorted() }

    /// Another directory is the container of that side from now on: what is in it is not ours to remove.
    package mutating func forget(_ side: Side) { made[side] = [] }

    // MARK: Syncing

    package mutating func note(changedName file: Location) { note(unsynced: file.directory) }

    /// A name may have been changed there by a run that ended before this.
    package mutating func note(unsynced directory: Directory) { if syncs { unsynced.insert(directory) } }

    /// `isDue`: also where no name was changed.
    package mutating func sync(
        _ directory: Directory,
        isDue: Bool,
        in files: any FileSystem
    ) throws(FileError) {
        guard syncs, isDue || unsynced.contains(directory) else { return }
        do {
            try files.sync(directory)
        } catch .missing, .noDirectory {
            // It went with its last document.
        }
        unsynced.remove(directory)
    }
}
