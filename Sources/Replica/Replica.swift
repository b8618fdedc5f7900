package import Model

/// One side of a bridge: documents by name, each of which can be read, and be replaced where it still holds
/// what is expected.
///
/// It decides nothing and never waits. What is to be written, and over what, comes with each call; what
/// cannot be done now ends in a value that says so. It is a value: a copy of it can be asked what would
/// happen.
package protocol Replica {
    var side: Side { get }
    /// What it replaces comes out whole and is examined, so that no racing save is lost.
    var exchanges: Bool { get }
    /// Its documents are files: a new one of the other side may take over their rights.
    var hasFiles: Bool { get }
    /// How far apart two changes must be so that a signature tells them apart; zero where it always does.
    var timestampGrain: Duration { get }

    /// Comes before every other call.
    mutating func begin(_ settings: ReplicaSettings)

    // MARK: Identity

    /// What stands where the replica is expected. `mark`: by which it is known; `nil` where by none yet.
    func standing(knownBy mark: String?) -> ReplicaStanding
    /// What it bears to be known again; `nil` where it bears none, or can bear none.
    func mark() throws(FileError) -> String?
    /// Has it bear a mark from now on, where it can: only `mark()` tells.
    mutating func bear(_ mark: String)
    /// From now on the replica is what stands there.
    mutating func reopen() throws(FileError)

    // MARK: Looking

    /// What there is beneath a directory. Throws where the top itself cannot be listed.
    mutating func list(_ directory: RelativePath?) throws(FileError) -> ReplicaListing
    /// The names in a directory that no path can say, escaped.
    func unnamable(in directory: RelativePath?) -> [String]
    func status(of place: Location) throws(FileError) -> DocumentStatus
    /// How a document looks, without reading it; `nil` where it is absent. `isKnown`: it has been there
    /// before, so that what hides it does not make it absent.
    func signature(of path: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature?
    /// - Parameters:
    ///   - known: What it most likely holds. Where it does, nothing but its signature is returned.
    ///   - mayWait: Do not take what a program has open for writing.
    ///   - pair: Of the containers, whose marks are believed; `nil` where their documents bear none.
    func read(
        _ path: RelativePath,
        unless known: Digest?,
        mayWait: Bool,
        isKnown: Bool,
        pair: UInt64?
    ) throws(ReadObstacle) -> FileReading
    /// What is there, up to `limit` bytes, whatever it is.
    func contents(of place: Location, limit: Int) throws(FileError) -> [UInt8]
    /// How a document looks that a program has open for writing; `nil` where none has.
    func signature(ofBeingWritten path: RelativePath) -> Signature?
    /// Another document, to which this name leads as well.
    func namesake(of path: RelativePath) -> RelativePath?
    /// The bridge of this pair has published what is there as a view, or it holds these bytes.
    func isView(_ path: RelativePath, of bytes: [UInt8]?, limit: Int, pair: UInt64?) throws(FileError) -> Bool

    // MARK: Writing

    /// Writes a content beside its document, seen by no reader. `list` tells of it until it is committed or
    /// removed: after a crash a document whose creation was announced counts as created without it.
    ///
    /// Throws `.missing` or `.noDirectory` where `makeDirectories` has to come first.
    func prepare(_ write: DocumentWrite) throws(FileError) -> Staged
    /// What was prepared survives a power cut from now on.
    func sync(_ staged: Staged) throws(FileError)
    /// Takes away what was prepared, or was put aside.
    func remove(_ place: Location) throws(FileError)
    /// Gives what was prepared its name. `expected`: what it takes the place of; `nil` where nothing is to be
    /// there. `waits`: not while a program has that open, where the two cannot be exchanged.
    mutating func commit(_ staged: Staged, over expected: Digest?, waits: Bool) throws(FileError)
        -> Publication
    /// The same for a document that is not there, and whose creation is announced: where it has come
    /// meanwhile, what was prepared stays.
    mutating func create(_ staged: Staged) throws(FileError) -> Publication
    /// Takes a document away; what it held lies at the returned place. `nil` where it was gone already.
    func displace(_ path: RelativePath, expected: Digest, number: UInt64) throws(FileError) -> Location?
    /// Gives a document another name, which must be free.
    func move(_ old: RelativePath, to new: RelativePath) throws(FileError)

    // MARK: What came out

    /// Looks at what was put aside. `trustUnknown`: where it cannot be told whether a program has it open,
    /// take it as it is.
    func examine(
        _ place: Location,
        trustUnknown: Bool,
        isExpected: (Digest) -> Bool
    ) throws(FileError) -> Displaced
    /// Gives what was put aside a document's name, which must be free.
    func restore(_ place: Location, as path: RelativePath) throws(FileError)
    /// The two change places.
    func exchange(_ place: Location, with path: RelativePath) throws(FileError)
    /// Whose temporary that is; `nil` where no document that is there has it.
    func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath?
    /// A run that was killed gave a document this second name, and got no further.
    func isSecondName(_ place: Location, of path: RelativePath) -> Bool

    // MARK: Directories

    mutating func makeDirectories(above path: RelativePath) throws(FileError)
    /// Those that the bridge has made.
    var madeDirectories: [RelativePath] { get }
    /// What has become of them since this was asked last.
    mutating func takeDirectoryChanges() -> [DirectoryChange]
    /// None of those that are there was made by the bridge.
    mutating func forgetDirectories()
    /// Removes this directory and those above it, as far as the bridge has made them and they are empty.
    mutating func removeEmptyDirectories(from directory: RelativePath?)
    /// Removes all that the bridge has made and that are empty.
    mutating func removeEmptyDirectories()
    /// Its name was changed, or may have been by a run that ended before this.
    mutating func note(unsynced path: RelativePath)
    /// Names that were noted in its directory survive a power cut from now on. `isDue`: also where none was.
    mutating func syncDirectory(of path: RelativePath, isDue: Bool) throws(FileError)

    // MARK: Later outcomes

    /// A commit of that document was sent and not answered yet: nothing is planned for it until it is.
    func isPending(_ path: RelativePath) -> Bool
    /// Documents of which something is known since this was asked last: a commit was answered, or was waited
    /// for long enough.
    mutating func step(at now: Duration) -> [RelativePath]
    /// When `step` has something to do; `nil` where nothing is waited for.
    var deadline: Duration? { get }
}

/// What a replica is told once.
package struct ReplicaSettings: Sendable {
    /// Bytes; what is larger is no document.
    package var maxBytes: Int
    /// Replaces by exchange, where it can.
    package var exchanges: Bool
    /// Changed names have to survive a power cut.
    package var syncsDirectories: Bool
    /// Directories that earlier runs have made.
    package var madeDirectories: Set<RelativePath>

    package init(
        maxBytes: Int,
        exchanges: Bool = true,
        syncsDirectories: Bool = false,
        madeDirectories: Set<RelativePath> = []
    ) {
        (self.maxBytes, self.exchanges) = (maxBytes, exchanges)
        (self.syncsDirectories, self.madeDirectories) = (syncsDirectories, madeDirectories)
    }
}

/// What stands where a replica is expected.
package enum ReplicaStanding: Sendable, Hashable {
    case same
    /// The replica, which has to be opened anew.
    case returned
    /// The other side's: one cannot be both.
    case other
    /// Another one, told apart from other strangers by these words.
    case stranger(String)
    /// The one that was opened, but not by its mark; told apart by these words.
    case unmarked(String)
    case gone
    /// It cannot be told.
    case unreachable(FileError)
}

/// What became of a directory.
package enum DirectoryChange: Sendable, Hashable {
    case made(Side, RelativePath)
    case removed(Side, RelativePath)
}

extension BothSides where Value == any Replica {
    /// That of the side which tells changes apart least.
    package var timestampGrain: Duration { max(app.timestampGrain, group.timestampGrain) }

    /// When the first of them has something to do.
    package var deadline: Duration? { [app.deadline, group.deadline].compactMap(\.self).min() }

    /// What was sent to either side is not answered yet.
    package func isPending(_ path: RelativePath) -> Bool { app.isPending(path) || group.isPending(path) }

    /// The one that a place lies in; of what lies in neither, the group's.
    package subscript(of place: Location) -> any Replica {
        _read { yield self[place.side ?? .group] }
        _modify { yield &self[place.side ?? .group] }
    }
}
