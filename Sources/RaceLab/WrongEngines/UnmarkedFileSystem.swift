import FileSystem
import Model

/// A file system without extended attributes, so that files have no publication marks.
struct UnmarkedFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    let base: InterposedFileSystem<G>

    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? { nil }
}
