package import Model
import Replica
import StateStore

/// A program that keeps its document in memory saves over what it has never read. Taken against the newest
/// base such a save would undo that. So where the kernel's queue tells that nobody has read it, the save is
/// taken against what its program had last read or saved.
///
/// An access event is no hint: it only says on which base a save was made.
extension Engine {
    /// The kernel's queue can be heard: who reads, and who saves.
    package var tracksAccess: Bool {
        get { accessLog.tracksAccess }
        set { accessLog.tracksAccess = newValue }
    }

    /// Who read, and who saved, in the order of the kernel's queue.
    package mutating func hear(_ event: AccessEvent, of path: RelativePath, on side: Side) {
        let place = Location(side, path)
        switch accessLog.hear(event, of: place) {
        case .none: break
        case .heard:
            // Before a plan takes what stands there for made of a save that is not merged yet.
            displacedFiles.retryWaitingForAccess(of: place)
        case .forgotten(let answered): lookAgain(at: answered)
        }
    }

    /// Events were lost, or told of under another path; `nil` is the whole container.
    package mutating func forgetEvidence(on side: Side, beneath directory: RelativePath? = nil) {
        lookAgain(at: accessLog.forget(on: side, beneath: directory))
    }

    /// Somebody has to tell when all events of what was done before now have been heard.
    package var hasQuestions: Bool { accessLog.hasUnsentQuestions }

    package mutating func asked(_ token: UInt64) { accessLog.asked(token) }

    package mutating func answered(_ token: UInt64, at now: Moment) {
        lookAgain(at: accessLog.answered(token, at: now.uptime))
    }

    /// What could not be decided there can be now.
    mutating func lookAgain(at answered: [Location]) {
        for place in answered {
            debounceQueue.enqueue(place.path)
            displacedFiles.retry(of: place)
        }
    }

    /// A change of a document must wait until it is known on what it was made.
    mutating func mustAsk(about input: PlanInput, at now: Moment) -> Bool {
        guard accessLog.tracksAccess else { return false }
        var isAsking = false
        for side in Side.allCases {
            let isUnheard = if case .problem(.unheard) = input.observed[side] { true } else { false }
            let place = Location(side, input.document)
            switch accessLog.readiness(of: place, isUnheard: isUnheard, at: now.uptime) {
            case .ready: continue
            case .asked: break
            case .soon: debounceQueue.schedule(place.path, at: now.uptime + DebounceQueue.together)
            }
            isAsking = true
        }
        return isAsking
    }

    // MARK: Bases

    /// What the programs of a side had last read or saved, where that is not the newest base.
    func known(to side: Side, in input: PlanInput) throws(FileError) -> PlanInput.WriterBase? {
        let place = Location(side, input.document)
        guard let snapshot = input.snapshot(side),
            let seen = accessLog.lastSeen(before: snapshot.digest, at: place),
            let bytes = try kept(seen, of: place)
        else { return nil }
        let newest = accessLog.newest(at: place)
        let before = ownSaves.saves(at: place, before: snapshot.bytes)
        if newest == input.record?.sides[side].digest {
            return PlanInput.WriterBase(bytes: bytes, own: before)
        }
        guard let own = accessLog.own(at: place), own.digest == newest else { return nil }
        return PlanInput.WriterBase(bytes: bytes, published: own.bytes, own: before)
    }

    /// What a save was made on that came out for a publication. It is told once; but not where it cannot be
    /// read now.
    mutating func base(ofRacer displaced: DisplacedFile) throws(FileError) -> [UInt8]? {
        guard let digest = accessLog.base(ofRacer: displaced) else { return nil }
        let bytes = try kept(digest, of: displaced.target)
        accessLog.forgetBase(ofRacer: displaced)
        return bytes
    }

