package import Model

/// What a migration did to one document, or was about to do: one line of its log.
package struct MigrationEntry: Sendable, Hashable, Codable {
    package var document: RelativePath
    package var side: Side
    package var from: Int
    package var to: Int
    package var before: Digest
    package var after: Digest
    /// The version that the side was pinned to before; `nil` if it was not pinned.
    package var pin: Int?

    package init(
        document: RelativePath,
        side: Side,
        from: Int,
        to: Int,
        before: Digest,
        after: Digest,
        pin: Int? = nil
    ) {
        self.document = document
        self.side = side
        self.from = from
        self.to = to
        self.before = before
        self.after = after
        self.pin = pin
    }

    package var place: MigrationPlace { MigrationPlace(document: document, side: side) }
}

package struct MigrationPlace: Sendable, Hashable, Comparable {
    package var document: RelativePath
    package var side: Side

    package init(document: RelativePath, side: Side) {
        self.document = document
        self.side = side
    }

    package static func < (a: Self, b: Self) -> Bool { (a.document, a.side) < (b.document, b.side) }
}
