package import Model
import StateStore

/// What is known of the programs that save: which contents they read and saved, and which of their saves were
/// displaced and are not fully examined.
///
/// A program that keeps its document in memory overwrites content that it never read. Compared with the
/// newest base, such a save would undo that content. So if the kernel's events show that no program read it,
/// the save is compared with what its program had last read or saved. An access event is not a hint: it only
/// shows the base of a save.
///
/// Evidence about a document's readers also concerns displaced saves, so both are updated together.
/// Methods that return documents return those to read again.
package struct Writers: Sendable {
    package var readerLog = ReaderLog()
    package var ownSaves = OwnSaves()
    package var displacedFiles = DisplacedFiles()

    package init() {}

    /// When something is due without an event.
    package var deadline: Duration? {
        [displacedFiles.deadline, readerLog.deadline].compactMap(\.self).min()
    }

    /// Documents whose saves are not examined yet.
    package var waiting: [RelativePath] { readerLog.questioned + displacedFiles.savedDocuments }

    // MARK: Events

    /// Takes events in the order of the kernel's queue.
    package mutating func hear(_ event: AccessEvent, of place: Location) -> [RelativePath] {
        switch readerLog.hear(event, of: place) {
        case .none: return []
        case .heard:
            // Before a plan assumes that the current content is based on a save that is not merged yet.
            displacedFiles.retryWaitingForAccess(of: place)
            return []
        case .forgotten(let answered): return decide(answered)
        }
    }

    /// Events were lost, or were reported under another path; `nil` is the whole container.
    package mutating func forgetReaders(on side: Side, beneath directory: RelativePath?) -> [RelativePath] {
        decide(readerLog.forget(on: side, beneath: directory))
    }

    /// The current content counts as made after reading what was published.
    package mutating func forgetReaders(of place: Location) -> [RelativePath] {
        decide(readerLog.forgetReaders(of: place))
    }

    package mutating func answered(_ token: UInt64, at now: Duration) -> [RelativePath] {
        decide(readerLog.answered(token, at: now))
    }

    package mutating func answerOverdue(at now: Duration) -> [RelativePath] {
        decide(readerLog.answerOverdue(at: now))
    }

    /// Questions about these locations are answered now.
    private mutating func decide(_ answered: [Location]) -> [RelativePath] {
        for place in answered { displacedFiles.retry(of: place) }
        return answered.map(\.path)
    }

    /// A change must wait until its base is known.
    package mutating func readiness(of input: PlanInput, at now: Duration) -> ReaderLog.Readiness {
        guard readerLog.tracksAccess else { return .ready }
        var readiness = ReaderLog.Readiness.ready
        for side in Side.allCases {
            let isUnheard = if case .problem(.unheard) = input.observed[side] { true } else { false }
            let place = Location(side, input.document)
            switch readerLog.readiness(of: place, isUnheard: isUnheard, at: now) {
            case .ready: continue
            case .asked: if readiness == .ready { readiness = .asked }
            case .soon: readiness = .soon
            }
        }
        return readiness
    }

    /// A program has that save open, and may still change it. When it is examined again, its base must be
    /// known; not if the bridge no longer waits for it.
    package mutating func retry(open displaced: DisplacedFile, at now: Duration) {
        if !displaced.isHeldOpen { _ = readerLog.mustAsk(aboutRacer: nil, displaced, at: now) }
        displacedFiles.retry(displaced, displaced.isHeldOpen ? .rarely : .soon, at: now)
    }

    // MARK: Bases

    /// The content that the programs of a side had last read or saved, if that is not the newest base.
    /// `kept`: the bytes with this digest; `nil` if they are not stored anywhere.
    package func known(
        to side: Side,
        in input: PlanInput,
        kept: (Digest, Location) throws(FileError) -> [UInt8]?
    ) throws(FileError) -> PlanInput.WriterBase? {
        let place = Location(side, input.document)
        guard let snapshot = input.snapshot(side),
            let seen = readerLog.lastSeen(before: snapshot.digest, at: place),
            let bytes = try kept(seen, place)
        else { return nil }
        let newest = readerLog.newest(at: place)
        let before = ownSaves.saves(at: place, before: snapshot.bytes)
        let settled = readerLog.settled(seen, at: place)
        if newest == input.record?.sides[side].digest {
            return PlanInput.WriterBase(bytes: bytes, own: before, settled: settled)
        }
        guard let own = readerLog.own(at: place), own.digest == newest else { return nil }
        return PlanInput.WriterBase(bytes: bytes, published: own.bytes, own: before, settled: settled)
    }

    /// The base of a displaced save with its conflicts settled. A late save changes nothing that its
    /// program's later one has.
    func settledBase(of displaced: DisplacedFile) -> [UInt8]? {
        guard !displaced.isLate, let base = displaced.base else { return nil }
        return readerLog.settled(Digest(of: base), at: displaced.target)
    }

    /// The merge of a displaced save with the current content is published.
    mutating func record(
        published merge: ForwardMerge,
        of bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot
    ) {
        record(settledBy: merge, of: bytes, displaced, onTopOf: current)
        record(merged: bytes, displaced, onTopOf: current)
    }

    /// A displaced save was merged with the current content. It is its program's last one, unless the current
    /// content is a save, too.
    mutating func record(
        settledBy merge: ForwardMerge,
        of bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot
    ) {
        guard !displaced.isLate, readerLog.isUnread(current.digest, at: displaced.target) else { return }
        readerLog.remember(settled: merge.settled, of: Digest(of: bytes), at: displaced.target)
    }

    // MARK: Publications

    /// `own` replaced `expected`; `isSave`: a program had saved `expected`. `isExchanged`: only an exchange
    /// can be distinguished from other renames.
    package mutating func recordPublication(
        _ own: OwnContent,
        at place: Location,
        over expected: Digest,
        isSave: Bool,
        isExchanged: Bool
    ) -> [RelativePath] {
        ownSaves.recordPublication(own.bytes, at: place)
        guard readerLog.tracksAccess else { return [] }
        guard isExchanged else { return decide(readerLog.forgetReaders(of: place)) }
        readerLog.recordPublication(own, at: place, over: expected, isSave: isSave)
        return []
    }

    /// The base of both sides was recorded.
    mutating func recordBase(_ job: PendingCommit, as record: DocumentRecord?) {
        guard readerLog.tracksAccess else { return }
        for side in Side.allCases {
            readerLog.recordBase(
                record?.sides[side].digest,
                at: Location(side, job.path),
                save: job.plan.writes[side] == nil ? job.input.snapshot(side)?.digest : nil,
                isRemoved: job.plan.removes
            )
        }
    }

    /// Both sides have the recorded content.
    package mutating func recordUnchanged(in input: PlanInput) -> [RelativePath] {
        Side.allCases.flatMap { side -> [RelativePath] in
            guard case .unchanged = input.observed[side] else { return [] }
            let place = Location(side, input.document)
            return decide(readerLog.recordUnchanged(input.record?.sides[side].digest, at: place))
        }
    }

    /// A save that the bridge made for a client. `read`: the content that the client had read, if it named
    /// that.
    package mutating func recordPut(
        _ digest: Digest,
        at place: Location,
        over read: Digest?,
        isExchanged: Bool
    ) -> [RelativePath] {
        guard readerLog.tracksAccess else { return [] }
        guard isExchanged else { return decide(readerLog.forgetReaders(of: place)) }
        return decide(readerLog.recordPut(digest, at: place, over: read))
    }

    /// Something that is not a document got its name back. `recorded`: the base.
    package mutating func recordRestoredName(
        _ displaced: DisplacedFile,
        recorded: Digest?,
        isExchanged: Bool
    ) -> [RelativePath] {
        let put = Digest(of: [])
        defer { readerLog.recordRestoredName(displaced, recorded: recorded) }
        return recordPut(put, at: displaced.target, over: nil, isExchanged: isExchanged)
    }

    // MARK: Own saves

    /// A displaced save was merged with the current content, or is included in it.
    package mutating func record(
        merged bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot? = nil
    ) {
        if let current, !readerLog.isUnread(current.digest, at: displaced.target) {
            ownSaves.record(standing: current.bytes, at: displaced.target)
        }
        ownSaves.record(merged: bytes, displaced)
    }

    /// A waiting displaced save will be merged with the later saves of its program.
    package mutating func recordLaterSaves(in input: PlanInput) {
        guard !ownSaves.isEmpty, !displacedFiles.isEmpty else { return }
        for side in Side.allCases {
            let place = Location(side, input.document)
            guard let snapshot = input.snapshot(side), displacedFiles.isWaiting(at: place),
                !readerLog.isUnread(snapshot.digest, at: place)
            else { continue }
            ownSaves.record(standing: snapshot.bytes, at: place, madeOf: input.known[side]?.bytes)
        }
    }

    /// The other saves of a displaced save's program.
    package func others(than displaced: DisplacedFile, standing current: DocumentSnapshot) -> OtherSaves {
        let isUnread = readerLog.isUnread(current.digest, at: displaced.target)
        return ownSaves.others(than: displaced, standing: isUnread ? nil : current.bytes)
    }

    /// Removes saves that no merge needs any more.
    package mutating func forgetSaves() {
        guard !ownSaves.isEmpty else { return }
        ownSaves.forget(except: displacedFiles.targets) { [readerLog] in readerLog.isTracking($0) }
    }
}
