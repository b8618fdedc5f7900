package import Model
package import Replica

/// A file that came out of an exchange or a removal, or was left by a run that was killed. It may be the only
/// copy of somebody's save until it has been examined.
package struct DisplacedFile: Sendable {
    package var side: Side
    package var document: RelativePath
    package var place: Location
    /// What should have come out; all that is known of it where a run that was killed has left it.
    package var expected: Expected
    /// The bytes of that, where they are known: what a racer's save was made from.
    package var base: [UInt8]?
    package var due: Duration
    package var since: Duration?
    /// What took its place, by an exchange.
    package var publication: Digest?
    /// That was another save of its side, merged forward.
    package var isOverMerge = false
    /// What the other side held when that was planned.
    package var other: Digest?
    /// What comes out later is a later save; 0 where a run that was killed has left it.
    package var number: UInt64 = 0
    /// What should have come out was the bridge's own, and nobody was known to have read it.
    package var wasUnread = false
    /// Since when what stands at its document's name could not be read.
    package var blockedSince: Duration?
    /// Its program has saved again since, and that is merged first.
    package var isLate = false
    /// Its document was deleted: the directory may be empty without it.
    package var isRemoval = false
    /// No file, and what stands at its name is none either: nothing can be done with it.
    package var isUnrecognized = false
    /// Not even the store of conflicts has room for it.
    package var isTooLarge = false
    /// A program keeps it open for writing, and nobody waits for that any more.
    package var isHeldOpen = false

    package enum Expected: Hashable, Sendable {
        case content(Digest)
        case marked(TemporaryName)
        /// It has been understood, a save that came out as well: nothing is left to be done with that.
        case understood(Digest, TemporaryName)

        package func isMet(by digest: Digest) -> Bool {
            switch self {
            case .content(let expected): digest == expected
            case .marked(let name): name.isKnown(digest)
            case .understood(let understood, let name): digest == understood || name.isKnown(digest)
            }
        }

        /// What a save that came out instead was made from.
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

    /// It is examined now. `true`: who has it open for writing, or may have, is not waited for any more.
    package mutating func isOverdue(at now: Duration) -> Bool {
        let first = since ?? now
        since = first
        return now - first >= OpenDocuments.grace
    }

    /// What stands at its document's name cannot be read now. `true` while that is waited for.
    package mutating func isBlockedForNow(at now: Duration) -> Bool {
        let first = blockedSince ?? now
        blockedSince = first
        return now - first < OpenDocuments.grace
    }

    package func isOf(_ path: RelativePath) -> Bool { document == path || place.path == path }

    /// What took its place when it came out, so that what is new in it is the other side's: nobody has saved
    /// there since.
    package func isFromOtherSide(_ digest: Digest) -> Bool {
        switch expected {
        case .content: publication == digest && !isOverMerge
        case .marked(let name), .understood(_, let name): name.isContent(digest) && name.isCarried
        }
    }

    /// Who has made what stands at its document's name was not known yet, or on what.
    package var waitsForAccess: Bool { isLate || blockedSince != nil }

    /// Nobody knows any more which document it belonged to.
    package var isOrphan: Bool { document == place.path }

    /// Left by a run that was killed: it may be a content that was still being written.
    package var isLeftover: Bool { if case .content = expected { false } else { true } }
}

/// A program's save that came out of an exchange instead of what was expected.
typealias RacingSave = (bytes: [UInt8], displaced: DisplacedFile)

/// What a file that was put aside turned out to be.
enum DisplacementOutcome {
    /// What was expected, or not known yet.
    case nothing
    /// A racer's save, which has been merged forward.
    case merged
    /// No file: it has its name back, and what was published is not there.
    case nameRestored
}
