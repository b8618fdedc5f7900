import FileSystem
package import Model

/// What one side held when both last agreed.
package struct SideRecord: Sendable, Hashable {
    /// Of the very bytes on that side.
    package var digest: Digest
    /// How the file looked from outside; `nil` where that cannot be trusted and the bytes must be read again.
    package var signature: Signature?
    /// The version its bytes are in; `nil` for documents without versions.
    package var version: Int?

    package init(digest: Digest, signature: Signature?, version: Int?) {
        self.digest = digest
        self.signature = signature
        self.version = version
    }
}

/// What both sides last agreed on, but for the content itself, which stays on the disk.
///
/// An agent holds one for every document. So it is no more than a reference: a table of them is full of empty
/// places, half of it right after it has grown.
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

    /// The version that the agreed text is in: the newest that the profile of its time knew. `nil` for
    /// documents without versions, and where only the text itself can tell.
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

/// The content both sides last agreed on.
package struct BaseContent: Sendable, Hashable {
    /// In the newest version that the profile knew then, which the document's record names.
    package var newest: [UInt8]
    /// The very bytes of a side, where they are not `newest`.
    package var sides: BothSides<[UInt8]?>

    package init(newest: [UInt8], sides: BothSides<[UInt8]?> = BothSides(app: nil, group: nil)) {
        self.newest = newest
        self.sides = sides
    }

    package func bytes(on side: Side) -> [UInt8] { sides[side] ?? newest }
}

/// One agreed state in a document's story. Those that a widget shows carry notices.
package struct JournalEvent: Sendable, Hashable {
    package var document: RelativePath
    package var generation: Int64
    /// `.app` where a later release wrote one that this release does not know.
    package var cause: Cause
    package var what: ChangeReason
    /// What each side holds after it; `nil` where there is none.
    package var hashes: BothSides<Digest?>
    /// Milliseconds since 1970.
    package var at: Int64
    /// The sequence of the first notice; each further kind has the next one.
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

/// One line of what a turn achieved.
package enum JournalEntry: Sendable {
    case agreed(RelativePath, DocumentRecord, BaseContent)
    /// The same content as before; only the outside of the files is news.
    case touched(RelativePath, DocumentRecord)
    /// Gone on both sides. Its generation is remembered, for it never goes down.
    case gone(RelativePath, generation: Int64)
    case event(JournalEvent)
    /// A directory that the bridge made, and may remove once it is empty.
    case madeDirectory(Side, RelativePath)
    case removedDirectory(Side, RelativePath)
    case conflict(ConflictRecord)
    /// A person decided that conflict.
    case decided(id: String)
    case overwritten(OverwrittenContent)
    /// This document is about to be created.
    case intent(CreationIntent)
    /// It was, or it was not.
    case settledIntent(RelativePath)
    /// A value that the bridge keeps about itself.
    case value(String, key: String)
    /// These contents are no longer in the trash.
    case dropped([Digest])
}

/// The memory of the bridge. An empty one is always safe: it means union and conflicts, never a deletion.
package protocol Journal {
    /// Names this journal; a new journal is a new instance, and so is one that has gone back.
    var instance: String { get }
    func documents() throws(JournalError) -> [(RelativePath, DocumentRecord)]
    func madeDirectories() throws(JournalError) -> [(Side, RelativePath)]
    func content(of document: RelativePath) throws(JournalError) -> BaseContent?
    /// The generation a document had when it was last there; 0 if never.
    func lastGeneration(of document: RelativePath) throws(JournalError) -> Int64
    /// The same of many; those that were never there are left out.
    func lastGenerations(of documents: [RelativePath]) throws(JournalError) -> [RelativePath: Int64]
    /// The sequence of the newest notice; 0 before the first.
    func lastNotice() throws(JournalError) -> Int64
    /// All of it or nothing.
    func record(_ entries: [JournalEntry]) throws(JournalError)
    /// Oldest first.
    func events(of document: RelativePath) throws(JournalError) -> [JournalEvent]
    /// The events whose notices come after that sequence, oldest first; `nil` where some are no longer kept.
    func events(afterNotice sequence: Int64) throws(JournalError) -> [JournalEvent]?
    /// Of all documents, oldest first.
    func allEvents() throws(JournalError) -> [JournalEvent]
    /// Those that wait for a person, oldest first.
    func conflicts() throws(JournalError) -> [ConflictRecord]
    /// The same without what they hold.
    func conflictIndex() throws(JournalError) -> [ConflictRecord.Entry]
    /// What went to the trash without having been agreed on, oldest first.
    func overwritten() throws(JournalError) -> [OverwrittenContent]
    /// The creations of which it is not known what became of them, in the order of their documents.
    func intents() throws(JournalError) -> [CreationIntent]
    /// A value that the bridge keeps about itself.
    func value(of key: String) throws(JournalError) -> String?
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
    /// A value of this key gives the journal another name.
    package static let instance = "instance"
}

package enum JournalLimits {
    /// Older events are dropped; a subscriber that comes back for them gets a gap.
    package static let events = 20_000
    /// Of so many documents that were deleted the generation is kept.
    package static let deletions = 10_000
}
