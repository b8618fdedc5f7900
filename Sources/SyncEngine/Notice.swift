package import Model
import StateStore

/// A request to reload a widget kind, sent to subscribers once its data can be read in the group container.
package struct Notice: Hashable, Sendable {
    /// The number of the notice within one journal instance, from 1.
    package var sequence: Int64
    package var kind: String
    package var document: RelativePath
    /// The generation of the document.
    package var generation: Int64
    /// The hash of the bytes in the group container; `nil` if the document was deleted.
    package var hash: Digest?
    package var cause: Cause
    /// Milliseconds since 1970.
    package var at: Int64
    /// It had to wait until the budget of the kind allowed it.
    package var isDelayed: Bool
    /// A repetition: the notice was sent before, and not acknowledged.
    package var isRepeated: Bool

    package init(
        sequence: Int64,
        kind: String,
        document: RelativePath,
        generation: Int64,
        hash: Digest?,
        cause: Cause,
        at: Int64,
        isDelayed: Bool = false,
        isRepeated: Bool = false
    ) {
        self.sequence = sequence
        self.kind = kind
        self.document = document
        self.generation = generation
        self.hash = hash
        self.cause = cause
        self.at = at
        self.isDelayed = isDelayed
        self.isRepeated = isRepeated
    }
}

extension JournalEvent {
    /// One notice per kind.
    var notices: [Notice] {
        kinds.enumerated().map { place, kind in
            Notice(
                sequence: firstNotice + Int64(place),
                kind: kind,
                document: document,
                generation: generation,
                hash: hashes.group,
                cause: cause,
                at: at,
                isDelayed: what == .reloadedLate,
                isRepeated: what == .reloadedAgain
            )
        }
    }
}
