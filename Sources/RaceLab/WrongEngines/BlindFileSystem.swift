import FileSystem
import Model

/// Renames over a document and never examines what that displaced: it assumes the content that it had read.
///
/// It checks with `stat` one last time whether the document is unchanged. A save between that check and the
/// rename is lost nevertheless.
struct BlindFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    let base: InterposedFileSystem<G>
    private let memory = Memory()

    private final class Memory {
        var signatures: [Location: Signature] = [:]
        var contents: [Location: [UInt8]] = [:]
        /// The content that it assumes in a displaced file.
        var believed: [Location: [UInt8]] = [:]
    }

    init(_ base: InterposedFileSystem<G>) { self.base = base }

    func status(of handle: Handle) throws(FileError) -> FileStatus {
        let status = try base.status(of: handle)
        memory.signatures[handle.file] = status.signature
        return status
    }

    func read(_ handle: Handle, limit: Int) throws(FileError) -> [UInt8] {
        if let believed = memory.believed[handle.file] { return believed }
        let bytes = try base.read(handle, limit: limit)
        memory.contents[handle.file] = bytes
        return bytes
    }

    func isOpenForWriting(_ handle: Handle) -> Bool? {
        memory.believed[handle.file] == nil ? base.isOpenForWriting(handle) : false
    }

    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        try base.write(bytes, to: handle)
        memory.contents[handle.file] = bytes
    }

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        if mode == .exchange, let known = memory.signatures[to] {
            let found = try base.status(of: to).signature
            guard found.isRenamed(known) else { throw .missing(to) }
        }
        try base.rename(from, to: to, mode)
        guard isContainerDocument(to) else { return }
        if mode == .exchange { memory.believed[from] = memory.contents[to] }
        memory.contents[to] = memory.contents[from]
        memory.signatures[to] = memory.signatures[from]
    }
}
