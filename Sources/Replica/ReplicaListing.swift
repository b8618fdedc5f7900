package import Model

/// The entries below a directory.
package struct ReplicaListing: Sendable {
    /// All entries except directories and hidden files, in listing order.
    package var files: [RelativePath] = []
    /// Temporary files of earlier runs.
    package var temporaries: [(Location, TemporaryName)] = []
    /// Directories that could not be listed: their documents are unknown.
    package var unlisted: [RelativePath: FileError] = [:]
    /// Names that are not valid UTF-8 paths, escaped.
    package var unnamable: [String] = []

    package init() {}
}

/// The status of a document, or of another entry at its path.
package struct DocumentStatus: Sendable, Hashable {
    package var kind: FileKind
    package var signature: Signature
    /// No user has write permission.
    package var isReadOnly: Bool

    package init(kind: FileKind, signature: Signature, isReadOnly: Bool) {
        (self.kind, self.signature, self.isReadOnly) = (kind, signature, isReadOnly)
    }
}
