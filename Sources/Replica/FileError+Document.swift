package import Model

extension FileError {
    /// The same error about the document, if it is about a temporary file beside it. The bridge gives that
    /// file another name at every attempt, and a person does not know it.
    package func naming(_ document: RelativePath) -> FileError {
        guard let file, file.path.name.hasPrefix(TemporaryName.prefix),
            file.path.directory == document.directory
        else { return self }
        return at(Location(file.root, document))
    }

    /// Whether the same call failed for the same reason, for this file or another.
    package func isSame(as other: FileError) -> Bool { file.map { other.at($0) == self } ?? (self == other) }

    /// `nil` if the error is about a directory.
    private var file: Location? { if case .file(let file) = subject { file } else { nil } }

    private func at(_ file: Location) -> FileError {
        switch self {
        case .missing: .missing(file)
        case .exists: .exists(file)
        case .notRegular(_, let kind): .notRegular(file, kind)
        case .unsupported(let call, _): .unsupported(call, file)
        case .system(let errno, let call, _): .system(errno: errno, call, file)
        case .noDirectory, .directory: self
        }
    }
}
