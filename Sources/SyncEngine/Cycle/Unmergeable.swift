import Model
import Replica
import StateStore

/// What came out for a publication, and is nothing that can be merged: no file, or a save of more bytes than
/// a document may have.
extension Engine {
    /// A program has put a directory or a link where its document was, or a save that is too large. That gets
    /// the name again, and the document that comes out for it is examined in its turn.
    mutating func restoreName(_ displaced: DisplacedFile, at now: Moment) -> DisplacementOutcome {
        guard !displaced.isOrphan, let name = TemporaryName(displaced.place.path.name) else {
            writers.displacedFiles.keepUnrecognized(displaced, at: now.uptime)
            return .nothing
        }
        counters.races += 1
        do throws(FileError) {
            try replicas[displaced.side].restore(displaced.place, as: displaced.document)
            return .nameRestored
        } catch .exists {
            // Not free: the two change places.
        } catch {
            writers.displacedFiles.retry(displaced, .rarely, at: now.uptime)
            return .nameRestored
        }
        do throws(FileError) {
            if try exchange(displaced) {
                receiveExchanged(displaced, name, at: now)
            } else {
                writers.displacedFiles.keepUnrecognized(displaced, at: now.uptime)
            }
        } catch {
            writers.displacedFiles.retry(displaced, .rarely, at: now.uptime)
        }
        return .nameRestored
    }

    /// `false`: what stands there is no document either. Two strangers would change places for ever.
    private mutating func exchange(_ displaced: DisplacedFile) throws(FileError) -> Bool {
        let standing = try status(of: displaced.target)
        guard standing.kind == .regular, standing.signature.size <= Int64(settings.maxDocument) else {
            return false
        }
        try replicas[displaced.side].exchange(displaced.place, with: displaced.document)
        let again = writers.noteNameRestored(
            displaced,
            recorded: records[displaced.document]?.sides[displaced.side].digest,
            isExchanged: replicas[displaced.side].exchanges
        )
        lookAgain(at: again)
        debounceQueue.enqueue(displaced.document)
        return true
    }

    private mutating func receiveExchanged(_ displaced: DisplacedFile, _ name: TemporaryName, at now: Moment)
    {
        var out = displaced
        out.expected = .marked(name)
        // Where its program has saved again by now, that was made on what has its name again, and so on the
        // same base; no publication took its place.
        (out.publication, out.wasUnread, out.since) = (nil, false, nil)
        receive(out, at: now)
    }

    /// A save that is too large, and that was found to be so only once what took its place counted as agreed:
    /// its writer had it open. There again it would be what its program saves on, and that save would take
    /// back what was agreed on, and all that has been published since.
    mutating func keepLarge(_ displaced: DisplacedFile, at now: Moment) throws(FileError) {
        let size = try status(of: displaced.place).signature.size
        guard size <= settings.maxConflicts else {
            var staying = displaced
            staying.isTooLarge = true
            return writers.displacedFiles.keepUnrecognized(staying, at: now.uptime)
        }
        let bytes = try replicas[displaced.side].contents(of: displaced.place, limit: Int(size) + 1)
        let side = displaced.side
        let reason: ChangeReason =
            displaced.isLeftover ? .leftTooLarge(in: side) : .raced(in: side, .tooLarge)
        var copy = conflictRecord(bytes, displaced.isOrphan ? nil : displaced.document, side, reason)
        copy.base = BothSides { _ in displaced.base }
        // What stands there is what it was given up for.
        if !displaced.isOrphan, case .content(let snapshot) = content(side, displaced.document) {
            copy.other = snapshot.bytes
        }
        try keepConflictCopy(displaced.place, bytes, copy, reason)
        writers.accessLog.forgetBase(ofRacer: displaced)
    }
}
