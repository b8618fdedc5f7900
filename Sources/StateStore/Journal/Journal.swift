import FileSystem
package import Model

/// The base of one side.
package struct SideRecord: Sendable, Hashable {
    /// The digest of the bytes on that side.
    package var digest: Digest
    /// The file's signature; `nil` if it is not reliable and the file must be read again.
    package var signature: Signature?
    /// The version of the bytes; `nil` for documents without versions.
    package var version: Int?

    package init(digest: Digest, signature: Signature?, version: Int?) {
        self.digest = digest
        self.signature = signature
        self.version = version
    }
}

/// The base of a document, without the content, which stays on the disk.
///
/// An agent has one of these in memory for every document. It is a single reference, because hash tables have
/// many empty slots.
package struct DocumentRecord: Sendable, Hashable {
    private final class Values: Sendable {
        let generation: Int64
        let version: Int?
        let sides: BothSides<SideRecord>

        init(_ generation: Int64, _ version: Int?, _ sides: BothSides<SideRecord>) {
            self.generation = generation
            self.version = version
            self.sides = sides
        }
    }

    private var values: Values

    package init(generation: Int64, version: Int? = nil, sides: BothSides<SideRecord>) {
        values = Values(generation, version, sides)
    }

    package var generation: Int64 {
        get { values.generation }
        set { values = Values(newValue, values.version, values.sides) }
    }

    /// The version of the base's newest text: the newest that the profile had then. `nil` for documents
    /// without versions, and where only the text itself shows it.
    package var version: Int? { values.version }

    package var sides: BothSides<SideRecord> {
        get { values.sides }
        set { values = Values(values.generation, values.version, newValue) }
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.generation == b.generation && a.version == b.version && a.sides == b.sides
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(generation)
        hasher.combine(version)
        hasher.combine(sides)
    }
}

/// The content of a base.
package struct BaseContent: Sendable, Hashable {
    /// In the newest version that the profile had then, which is in the document's record.
    package var newest: [UInt8]
    /// The bytes of a side, where they differ from `newest`.
    package var sides: BothSides<[UInt8]?>

    package init(newest: [UInt8], sides: BothSides<[UInt8]?> = BothSides(app: nil, group: nil)) {
        self.newest = newest
        self.sides = sides
    }

    package func bytes(on side: Side) -> [UInt8] { sides[side] ?? newest }
}

/// One agreed state in the history of a document. Events of documents that a widget shows have notices.
package struct JournalEvent: Sendable, Hashable {
    package var document: RelativePath
    package var generation: Int64
    /// `.app` for a cause of a later release that this one does not know.
    package var cause: Cause
    package var what: ChangeReason
    /// The hash of each side afterwards; `nil` where it is absent.
    package var hashes: BothSides<Digest?>
    /// Milliseconds since 1970.
    package var at: Int64
    /// The sequence number of the first notice; each further kind has the next number.
    package var firstNotice: Int64
    package var kinds: [String]

    package init(
        document: RelativePath,
        generation: Int64,
        cause: Cause,
        what: ChangeReason,
        hashes: BothSides<Digest?>,
        at: Int64,
        firstNotice: Int64,
        kinds: [String]
    ) {
        self.document = document
        self.generation = generation
        self.cause = cause
        self.what = what
        self.hashes = hashes
        self.at = at
        self.firstNotice = firstNotice
        self.kinds = kinds
    }
}

/// One result of a turn.
package enum JournalEntry: Sendable {
    case agreed(RelativePath, DocumentRecord, BaseContent)
    /// The content is unchanged; only the signatures of the files are new.
    case touched(RelativePath, DocumentRecord)
    /// Deleted on both sides. The generation is kept, as it must never decrease.
    case gone(RelativePath, generation: Int64)
    case event(JournalEvent)
    /// The bridge made a directory, which it may remove once it is empty.
    case madeDirectory(Side, RelativePath)
    case removedDirectory(Side, RelativePath)
    case conflict(ConflictRecord)
    /// A person resolved this conflict.
    case decided(id: String)
    case overwritten(OverwrittenContent)
    case intent(CommitIntent)
    /// The announced commit was made, or failed.
    case settledIntent(RelativePath)
    /// A value that the bridge stores for itself.
    case value(String, key: String)
    /// These contents are no longer in the trash.
    case dropped([Digest])
}

/// The state of the bridge. An empty journal is always safe: the bridge then merges both sides, and deletes
/// nothing.
package protocol Journal {
    /// Identifies the journal; a new journal has another one, and so has one restored from a backup.
    var instance: String { get }
    func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)]
    func madeDirectories() throws(JournalError) -> [(Side, RelativePath)]
    func content(of document: RelativePath) throws(JournalError) -> BaseContent?
    /// The generation of a document when it last existed; 0 if it never did.
    func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64
    /// The same for many documents, without those that never existed.
    func lastGenerations(of documents: [RelativePath]) throws(JournalError) -> [RelativePath: Int64]
    /// The sequence number of the newest notice; 0 before the first.
    func lastNotice() throws(JournalError) -> Int64
    /// Records all entries in one transaction.
    func record(_ entries: [JournalEntry]) throws(JournalError)
    /// Oldest first.
    func events(of document: RelativePath) throws(JournalError) -> [JournalEvent]
    /// The events with notices after that sequence number, oldest first; `nil` if some were dropped.
    func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]?
    /// The events of all documents, oldest first.
    func allEvents() throws(JournalError) -> [JournalEvent]
    /// The open conflicts, oldest first.
    func conflicts() throws(JournalError) -> [ConflictRecord]
    /// The same without the contents.
    func conflictIndex() throws(JournalError) -> [ConflictRecord.Entry]
    /// The contents in the trash that were never a base, oldest first.
    func overwritten() throws(JournalError) -> [OverwrittenContent]
    /// The announced commits without a result, in the order of their documents.
    func intents() throws(JournalError) -> [CommitIntent]
    /// A value that the bridge stores for itself.
    func value(of key: String) throws(JournalError) -> String?
    /// The values whose keys begin with `prefix`, in the order of their keys.
    func values(withPrefix prefix: String) throws(JournalError) -> [(key: String, value: String)]
}

extension Journal {
    package func setValue(_ value: String, of key: String) throws(JournalError) {
        try record([.value(value, key: key)])
    }

    package func lastGenerations(
        of documents: [RelativePath]
    ) throws(JournalError) -> [RelativePath: Int64] {
        var generations: [RelativePath: Int64] = [:]
        for document in documents {
            let generation = try lastGeneration(of: document)
            if generation > 0 { generations[document] = generation }
        }
        return generations
    }
}

package enum JournalKey {
    /// Setting the value of this key gives the journal a new instance.
    package static let instance = "instance"
}

package enum JournalLimits {
    /// Older events are dropped; a subscriber that asks for them gets a gap.
    package static let events = 20_000
    /// The maximum number of deleted documents whose generation is kept.
    package static let deletions = 10_000
}
