package import Model

/// Which looks of files can be remembered, because a later change is sure to give the file another.
///
/// It owns the signatures whose stamps do not tell that yet, and since when the files have looked like that.
/// It touches no file.
package struct SignatureTrust: Sendable {
    private var young: [Location: YoungSignature] = [:]

    /// The look of a file whose stamps do not say yet that a later change would give it another.
    private struct YoungSignature: Sendable {
        var signature: Signature
        /// A time by which it looked like this; it was first seen before that.
        var since: Duration?
    }

    package init() {}

    /// The signature to remember, if a later change is sure to change it: at once where the kernel gives a
    /// queried file's next change a stamp of its own (`grain` is zero), else once the stamp is older than a
    /// tick.
    ///
    /// Stamps may be of a time to come: somebody has set them, or the clock was set back. Then what counts is
    /// that the file has looked like this for a tick of uptime, and was read after that.
    package mutating func trusted(
        _ signature: Signature,
        of file: Location,
        grain: Duration,
        at now: Moment
    ) -> Signature? {
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
    package mutating func forget(_ file: Location) {
        if !young.isEmpty { young[file] = nil }
    }
}
