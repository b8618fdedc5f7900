import DirectoryReplica
import FileSystem
import Model
import Replica
import StateStore

/// Records a base as soon as the first of two sides is written; writes the second one, unless it is killed
/// before.
struct RecordingFileSystem<G: RaceBackend>: ForwardingFileSystem {
    typealias Handle = InterposedFileSystem<G>.Handle

    let base: InterposedFileSystem<G>
    private let journal: LabJournal
    private let staged = Staged()

    /// The staged contents, by the temporary file's location.
    private final class Staged { var contents: [Location: [UInt8]] = [:] }

    init(_ base: InterposedFileSystem<G>, _ journal: LabJournal) {
        self.base = base
        self.journal = journal
    }

    func write(_ bytes: [UInt8], to handle: Handle) throws(FileError) {
        try base.write(bytes, to: handle)
        staged.contents[handle.file] = bytes
    }

    func rename(_ from: Location, to: Location, _ mode: RenameMode) throws(FileError) {
        try base.rename(from, to: to, mode)
        defer { staged.contents[from] = nil }
        guard isContainerDocument(to), to.root == .app, mode == .exchange, let app = staged.contents[from],
            let group = waiting(for: to.path), let known = journal.record(of: to.path)
        else { return }
        let bytes = BothSides(app: app, group: group)
        let record = DocumentRecord(
            generation: known.generation + 1,
            sides: bytes.map { SideRecord(digest: Digest(of: $0), signature: nil, version: nil) }
        )
        let content = BaseContent(newest: app, sides: bytes.map { $0 == app ? nil : $0 })
        try? journal.record([.agreed(to.path, record, content)])
    }

    /// The content that is still to be published on the group's side.
    private func waiting(for document: RelativePath) -> [UInt8]? {
        staged.contents.first { place, _ in
            place.root == .group && TemporaryName(place.path.name)?.belongs(to: document) == true
        }?.value
    }
}
