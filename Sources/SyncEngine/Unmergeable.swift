import Reconciliation
import Storage

/// What came out for a publication, and is nothing that can be merged: no file, or a save of more bytes than
/// a document may have.
extension Engine {
    /// A program has put a directory or a link where its document was, or a save that is too large. That gets
    /// the name again, and the document that comes out for it is examined in its turn.
    mutating func giveBack(_ aside: Aside, at now: Moment) -> Receipt {
        let target = Location(aside.side, aside.document)
        guard !aside.isOrphan, let name = TemporaryName(aside.place.path.name) else {
            layForGood(aside, at: now)
            return .nothing
        }
        counters.races += 1
        do throws(FileError) {
            try files.move(aside.place, to: target)
            return .givenBack
        } catch .exists {
            // Not free: the two change places.
        } catch {
            lay(aside, at: now, for: Self.longestRetry)
            return .givenBack
        }
        do throws(FileError) {
            if try exchange(aside) {
                receiveExchanged(aside, name, at: now)
            } else {
                layForGood(aside, at: now)
            }
        } catch {
            lay(aside, at: now, for: Self.longestRetry)
        }
        return .givenBack
    }

    /// `false`: what stands there is no document either. Two strangers would change places for ever.
    private mutating func exchange(_ aside: Aside) throws(FileError) -> Bool {
        let standing = try files.status(of: aside.target)
        guard standing.kind == .regular, standing.signature.size <= Int64(settings.maxDocument) else {
            return false
        }
        try files.rename(aside.place, to: aside.target, .exchange)
        noteGivenBack(aside)
        settler.enqueue(aside.document)
        return true
    }

    private mutating func receiveExchanged(_ aside: Aside, _ name: TemporaryName, at now: Moment) {
        var out = aside
        out.expected = .marked(name)
        // Where its program has saved again by now, that was made on what has its name again, and so on the
        // same base; no publication took its place.
        (out.publication, out.wasUnread, out.since) = (nil, false, nil)
        receive(out, at: now)
    }

    /// A save that is too large, and that was found to be so only once what took its place counted as agreed:
    /// its writer had it open. There again it would be what its program saves on, and that save would take
    /// back what was agreed on, and all that has been published since.
    mutating func keepLarge(_ aside: Aside, at now: Moment) throws(FileError) {
        let size = try files.status(of: aside.place).signature.size
        guard size <= settings.maxConflicts else {
            var staying = aside
            staying.isTooLarge = true
            return layForGood(staying, at: now)
        }
        let bytes = try files.contents(of: aside.place, limit: Int(size) + 1)
        let side = aside.side
        let reason =
            aside.isLeftover
            ? "left in \(side.rawValue) by a run that was killed, and larger than a document may be: it is kept"
            : "saved in \(side.rawValue) while another save was published, and larger than a document may be: "
                + "\(side.other.rawValue)'s stands, \(side.rawValue)'s is kept"
        var loser = lost(bytes, aside.isOrphan ? nil : aside.document, side, reason)
        loser.base = BothSides { _ in aside.base }
        // What stands there is what it was given up for.
        if !aside.isOrphan, case .content(let sight) = content(side, aside.document) {
            loser.other = sight.bytes
        }
        try keepLoser(aside.place, bytes, loser)
        forgetBase(ofRacer: aside)
    }
}
