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
    /// When the file was created, in nanoseconds since 1970; 0 if the file system does not record it.
    package var born: Int64

    package init(kind: FileKind, signature: Signature, isReadOnly: Bool, born: Int64 = 0) {
        (self.kind, self.signature, self.isReadOnly, self.born) = (kind, signature, isReadOnly, born)
    }
}
