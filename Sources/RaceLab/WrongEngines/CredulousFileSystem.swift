import FileSystem
import Model

/// Treats a file as unchanged although it may have changed.
struct CredulousFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    enum Mistake {
        /// Assumes that each change has a distinct timestamp.
        case trustsCoarseTimes
        /// Compares only the inode number and the size.
        case ignoresTimes
        /// Assumes that no program has a file open for writing.
        case ignoresWriters
    }

    let base: InterposedFileSystem<G>
    let mistake: Mistake

    init(_ base: InterposedFileSystem<G>, _ mistake: Mistake) {
        self.base = base
        self.mistake = mistake
    }

    var timestampGrain: Duration { mistake == .ignoresWriters ? base.timestampGrain : .zero }

    func isOpenForWriting(_ handle: Handle) -> Bool? {
        mistake == .ignoresWriters ? false : base.isOpenForWriting(handle)
    }

    func status(of file: Location) throws(FileError) -> FileStatus { blurred(try base.status(of: file)) }
    func status(of handle: Handle) throws(FileError) -> FileStatus { blurred(try base.status(of: handle)) }

    private func blurred(_ status: FileStatus) -> FileStatus {
        guard mistake == .ignoresTimes else { return status }
        var status = status
        status.signature.modified = 0
        status.signature.changed = 0
        return status
    }
}
