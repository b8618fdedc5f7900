import DirectoryReplica
import FileSystem
import Model
import Replica

/// Replaces a document in a faulty way.
struct RenamingFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    enum Mistake {
        /// Exchanges, and exchanges back if the displaced content is not the one that it had read.
        case swapsBack
        /// Removes the old name before it renames the new file.
        case unlinks
        /// Notifies subscribers first.
        case notifiesFirst
    }

    let base: InterposedFileSystem<G>
    let mistake: Mistake

    init(_ base: InterposedFileSystem<G>, _ mistake: Mistake) {
        self.base = base
        self.mistake = mistake
    }

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        guard isContainerDocument(to) else { return try base.rename(from, to: to, mode) }
        switch mistake {
        case .notifiesFirst:
            if to.root == .group { base.notify(of: to.path, as: try content(from)) }
            try base.rename(from, to: to, mode)
        case .swapsBack:
            try base.rename(from, to: to, mode)
            if mode == .exchange { try swapBack(from, to) }
        case .unlinks:
            guard mode == .exchange, let aside = from.path.sibling(from.path.name + "1") else {
                return try base.rename(from, to: to, mode)
            }
            let place = Location(from.root, aside)
            try base.rename(to, to: place, .exclusive)
            try base.rename(from, to: to, .exclusive)
            try base.rename(place, to: from, .exclusive)
        }
    }

    private func swapBack(_ from: Location, _ to: Location) throws(FileError) {
        guard let name = TemporaryName(from.path.name), !name.isExpected(Digest(of: try content(from))) else {
            return
        }
        try base.rename(from, to: to, .exchange)
        throw .missing(to)
    }

    private func content(_ file: Location) throws(FileError) -> [UInt8] {
        let handle = try base.open(file)
        defer { base.close(handle) }
        return try base.read(handle, limit: .max)
    }
}
