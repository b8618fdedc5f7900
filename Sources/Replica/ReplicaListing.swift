package import Model

/// What lies in a directory, and in those beneath it.
package struct ReplicaListing: Sendable {
    /// All but directories, and what a dot hides, in the order they were found.
    package var files: [RelativePath] = []
    /// What a run has left.
    package var temporaries: [(Location, TemporaryName)] = []
    /// Directories that could not be listed: what lies in them is not known.
    package var unlisted: [RelativePath: FileError] = [:]
    /// Names that no path can say, escaped.
    package var unnamable: [String] = []

    package init() {}
}

/// How a document, or what stands in its place, looks from outside.
package struct DocumentStatus: Sendable, Hashable {
    package var kind: FileKind
    package var signature: Signature
    /// Nobody may write to it.
    package var isReadOnly: Bool

    package init(kind: FileKind, signature: Signature, isReadOnly: Bool) {
        (self.kind, self.signature, self.isReadOnly) = (kind, signature, isReadOnly)
    }
}
