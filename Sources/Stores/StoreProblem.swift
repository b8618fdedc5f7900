package import Model

/// Why a document cannot be read from its store, or written to it.
package struct StoreProblem: Error, Sendable, Hashable {
    /// The store's file in its container.
    package var file: RelativePath
    package var reason: Reason

    package enum Reason: Sendable, Hashable {
        case file(StoreFault)
        case value(StoreMismatch)
        case database(DatabaseFault)
        /// The value of this key is in a file of its own beside AsyncStorage's manifest, or is too long for
        /// the manifest.
        case outsideManifest(key: String)
    }

    package init(_ file: RelativePath, _ reason: Reason) { (self.file, self.reason) = (file, reason) }
}
