import Reconciliation
import Storage

/// The look of a file whose stamps do not say yet that a later change would give it another.
struct YoungSignature: Sendable {
    var signature: Signature
    /// A time by which it looked like this; it was first seen before that.
    var since: Duration?
}

extension Engine {
    /// The signature to remember, if a later change is sure to change it: at once where the kernel gives a
    /// queried file's next change a stamp of its own, else once the stamp is older than a tick.
    ///
    /// Stamps may be of a time to come: somebody has set them, or the clock was set back. Then what counts is
    /// that the file has looked like this for a tick of uptime, and was read after that.
    mutating func trusted(_ signature: Signature, of file: Location, at now: Moment) -> Signature? {
        let grain = files.timestampGrain
        guard grain > .zero else { return signature }
        let (seconds, attoseconds) = grain.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let newest = max(signature.changed, signature.modified)
        if newest < now.unixNanoseconds - nanoseconds {
            if !young.isEmpty { young[file] = nil }
            return signature
        }
        guard let known = young[file], known.signature == signature else {
            young[file] = YoungSignature(signature: signature)
            return nil
        }
        guard let since = known.since else {
            young[file]?.since = now.uptime
            return nil
        }
        guard now.uptime - since > grain else { return nil }
        young[file] = nil
        return signature
    }

    /// What is gone needs no trust.
    mutating func forgetYoung(in input: PlanInput) {
        guard !young.isEmpty else { return }
        for side in Side.allCases where input.isAbsent(side) { young[Location(side, input.document)] = nil }
    }
}
