package import Model

/// Where a store keeps a document.
package struct StoreAddress: Sendable, Hashable {
    /// Beneath the container.
    package var file: RelativePath
    package var part: Part

    package enum Part: Sendable, Hashable {
        case key(String)
        case row(table: String, key: String)
        /// Several keys, none of which has all of it.
        case keys
    }

    package var isRow: Bool { if case .row = part { true } else { false } }

    package init(_ file: RelativePath, _ part: Part) { (self.file, self.part) = (file, part) }
}
