package import Model
package import Replica

/// A file displaced by an exchange or a removal, or left by a killed run. Until it is examined, it may be the
/// only copy of a save.
package struct DisplacedFile: Sendable {
    package var side: Side
    package var document: RelativePath
    package var place: Location
    /// The content that should be in it; for a file left by a killed run, all that is known of it.
    package var expected: Expected
    /// The bytes of that content, if known: the base of a racing save.
    package var base: [UInt8]?
    package var due: Duration
    package var since: Duration?
    /// The content that replaced it, by an exchange.
    package var publication: Digest?
    /// The replaced content was another save of its side, merged forward.
    package var isOverMerge = false
    /// The other side's content when the publication was planned.
    package var other: Digest?
    /// A higher number is a later save; 0 for a file left by a killed run.
    package var number: UInt64 = 0
    /// The expected content was the bridge's own, and no read of it was known.
    package var wasUnread = false
    /// Since when the document's current file could not be read.
    package var blockedSince: Duration?
    /// Its program has saved again since; that save is merged first.
    package var isLate = false
    /// Its document was deleted: the directory may be empty.
    package var isRemoval = false
    /// It is not a regular file, and neither is the document's current one: nothing can be done.
    package var isUnrecognized = false
    /// It is too large even for the conflict store.
    package var isTooLarge = false
    /// A program keeps it open for writing, and the bridge no longer waits.
    package var isHeldOpen = false
    /// The trash has its base.
    package var isBaseKept = false
    /// What a program has saved in it since, and is on neither side.
    package var save: Save?

    package enum Save: Sendable {
        /// The program keeps the file open.
        case open
        case closed
    }

    package enum Expected: Hashable, Sendable {
        case content(Digest)
        case marked(TemporaryName)
        /// Its content is examined, and a save in it was handled: nothing is left to do.
        case understood(Digest, TemporaryName)

        package func isMet(by digest: Digest) -> Bool {
            switch self {
            case .content(let expected): digest == expected
            case .marked(let name): name.isKnown(digest)
            case .understood(let understood, let name): digest == understood || name.isKnown(digest)
            }
        }

        /// Whether a racing save is based on this content.
        package func isBase(_ digest: Digest) -> Bool {
            switch self {
            case .content(let expected): digest == expected
            case .marked(let name): name.isExpected(digest)
            case .understood(let understood, _): digest == understood
            }
        }
    }

    package init(
        side: Side,
        document: RelativePath,
        place: Location,
        expected: Expected,
        base: [UInt8]? = nil,
        due: Duration,
        other: Digest? = nil,
        number: UInt64 = 0
    ) {
        (self.side, self.document, self.place) = (side, document, place)
        (self.expected, self.base, self.due) = (expected, base, due)
        (self.other, self.number) = (other, number)
    }

    package var target: Location { Location(side, document) }

    /// It is examined now. `true` if the bridge no longer waits for a program that may have it open for
    /// writing.
    package mutating func isOverdue(at now: Duration) -> Bool {
        let first = since ?? now
        since = first
        return now - first >= OpenDocuments.grace
    }

    /// The document's current file cannot be read. `true` while the bridge waits for that.
    package mutating func isBlockedForNow(at now: Duration) -> Bool {
        let first = blockedSince ?? now
        blockedSince = first
        return now - first < OpenDocuments.grace
    }

    package func isOf(_ path: RelativePath) -> Bool { document == path || place.path == path }

    /// Whether this content replaced it when it was displaced: then no program has saved since, and what is
    /// new is from the other side.
    package func isFromOtherSide(_ digest: Digest) -> Bool {
        switch expected {
        case .content: publication == digest && !isOverMerge
        case .marked(let name), .understood(_, let name): name.isContent(digest) && name.isCarried
        }
    }

    /// It waits until events show who made the document's current content, or on which base.
    package var waitsForAccess: Bool { isLate || blockedSince != nil }

    /// Its document is unknown.
    package var isOrphan: Bool { document == place.path }

    /// Left by a killed run: its content may be incomplete.
    package var isLeftover: Bool { if case .content = expected { false } else { true } }
}

/// A racing save: it was displaced by an exchange instead of the expected content.
typealias RacingSave = (bytes: [UInt8], displaced: DisplacedFile)

/// The result of examining a displaced file.
enum DisplacementOutcome {
    /// The expected content, or not known yet.
    case nothing
    /// A racing save, which was merged forward.
    case merged
    /// Not a regular file: it got its name back, and the new content was not published.
    case nameRestored
}
