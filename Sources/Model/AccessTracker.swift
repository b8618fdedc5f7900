/// What the programs of one side have seen of one document since the bridge published something there.
///
/// It is fed with evidence in the order of the kernel's queue, and is there only while something may be
/// unread. Where the queue does not decide, the newest counts as seen, which is what anybody would think
/// without evidence.
package struct AccessTracker: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        /// The save was made without sight of what was published; its program had last read or saved this.
        case unread(since: Digest)
        /// As the queue does not tell otherwise.
        case seen
        /// The queue has not come so far.
        case undecided
        /// Whoever changed it in place has not closed it.
        case beingWritten
    }

    private struct Publication: Hashable {
        var digest: Digest
        /// A save that it took the place of.
        var save: Digest?
        /// On what that was made is to be told.
        var isAsked = false
        /// Its writer had opened it, and had not closed it.
        var isInHand = false
        /// It is a program's save, which the bridge made for it.
        var isPut = false
    }

    /// The newest content that the programs have read or saved.
    private var seen: Digest
    /// Published last, as far as the queue has told.
    private var standing: Digest
    /// Made, and not told of by the queue yet.
    private var inFlight: [Publication] = []
    /// Opened what stands there, and may have it open still.
    private var openings = 0
    /// A program's save took the place of what was published: nobody can read that any more.
    private var isOverwritten = false
    private var isInPlace = false
    /// On what a save was made that a publication took the place of, by that publication.
    private var bases: [Digest: Digest] = [:]

    /// Publications of before, which the queue has not told of yet.
    private var unheard: Int

    /// `seen` is what stands there, before the first publication.
    package init(seen: Digest, unheard: Int = 0) {
        self.seen = seen
        self.unheard = unheard
        standing = seen
    }

    /// There is nothing that might be unread.
    package var isOver: Bool { seen == standing && inFlight.isEmpty && bases.isEmpty }

    package var verdict: Verdict {
        if !inFlight.isEmpty { return .undecided }
        // Whoever has opened it may be about to write.
        if !isOverwritten { return openings > 0 ? .beingWritten : .undecided }
        if seen == standing { return .seen }
        if openings > 0 { return isInPlace ? .beingWritten : .seen }
        return .unread(since: seen)
    }

    /// The last publication.
    package var newest: Digest { inFlight.last { !$0.isPut }?.digest ?? standing }

    /// The bridge itself made it, and not a program.
    package func isPublication(_ digest: Digest) -> Bool {
        guard let last = inFlight.last else { return standing == digest }
        return last.digest == digest && !last.isPut
    }

    /// On what a save was made that came out when `publication` took its place.
    package func base(of publication: Digest) -> Digest? { bases[publication] }

    /// The same; told once.
    package mutating func takeBase(of publication: Digest) -> Digest? {
        bases.removeValue(forKey: publication)
    }

    // MARK: What the bridge does

    /// Its programs' last save is in what they have saved since: that was made on what they had seen before.
    package mutating func saw(_ before: Digest) { seen = before }

    /// `save` is what it took the place of, if a program had made that.
    package mutating func published(_ digest: Digest, over save: Digest?) {
        inFlight.append(Publication(digest: digest, save: save))
    }

    /// Somebody asked the bridge to save it, whatever stands there.
    package mutating func put(_ digest: Digest) {
        inFlight.append(Publication(digest: digest, isPut: true))
    }

    /// What came out was a save that nobody had looked at; `nil` while it is still being written. `false`: it
    /// cannot be told any more on what it was made.
    package mutating func overtaken(_ save: Digest?, by publication: Digest, asking: Bool) -> Bool {
        guard let place = inFlight.lastIndex(where: { $0.digest == publication }) else { return false }
        inFlight[place].save = save
        inFlight[place].isAsked = asking
        inFlight[place].isInHand = save == nil
        return true
    }

    // MARK: What the queue tells

    /// `false`: nothing can be told any more.
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
        // Under its new name it may be read unseen.
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
        // Somebody else's, who calls himself like the bridge.
        guard !inFlight.isEmpty else { return false }
        let publication = inFlight.removeFirst()
        if publication.isPut { return hear(.saved) }
        if publication.isAsked {
            // Who writes in place has it open himself, and may have begun when it had no name any more.
            let isBlind =
                publication.isInHand
                ? openings <= 1 : isOverwritten && openings <= (isInPlace ? 1 : 0)
            bases[publication.digest] = isBlind ? seen : standing
        }
        // Whoever has it open reads on under the name of a temporary, which is not told.
        let writers = publication.isInHand || isInPlace ? 1 : 0
        if let save = publication.save { seen = save } else if openings > writers { seen = standing }
        standing = publication.digest
        openings = 0
        isOverwritten = false
        return true
    }
}
