import DirectoryReplica
import Documents
import FileSystem
import Model
import Replica
import SyncEngine

/// A simple approach of many teams: copies a changed file to the other side, the app's side first.
///
/// It copies half-written files, and overwrites content that it has not read.
final class Copier<G: RaceBackend>: BridgeUnderTest {
    private let files: InterposedFileSystem<G>
    private let documents: [RelativePath]
    private var dirty: Set<RelativePath> = []
    private var last: [Location: Digest] = [:]
    private var sequence: Int64 = 0

    init(_ files: InterposedFileSystem<G>, _ documents: [RelativePath]) {
        self.files = files
        self.documents = documents
    }

    var deadline: Duration? { dirty.isEmpty ? nil : .zero }
    func markDirty(_ path: RelativePath) { dirty.insert(path) }
    func markAllDirty(at now: Moment) { dirty.formUnion(documents) }

    func turn(at now: Moment) -> Turn {
        var turn = Turn()
        for path in dirty.sorted() {
            dirty.remove(path)
            for side in Side.allCases {
                guard let bytes = try? content(Location(side, path)) else { continue }
                let digest = Digest(of: bytes)
                guard last[Location(side, path)] != digest else { continue }
                try? copy(bytes, to: Location(side.other, path))
                for each in Side.allCases { last[Location(each, path)] = digest }
                turn.notices.append(notice(path, digest, now))
                break
            }
        }
        return turn
    }

    private func content(_ file: Location) throws(FileError) -> [UInt8] {
        let handle = try files.open(file)
        defer { files.close(handle) }
        return try files.read(handle, limit: .max)
    }

    private func copy(_ bytes: [UInt8], to file: Location) throws(FileError) {
        guard let path = file.path.sibling(TemporaryName.prefix + "copy") else { return }
        for directory in file.directories { try? files.makeDirectory(directory) }
        let temporary = Location(file.root, path)
        let handle = try files.create(temporary)
        defer { files.close(handle) }
        try files.write(bytes, to: handle)
        try files.rename(temporary, to: file, .replace)
    }

    private func notice(_ path: RelativePath, _ digest: Digest, _ now: Moment) -> Notice {
        sequence += 1
        return Notice(
            sequence: sequence,
            kind: path.description,
            document: path,
            generation: sequence,
            hash: digest,
            cause: .app,
            at: now.unixMilliseconds
        )
    }

    func put(
        _ bytes: [UInt8],
        as path: RelativePath,
        on side: Side,
        over expected: Digest?,
        at now: Moment
    ) -> Bool {
        (try? copy(bytes, to: Location(side, path))) != nil
    }

    func isHeld(_ path: RelativePath) -> Bool { false }
    func rule(for path: RelativePath) -> DocumentRule? { nil }
    func agreed(_ path: RelativePath, on side: Side) -> Digest? { last[Location(side, path)] }
}
