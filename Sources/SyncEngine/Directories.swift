package import Reconciliation
import Storage

/// A directory is made where a document needs it, and removed only if the bridge made it and it is empty.
extension Engine {
    mutating func makeDirectories(above file: Location) throws(FileError) {
        guard let directory = file.path.directory else { return }
        let place = Location(file.root, directory)
        do {
            try makeOne(place)
        } catch .missing {
            try makeDirectories(above: place)
            try makeOne(place)
        } catch .noDirectory(let missing) where missing.path != nil {
            try makeDirectories(above: place)
            try makeOne(place)
        }
    }

    private mutating func makeOne(_ place: Location) throws(FileError) {
        do {
            try files.makeDirectory(place)
        } catch .exists {
            return
        }
        guard let side = place.side else { return }
        do throws(FileError) {
            try takeOver(place, from: side.other)
            if settings.durability.syncsDirectories { try files.sync(place.directory) }
        } catch {
            // Whoever finds it there would take it for finished, and synced.
            try? files.removeDirectory(place)
            throw error
        }
        made[side].insert(place.path)
        madeDirectoryEntries.append(.madeDirectory(side, place.path))
    }

    /// Whoever may enter the directory on the other side may enter this one.
    private func takeOver(_ place: Location, from other: Side) throws(FileError) {
        let made = Directory(place.root, place.path)
        do { try files.copyAttributes(of: Directory(Root(other), place.path), to: made) } catch {
            switch error {
            // It is gone there by now.
            case .noDirectory, .missing: return
            default: throw error
            }
        }
    }

    /// Those that could not be removed when their last document went.
    mutating func removeEmptyDirectories() {
        for side in Side.allCases {
            for path in made[side].sorted().reversed() {
                if let inside = RelativePath.child(of: path, "x") {
                    removeEmptyDirectories(above: Location(side, inside))
                }
            }
        }
    }

    mutating func removeEmptyDirectories(above file: Location) {
        guard let side = file.side else { return }
        var directory = file.path.directory
        while let path = directory, made[side].contains(path) {
            do { try files.removeDirectory(Location(side, path)) } catch { return }
            made[side].remove(path)
            madeDirectoryEntries.append(.removedDirectory(side, path))
            directory = path.directory
        }
    }
}

extension Location {
    package var side: Side? {
        switch root {
        case .app: .app
        case .group: .group
        case .state: nil
        }
    }
}
