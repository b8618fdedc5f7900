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
        if settings.durability.syncsDirectories {
            do throws(FileError) {
                try files.sync(place.directory)
            } catch {
                // Whoever finds it there would take it for synced.
                try? files.removeDirectory(place)
                throw error
            }
        }
        made[side].insert(place.path)
        madeDirectoryEntries.append(.madeDirectory(side, place.path))
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
