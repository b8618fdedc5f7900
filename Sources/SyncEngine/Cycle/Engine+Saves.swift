import Documents
package import Model
import Replica
import StateStore

/// Handles access events, and decides which documents to read because of them.
extension Engine {
    /// Whether access events are available.
    package var tracksAccess: Bool {
        get { writers.readerLog.tracksAccess }
        set { writers.readerLog.tracksAccess = newValue }
    }

    /// Takes events in the order of the kernel's queue.
    package mutating func hear(_ event: AccessEvent, of path: RelativePath, on side: Side) {
        lookAgain(at: writers.hear(event, of: Location(side, path)))
    }

    /// Events were lost, or were reported under another path; `nil` is the whole container.
    package mutating func forgetEvidence(on side: Side, beneath directory: RelativePath? = nil) {
        lookAgain(at: writers.forgetReaders(on: side, beneath: directory))
    }

    /// Whether a token must be sent, to learn when all earlier events have arrived.
    package var hasQuestions: Bool { writers.readerLog.hasUnsentQuestions }

    package mutating func asked(_ token: UInt64, at now: Moment) {
        writers.readerLog.asked(token, at: now.uptime)
    }

    package mutating func answered(_ token: UInt64, at now: Moment) {
        lookAgain(at: writers.answered(token, at: now.uptime))
    }

    mutating func lookAgain(at documents: [RelativePath]) {
        for path in documents { debounceQueue.enqueue(path) }
    }

    /// The base of a save that a publication displaced. It is returned once, unless it cannot be read now.
    mutating func base(ofRacer displaced: DisplacedFile) throws(FileError) -> [UInt8]? {
        guard let digest = writers.readerLog.base(ofRacer: displaced) else { return nil }
        let bytes = try kept(digest, of: displaced.target)
        writers.readerLog.forgetBase(ofRacer: displaced)
        return bytes
    }

    /// `nil` if it is not stored anywhere; throws if a read failed.
    func kept(_ digest: Digest, of place: Location) throws(FileError) -> [UInt8]? {
        if let pinned = writers.readerLog.pinned(digest, at: place) { return pinned }
        // Includes files that wait for the trash, or that it rejected.
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

    /// An exchange replaced `expected` with `bytes`; `isSave`: a program had saved `expected`. `seen`: the
    /// signature since, if unchanged.
    mutating func recordPublication(
        _ staged: Staged,
        _ bytes: [UInt8],
        over expected: Digest,
        isSave: Bool,
        seen: Signature?
    ) {
        let again = writers.recordPublication(
            OwnContent(bytes: bytes, digest: staged.digest, signature: seen),
            at: staged.target,
            over: expected,
            isSave: isSave,
            isExchanged: replicas[of: staged.target].exchanges(staged.target.path)
        )
        lookAgain(at: again)
    }

    /// Merges a displaced save with the current content; `nil` if they cannot be merged. On the app's side,
    /// the app's change is the save; on the group's side, it is the content that was being published.
    func forwardMerge(_ save: [UInt8], _ displaced: DisplacedFile, onTopOf current: DocumentSnapshot)
        -> ForwardMerge?
    {
        // The program's later save wins.
        let part = displaced.isLate ? .group : displaced.side
        // The program may have saved again, with or without having read the publication.
        let parties: MergeParties =
            if displaced.isLate {
                .laterAndRest
            } else {
                displaced.isFromOtherSide(current.digest) ? .sides : .savesOfOneSide
            }
        return rule(for: displaced.document)
            .forwardMerge(
                save,
                base: displaced.base,
                of: part,
                onTopOf: current,
                between: parties,
                writers.others(than: displaced, standing: current),
                settled: writers.settledBase(of: displaced),
                limits: limits
            )
    }
}
