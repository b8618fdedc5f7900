import Model
import Replica
import StateStore

/// Handles displaced files that cannot be merged: not a regular file, or above the size limit.
extension Engine {
    /// A program replaced its document with a directory or a link, or with a too large file. That gets its
    /// name back, and the publication, which is displaced by that, is examined in turn.
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
            // The name is taken: exchanges the two.
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

    /// `false` if the current file is not a document either: exchanging the two would never end.
    private mutating func exchange(_ displaced: DisplacedFile) throws(FileError) -> Bool {
        let standing = try status(of: displaced.target)
        guard standing.kind == .regular, standing.signature.size <= Int64(settings.maxDocument) else {
            return false
        }
        try replicas[displaced.side].exchange(displaced.place, with: displaced.document)
        let again = writers.recordRestoredName(
            displaced,
            recorded: records[displaced.document]?.sides[displaced.side].digest,
            isExchanged: replicas[displaced.side].exchanges(displaced.document)
        )
        lookAgain(at: again)
        debounceQueue.enqueue(displaced.document)
        return true
    }

    private mutating func receiveExchanged(_ displaced: DisplacedFile, _ name: TemporaryName, at now: Moment)
    {
        var out = displaced
        out.expected = .marked(name)
        // If its program has saved again by now, that save was based on the file that got its name back, and
        // so on the same base; no publication replaced it.
        (out.publication, out.wasUnread, out.since) = (nil, false, nil)
        receive(out, at: now)
    }

    /// A too large save that was recognized only after the content that replaced it became the base, because
    /// its writer had it open. If it got its name back, the program's next save would be based on it, and
    /// undo the base and all later publications.
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
        // The current content is the one that won over it.
        if !displaced.isOrphan, case .content(let snapshot) = content(side, displaced.document) {
            copy.other = snapshot.bytes
        }
        try keepConflictCopy(displaced.place, bytes, copy, reason)
        writers.readerLog.forgetBase(ofRacer: displaced)
    }
}
