package import Model

/// Decides which signatures can be remembered, because any later change of the file would alter them.
///
/// It keeps the signatures that are too recent for that, and their age. It accesses no file.
package struct SignatureTrust: Sendable {
    private var young: [Location: YoungSignature] = [:]

    /// A signature so recent that a later change may have the same timestamps.
    private struct YoungSignature: Sendable {
        var signature: Signature
        /// A time at which it had this signature, and was not first seen.
        var since: Duration?
    }

    package init() {}

    /// The signature to remember, if a later change is sure to alter it: at once where the kernel gives the
    /// next change of a queried file a distinct timestamp (`grain` is zero), otherwise once the timestamp is
    /// older than a tick.
    ///
    /// Timestamps may be in the future: a program set them, or the clock was set back. Then the file must
    /// have had this signature for a tick of uptime, and have been read after that.
    package mutating func trusted(
        _ signature: Signature,
        of file: Location,
        grain: Duration,
        at now: Moment
    ) -> Signature? {
        guard grain > .zero else { return signature }
        let grain = Self.grain(of: signature, atLeast: grain)
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

    /// How far apart two changes must be to alter the timestamps. Those of FAT and exFAT are even seconds,
    /// and those of other old file systems whole ones.
    package static func grain(of signature: Signature, atLeast grain: Duration) -> Duration {
        let isWhole = [signature.changed, signature.modified].allSatisfy { $0 % 1_000_000_000 == 0 }
        return isWhole && grain > .zero ? max(grain, .seconds(2)) : grain
    }

    /// A missing file needs none.
    package mutating func forget(_ file: Location) {
        if !young.isEmpty { young[file] = nil }
    }
}