    /// `nil` where it is nowhere any more, which a read that fails does not tell.
    private func kept(_ digest: Digest, of place: Location) throws(FileError) -> [UInt8]? {
        if let pinned = accessLog.pinned(digest, at: place) { return pinned }
        // Also what is on its way to the trash, or could not be taken there yet.
        let waiting =
            displacedFiles.places(displacedFrom: place) + discards.temporaries(of: place)
        var failure: FileError?
        for file in [Trash.place(of: digest)].compactMap(\.self) + waiting {
            do throws(FileError) {
                let bytes = try contents(of: file)
                if Digest(of: bytes) == digest { return bytes }
            } catch .missing, .noDirectory, .notRegular {
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }

    // MARK: Publications

    /// An exchange has put `bytes` in the place of `expected`; `isSave`: which a program had saved. `seen`:
    /// how it looks there since, where nobody has changed it.
    mutating func notePublication(
        _ staged: Staged,
        _ bytes: [UInt8],
        over expected: Digest,
        isSave: Bool,
        seen: Signature?
    ) {
        let place = staged.target
        ownSaves.notePublished(bytes, at: place)
        guard accessLog.tracksAccess else { return }
        // Only an exchange can be told from other renames.
        guard replicas[of: place].exchanges else { return lookAgain(at: accessLog.forgetReaders(of: place)) }
        let own = OwnContent(bytes: bytes, digest: staged.digest, signature: seen)
        accessLog.notePublished(own, at: place, over: expected, isSave: isSave)
    }

    /// What both sides agree on is recorded.
    mutating func noteReaders(after job: PendingCommit) {
        for side in Side.allCases where accessLog.tracksAccess {
            accessLog.noteRecorded(
                records[job.path]?.sides[side].digest,
                at: Location(side, job.path),
                save: job.plan.writes[side] == nil ? job.input.snapshot(side)?.digest : nil,
                isRemoved: job.plan.removes
            )
        }
    }

    mutating func noteSavesOfTheSame(in input: PlanInput) {
        for side in Side.allCases {
            guard case .unchanged = input.observed[side] else { continue }
            let place = Location(side, input.document)
            lookAgain(at: accessLog.noteUnchanged(input.record?.sides[side].digest, at: place))
        }
    }

    /// A save that the bridge made for somebody: with `expected`, for one who says what he has seen.
    mutating func notePut(_ digest: Digest, at place: Location, isBlind: Bool) {
        guard accessLog.tracksAccess else { return }
        lookAgain(
            at: replicas[of: place].exchanges
                ? accessLog.notePut(digest, at: place, isBlind: isBlind)
                : accessLog.forgetReaders(of: place)
        )
    }

    mutating func noteNameRestored(_ displaced: DisplacedFile) {
        notePut(Digest(of: []), at: displaced.target, isBlind: true)
        let recorded = records[displaced.document]?.sides[displaced.side].digest
        accessLog.noteNameRestored(displaced, recorded: recorded)
    }

    // MARK: Own saves

    /// A displaced save has been merged on top of what stood there, or is all in it.
    mutating func note(
        merged bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot? = nil
    ) {
        if let current, !accessLog.isUnread(current.digest, at: displaced.target) {
            ownSaves.note(standing: current.bytes, at: displaced.target)
        }
        ownSaves.note(merged: bytes, displaced)
    }

    /// A displaced save that waits will meet what its program has saved since.
    mutating func noteLaterSaves(in input: PlanInput) {
        guard !ownSaves.isEmpty, !displacedFiles.isEmpty else { return }
        for side in Side.allCases {
            let place = Location(side, input.document)
            guard let snapshot = input.snapshot(side), displacedFiles.isWaiting(at: place),
                !accessLog.isUnread(snapshot.digest, at: place)
            else { continue }
            ownSaves.note(standing: snapshot.bytes, at: place, madeOf: input.known[side]?.bytes)
        }
    }

    func otherSaves(than displaced: DisplacedFile, _ current: DocumentSnapshot) -> OtherSaves {
        let isUnread = accessLog.isUnread(current.digest, at: displaced.target)
        return ownSaves.others(than: displaced, standing: isUnread ? nil : current.bytes)
    }

    mutating func forgetSaves() {
        guard !ownSaves.isEmpty else { return }
        ownSaves.forget(except: displacedFiles.targets) { [accessLog] in accessLog.isTracking($0) }
    }
}
