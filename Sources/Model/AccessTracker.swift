/// What the programs of one side have read of one document since the bridge last published it.
///
/// It consumes access events in queue order, and exists only while some published content may be unread.
/// Where the events are inconclusive, the newest content counts as read, as it would without events.
package struct AccessTracker: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        /// The program saved without reading the published content; this is what it last read or saved.
        case unread(since: Digest)
        /// Read, or the events are inconclusive.
        case seen
        /// The event queue has not been read far enough.
        case undecided
        /// A program has it open and changed it in place.
        case beingWritten
    }

    private struct Publication: Hashable {
        var digest: Digest
        /// The save that the publication replaced.
        var save: Digest?
        /// The base of that save is needed.
        var isAsked = false
        /// Its writer had it open when it was replaced.
        var isInHand = false
        /// A program's save, which the bridge wrote on its behalf.
        var isPut = false
    }

    /// The newest content that the programs have read or saved.
    private var seen: Digest
    /// The last published content that the events have reported.
    private var standing: Digest
    /// Published, but not reported by an event yet.
    private var inFlight: [Publication] = []
    /// Programs that opened the current file and may still have it open.
    private var openings = 0
    /// A program's save replaced the published content, so that content can no longer be read.
    private var isOverwritten = false
    private var isInPlace = false
    /// For each publication that replaced a save: the content which that save was based on.
    private var bases: [Digest: Digest] = [:]

    /// Publications before this tracker that no event has reported yet.
    private var unheard: Int

    /// `seen` is the document's content before the first publication.
    package init(seen: Digest, unheard: Int = 0) {
        self.seen = seen
        self.unheard = unheard
        standing = seen
    }

    /// Nothing published can be unread any more.
    package var isOver: Bool { seen == standing && inFlight.isEmpty && bases.isEmpty }

    package var verdict: Verdict {
        if !inFlight.isEmpty { return .undecided }
        // A program that opened it may be about to write.
        if !isOverwritten { return openings > 0 ? .beingWritten : .undecided }
        if seen == standing { return .seen }
        if openings > 0 { return isInPlace ? .beingWritten : .seen }
        return .unread(since: seen)
    }

    /// The last publication.
    package var newest: Digest { inFlight.last { !$0.isPut }?.digest ?? standing }

    /// The bridge made this content, not a program.
    package func isPublication(_ digest: Digest) -> Bool {
        guard let last = inFlight.last else { return standing == digest }
        return last.digest == digest && !last.isPut
    }

    /// The content that a save was based on which `publication` replaced.
    package func base(of publication: Digest) -> Digest? { bases[publication] }

    /// The same, and forgets it.
    package mutating func takeBase(of publication: Digest) -> Digest? {
        bases.removeValue(forKey: publication)
    }

    // MARK: Actions of the bridge

    /// Records that the side's last save was based on `before`.
    package mutating func saw(_ before: Digest) { seen = before }

    /// `save` is the content that the publication replaced, if a program had written that.
    package mutating func published(_ digest: Digest, over save: Digest?) {
        inFlight.append(Publication(digest: digest, save: save))
    }

    /// A program asked the bridge to save this, whatever the current content is.
    package mutating func put(_ digest: Digest) {
        inFlight.append(Publication(digest: digest, isPut: true))
    }

    /// A publication replaced a save that the bridge had not read; `nil` while a program is still writing it.
    /// Returns `false` if the base of that save can no longer be determined.
    package mutating func overtaken(_ save: Digest?, by publication: Digest, asking: Bool) -> Bool {
        guard let index = inFlight.lastIndex(where: { $0.digest == publication }) else { return false }
        inFlight[index].save = save
        inFlight[index].isAsked = asking
        inFlight[index].isInHand = save == nil
        return true
    }

    // MARK: Events

    /// Returns `false` if nothing can be determined any more.
    package mutating func hear(_ evidence: AccessEvent) -> Bool {
        switch evidence {
        case .published: return heardPublication()
        case .saved:
            isOverwritten = true
            isInPlace = false
        case .written:
            isOverwritten = true
            isInPlace = true
        case .opened: if !isOverwritten { openings += 1 }
        case .closed: openings = max(0, openings - 1)
        case .read:
            guard !isOverwritten else { break }
            seen = standing
            openings = 0
        // It may be read under its new name without an event.
        case .gone: return false
        }
        return true
    }

    private mutating func heardPublication() -> Bool {
        if unheard > 0 {
            unheard -= 1
            (openings, isOverwritten) = (0, false)
            return true
        }
        // Another program's rename, with a temporary name that looks like the bridge's.
        guard !inFlight.isEmpty else { return false }
        let publication = inFlight.removeFirst()
        if publication.isPut { return hear(.saved) }
        if publication.isAsked {
            // A program that writes in place has the file open, possibly since before it lost its name.
            let isBlind =
                publication.isInHand
                ? openings <= 1 : isOverwritten && openings <= (isInPlace ? 1 : 0)
            bases[publication.digest] = isBlind ? seen : standing
        }
        // Programs that have it open read on under the name of a temporary file, which is not reported.
        let writers = publication.isInHand || isInPlace ? 1 : 0
        if let save = publication.save { seen = save } else if openings > writers { seen = standing }
        standing = publication.digest
        openings = 0
        isOverwritten = false
        return true
    }
}
