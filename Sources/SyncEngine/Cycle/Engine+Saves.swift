import Documents
package import Model
import Replica
import StateStore

/// What programs read and saved, as it is heard, and what is to be looked at because of that.
extension Engine {
    /// The kernel's queue can be heard: who reads, and who saves.
    package var tracksAccess: Bool {
        get { writers.accessLog.tracksAccess }
        set { writers.accessLog.tracksAccess = newValue }
    }

    /// Who read, and who saved, in the order of the kernel's queue.
    package mutating func hear(_ event: AccessEvent, of path: RelativePath, on side: Side) {
        lookAgain(at: writers.hear(event, of: Location(side, path)))
    }

    /// Events were lost, or told of under another path; `nil` is the whole container.
    package mutating func forgetEvidence(on side: Side, beneath directory: RelativePath? = nil) {
        lookAgain(at: writers.forgetReaders(on: side, beneath: directory))
    }

    /// Somebody has to tell when all events of what was done before now have been heard.
    package var hasQuestions: Bool { writers.accessLog.hasUnsentQuestions }

    package mutating func asked(_ token: UInt64) { writers.accessLog.asked(token) }

    package mutating func answered(_ token: UInt64, at now: Moment) {
        lookAgain(at: writers.answered(token, at: now.uptime))
    }

    mutating func lookAgain(at documents: [RelativePath]) {
        for path in documents { debounceQueue.enqueue(path) }
    }

    /// What a save was made on that came out for a publication. It is told once; but not where it cannot be
    /// read now.
    mutating func base(ofRacer displaced: DisplacedFile) throws(FileError) -> [UInt8]? {
        guard let digest = writers.accessLog.base(ofRacer: displaced) else { return nil }
        let bytes = try kept(digest, of: displaced.target)
        writers.accessLog.forgetBase(ofRacer: displaced)
        return bytes
    }

    /// `nil` where it is nowhere any more, which a read that fails does not tell.
    func kept(_ digest: Digest, of place: Location) throws(FileError) -> [UInt8]? {
        if let pinned = writers.accessLog.pinned(digest, at: place) { return pinned }
        // Also what is on its way to the trash, or could not be taken there yet.
        let waiting =
            writers.displacedFiles.places(displacedFrom: place) + discards.temporaries(of: place)
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

    /// An exchange has put `bytes` in the place of `expected`; `isSave`: which a program had saved. `seen`:
    /// how it looks there since, where nobody has changed it.
    mutating func notePublication(
        _ staged: Staged,
        _ bytes: [UInt8],
        over expected: Digest,
        isSave: Bool,
        seen: Signature?
    ) {
        let again = writers.notePublished(
            OwnContent(bytes: bytes, digest: staged.digest, signature: seen),
            at: staged.target,
            over: expected,
            isSave: isSave,
            isExchanged: replicas[of: staged.target].exchanges
        )
        lookAgain(at: again)
    }

    /// A displaced save and what stands there now; `nil` where they cannot be merged. On the app's side the
    /// app's change is the save, on the group's side what was being brought there.
    func forwardMerge(_ save: [UInt8], _ displaced: DisplacedFile, onTopOf current: DocumentSnapshot)
        -> ForwardMerge?
    {
        // What its program saved later stands.
        let part = displaced.isLate ? .group : displaced.side
        // Its program may have saved again, with or without having read what was brought there.
        let parties: MergeParties = displaced.isFromOtherSide(current.digest) ? .sides : .savesOfOneSide
        return rule(for: displaced.document)
            .forwardMerge(
                save,
                base: displaced.base,
                of: part,
                onTopOf: current,
                between: parties,
                writers.others(than: displaced, standing: current),
                limits: limits
            )
    }
}
