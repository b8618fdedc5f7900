package import Model
package import Stores

/// One side of a bridge: named documents, which can be read, and replaced if they still have the expected
/// content.
///
/// A replica decides nothing and never waits. Each call names what to write and what to replace, and returns
/// a value if it cannot do so now. A replica is a value type: a dry run works on a copy.
package protocol Replica {
    var side: Side { get }
    /// Replacing yields the previous file, which is examined, so no racing save is lost.
    var exchanges: Bool { get }
    /// The same for one document. If not, events of its file do not show which programs read it either.
    func exchanges(_ path: RelativePath) -> Bool
    /// Documents are files: a new one can take over the rights of the other side's file.
    var hasFiles: Bool { get }
    /// How far apart two changes must be to get different signatures; zero if they always do.
    var timestampGrain: Duration { get }

    /// Must be called before every other method.
    mutating func begin(_ settings: ReplicaSettings)

    // MARK: Identity

    /// What is at the replica's path. `mark`: the container ID it should have; `nil` if it has none yet.
    func standing(knownBy mark: String?) -> ReplicaStanding
    /// Its container ID; `nil` if it has none, or cannot have one.
    func mark() throws(FileError) -> String?
    /// Sets the container ID, where that is possible; `mark()` shows whether it was.
    mutating func bear(_ mark: String)
    /// Opens what is at the replica's path now.
    mutating func reopen() throws(FileError)

    // MARK: Reading

    /// Lists the documents below a directory. Throws if the directory itself cannot be listed.
    mutating func list(_ directory: RelativePath?) throws(FileError) -> ReplicaListing
    /// The documents that the file at this path holds: itself, unless it is a store.
    func documents(in file: RelativePath) -> [RelativePath]
    /// Where the document is, if it is no file of its own.
    func address(of document: RelativePath) -> StoreAddress?
    /// The names in a directory that are not valid UTF-8 paths, escaped.
    func unnamable(in directory: RelativePath?) -> [String]
    func status(of place: Location) throws(FileError) -> DocumentStatus
    /// The signature of a document, without reading it; `nil` if it is absent. Where several documents share
    /// a file, it may be that of the file, although the document is not in it. `isKnown`: the document
    /// existed before, so something that hides it, such as a mount, does not make it absent.
    func signature(of path: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature?
    /// - Parameters:
    ///   - known: The probable content. If the document has it, only the signature is returned.
    ///   - seen: What `signature(of:isKnown:)` returned just before; `nil` if it was not called. A replica
    ///     whose signature is of several files need not look at them again.
    ///   - mayWait: Reject a document that a program has open for writing.
    ///   - pair: The pair of containers whose publication marks are trusted; `nil` to ignore them.
    func read(
        _ path: RelativePath,
        unless known: Digest?,
        seen: Signature?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading
    /// The documents that are composed of single values, which do not express all of a document.
    var composed: [RelativePath] { get }
    /// The content that a composed document was last in sync with: what single values do not express is
    /// taken from it.
    mutating func remember(_ bytes: [UInt8], of path: RelativePath)
    /// The bytes of any file, up to `limit`.
    func contents(of place: Location, limit: Int) throws(FileError) -> [UInt8]
    /// The signature of a document that a program has open for writing; `nil` if none has.
    func signature(ofBeingWritten path: RelativePath) -> Signature?
    /// Another document that this name leads to on a case-insensitive file system.
    func namesake(of path: RelativePath) -> RelativePath?
    /// Whether the file is a view that the bridge of this pair published, or has these bytes.
    func isView(_ path: RelativePath, of bytes: [UInt8]?, limit: Int, pair: UInt64?) throws(FileError) -> Bool

    // MARK: Writing

    /// Why this content cannot be written to the document; `nil` if it can.
    func obstacle(to bytes: [UInt8], as path: RelativePath) -> StoreProblem?
    /// Writes a new document beside its place, invisible to readers. `list` returns it until it is committed
    /// or removed: after a crash, a document whose creation was announced counts as created if its temporary
    /// file is missing. A replacement may wait in memory.
    ///
    /// Throws `.missing` or `.noDirectory` if `makeDirectories` must be called first.
    func prepare(_ write: DocumentWrite) throws(FileError) -> Staged
    /// Makes the prepared content survive a power cut.
    func sync(_ staged: Staged) throws(FileError)
    /// Removes a prepared or displaced file.
    func remove(_ place: Location) throws(FileError)
    /// Publishes a prepared content. `expected`: the content it replaces; `nil` if the document must be
    /// absent. `waits`: where an exchange is not possible, not while a program has the document open.
    mutating func commit(_ staged: Staged, over expected: Digest?, waits: Bool) throws(FileError)
        -> Publication
    /// The same for a new document whose creation is announced: if the document exists by now, the prepared
    /// file stays.
    mutating func create(_ staged: Staged) throws(FileError) -> Publication
    /// Whether a document with this signature is unchanged since it was committed.
    func isUnchanged(_ seen: Signature, since staged: Staged) -> Bool
    /// Removes a document; its file is at the returned location. `nil` if it was absent already.
    mutating func displace(_ path: RelativePath, expected: Digest, number: UInt64) throws(FileError)
        -> Location?
    /// Renames a document to a free name.
    func move(_ old: RelativePath, to new: RelativePath) throws(FileError)

    // MARK: Displaced files

    /// Reads a displaced file. `trustUnknown`: accept it if it is unknown whether a program has it open.
    mutating func examine(
        _ place: Location,
        trustUnknown: Bool,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced
    /// Renames a displaced file to a free document name.
    func restore(_ place: Location, as path: RelativePath) throws(FileError)
    /// Exchanges the two.
    func exchange(_ place: Location, with path: RelativePath) throws(FileError)
    /// The document that a temporary file belongs to; `nil` if no existing document does.
    func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath?
    /// Whether a killed run gave a document this second name and did nothing more.
    func isSecondName(_ place: Location, of path: RelativePath) -> Bool

    // MARK: Directories

    mutating func makeDirectories(above path: RelativePath) throws(FileError)
    /// The directories that the bridge made.
    var madeDirectories: [RelativePath] { get }
    /// The directories made and removed since the last call.
    mutating func takeDirectoryChanges() -> [DirectoryChange]
    /// Treats all existing directories as not made by the bridge.
    mutating func forgetDirectories()
    /// Removes this directory and its parents, as far as the bridge made them and they are empty.
    mutating func removeEmptyDirectories(from directory: RelativePath?)
    /// Removes all empty directories that the bridge made.
    mutating func removeEmptyDirectories()
    /// Notes that its name changed, or may have been changed by an earlier run.
    mutating func remember(unsynced path: RelativePath)
    /// Syncs the noted names in its directory. `isDue`: sync also if none was noted.
    mutating func syncDirectory(of path: RelativePath, isDue: Bool) throws(FileError)

    // MARK: Later outcomes

    /// Whether a commit of the document was sent and not answered yet. The engine plans nothing for it until
    /// then.
    func isPending(_ path: RelativePath) -> Bool
    /// The documents with news since the last call: their commit was answered, or timed out.
    mutating func step(at now: Duration) -> [RelativePath]
    /// When `step` must be called next; `nil` if nothing is pending.
    var deadline: Duration? { get }
}

/// What holds where every document is a file, or a value of its own.
extension Replica {
    /// Without a look just before.
    package func read(
        _ path: RelativePath,
        unless known: Digest?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading {
        try read(path, unless: known, seen: nil, mayWait: mayWait, isKnown: isKnown, pair: pair)
    }

    package func exchanges(_ path: RelativePath) -> Bool { exchanges }
    package func documents(in file: RelativePath) -> [RelativePath] { [file] }
    package func address(of document: RelativePath) -> StoreAddress? { nil }
    package func obstacle(to bytes: [UInt8], as path: RelativePath) -> StoreProblem? { nil }
    package var composed: [RelativePath] { [] }
    package mutating func remember(_ bytes: [UInt8], of path: RelativePath) {}
    package func isUnchanged(_ seen: Signature, since staged: Staged) -> Bool {
        seen.isRenamed(staged.signature)
    }
    /// Removes a prepared content.
    package func abandon(_ staged: Staged) throws(FileError) {
        if staged.content == nil { try remove(staged.temporary) }
    }
}

/// The settings of a replica.
package struct ReplicaSettings: Sendable {
    /// The size limit of a document, in bytes.
    package var maxBytes: Int
    /// Replace documents by exchange, where possible.
    package var exchanges: Bool
    /// Make contents survive a power cut.
    package var syncsFiles: Bool
    /// Make renames survive a power cut.
    package var syncsDirectories: Bool
    /// The directories that earlier runs made.
    package var madeDirectories: Set<RelativePath>

    package init(
        maxBytes: Int,
        exchanges: Bool = true,
        syncsFiles: Bool = false,
        syncsDirectories: Bool = false,
        madeDirectories: Set<RelativePath> = []
    ) {
        (self.maxBytes, self.exchanges) = (maxBytes, exchanges)
        (self.syncsFiles, self.syncsDirectories) = (syncsFiles, syncsDirectories)
        self.madeDirectories = madeDirectories
    }
}

/// What is at the path of a replica.
package enum ReplicaStanding: Sendable, Hashable {
    case same
    /// The replica itself, which must be reopened.
    case returned
    /// The other side's replica, which cannot be both.
    case other
    /// An unknown one, identified by this text.
    case stranger(String)
    /// The opened one without its container ID; identified by this text.
    case unmarked(String)
    case gone
    /// Unknown, because of this error.
    case unreachable(FileError)
}

/// A directory that was made or removed.
package enum DirectoryChange: Sendable, Hashable {
    case made(Side, RelativePath)
    case removed(Side, RelativePath)
}

extension BothSides where Value == any Replica {
    /// The larger of both sides.
    package var timestampGrain: Duration { max(app.timestampGrain, group.timestampGrain) }

    /// The earlier deadline of both sides.
    package var deadline: Duration? { [app.deadline, group.deadline].compactMap(\.self).min() }

    /// Whether a commit on either side is not answered yet.
    package func isPending(_ path: RelativePath) -> Bool { app.isPending(path) || group.isPending(path) }

    /// The replica that contains the location; the group's if neither does.
    package subscript(of place: Location) -> any Replica {
        _read { yield self[place.side ?? .group] }
        _modify { yield &self[place.side ?? .group] }
    }
}
