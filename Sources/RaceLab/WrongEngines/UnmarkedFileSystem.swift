import FileSystem
import Model

/// To files that bear no marks of what was published: as on a file system without extended attributes.
struct UnmarkedFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    let base: InterposedFileSystem<G>

    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? { nil }
}
