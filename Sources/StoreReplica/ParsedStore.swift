import FileSystem
import Model
import Replica
import Stores

/// The store that was read, parsed or published last, and what was last computed for a change of it: who asks
/// whether a change is possible makes it next. Copies of a replica share it, and contents of other bytes are
/// never returned.
final class ParsedStore {
    private var content: (place: Location, content: KeyedContent)?
    /// Published, but not seen at its place yet.
    private var published: (place: Location, content: KeyedContent)?
    private var file: (digest: Digest, file: any KeyedFile)?
    private var replaced: (digest: Digest, changes: StoreChanges, bytes: [UInt8])?
    private var expressed: (document: RelativePath, bytes: [UInt8]?, changes: StoreChanges)?

    /// A larger one is read and parsed anew, and does not take up memory meanwhile.
    private static let mostBytes = 4 << 20

    // MARK: Contents

    /// What the file has, if that is known: it had it with the signature that it has now. `nil` also where
    /// two contents can have the same signature.
    ///
    /// - Parameter isClosed: Not while a program has the file open for writing.
    func content(
        of place: Location,
        _ format: KeyedFormat,
        in files: any FileSystem,
        isClosed: Bool
    ) -> KeyedContent? {
        guard files.timestampGrain == .zero, let content, content.place == place,
            format.hasType(of: content.content.file)
        else { return nil }
        let now = isClosed ? files.signature(ofClosedFile: place) : try? files.status(of: place).signature
        return now == content.content.signature ? content.content : nil
    }

    /// With another signature it has other content: who reads it next need not find that out first.
    func record(seen signature: Signature?, at place: Location) {
        if let content, content.place == place, content.content.signature != signature { self.content = nil }
    }

    func remember(_ content: KeyedContent, of place: Location) {
        self.content = content.bytes.count > Self.mostBytes ? nil : (place, content)
    }

    /// It gets another signature when it is renamed to its place.
    func remember(published bytes: [UInt8], as staged: Staged, _ format: KeyedFormat) {
        (content, published) = (nil, nil)
        guard bytes.count <= Self.mostBytes, let file = try? format.parse(bytes) else { return }
        let signature = staged.signature
        let content = KeyedContent(
            bytes: bytes,
            digest: staged.digest,
            signature: signature,
            file: file,
            manifest: signature
        )
        published = (staged.target, content)
    }

    /// The file that was published is at its place with this signature.
    func record(_ signature: Signature, ofPublished place: Location) {
        guard let published, published.place == place else { return }
        var content = published.content
        self.published = nil
        guard signature.isRenamed(content.signature) else { return }
        (content.signature, content.manifest) = (signature, signature)
        remember(content, of: place)
    }

    // MARK: Parsing and writing

    func file(
        _ bytes: [UInt8],
        _ digest: Digest,
        _ format: KeyedFormat
    ) throws(StoreFault) -> any KeyedFile {
        if let file, file.digest == digest, format.hasType(of: file.file) { return file.file }
        let parsed = try format.parse(bytes)
        file = bytes.count > Self.mostBytes ? nil : (digest, parsed)
        return parsed
    }

    /// The bytes of a file that has this digest, with these changes.
    func bytes(
        of file: any KeyedFile,
        _ digest: Digest,
        replacing changes: StoreChanges
    ) throws(StoreFault) -> [UInt8] {
        if let replaced, replaced.digest == digest, replaced.changes == changes { return replaced.bytes }
        let bytes = try file.replacing(changes)
        replaced = bytes.count > Self.mostBytes ? nil : (digest, changes, bytes)
        return bytes
    }

    /// What to write for these bytes of a document.
    func changes(
        of path: RelativePath,
        _ document: KeyedDocument,
        to bytes: [UInt8]?
    ) throws(StoreProblem) -> StoreChanges {
        if let expressed, expressed.document == path, expressed.bytes == bytes { return expressed.changes }
        let changes = try document.changes(bytes)
        expressed = (bytes?.count ?? 0) > Self.mostBytes ? nil : (path, bytes, changes)
        return changes
    }

    /// Called when a change is made: the next one is another.
    func forgetChange() { (replaced, expressed) = (nil, nil) }
}

extension KeyedFormat {
    /// Whether it would parse a file to this type.
    fileprivate func hasType(of file: any KeyedFile) -> Bool { type(of: file) == type(of: empty()) }
}

extension FileSystem {
    /// The file's signature, if no program has it open for writing. One that has closed it by now changed it
    /// before, which the signature shows.
    func signature(ofClosedFile file: Location) -> Signature? {
        guard let handle = try? open(file) else { return nil }
        defer { close(handle) }
        if isOpenForWriting(handle) == true { return nil }
        return try? status(of: handle).signature
    }
}
