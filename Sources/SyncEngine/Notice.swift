package import Model
import StateStore

/// "Kind K should reload": what a subscriber is told once the data it names can be read in the group
/// container.
package struct Notice: Hashable, Sendable {
    /// Counts the notices of one instance, from 1.
    package var sequence: Int64
    package var kind: String
    package var document: RelativePath
    /// Of the document: its agreed states, counted from 1.
    package var generation: Int64
    /// Of the bytes in the group container; `nil` where the document was deleted.
    package var hash: Digest?
    package var cause: Cause
    /// Milliseconds since 1970.
    package var at: Int64

    package init(
        sequence: Int64,
        kind: String,
        document: RelativePath,
        generation: Int64,
        hash: Digest?,
        cause: Cause,
        at: Int64
    ) {
        self.sequence = sequence
        self.kind = kind
        self.document = document
        self.generation = generation
        self.hash = hash
        self.cause = cause
        self.at = at
    }
}

extension JournalEvent {
    /// One for each kind.
    var notices: [Notice] {
        kinds.enumerated().map { place, kind in
            Notice(
                sequence: firstNotice + Int64(place),
                kind: kind,
                document: document,
                generation: generation,
                hash: hashes.group,
                cause: cause,
                at: at
            )
        }
    }
}
