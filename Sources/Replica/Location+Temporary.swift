package import Model

extension Location {
    /// The suffix of a second name, with which a document is replaced without an exchange.
    package static var secondNameSuffix: String { "0" }

    /// The temporary file that was to replace the document with this second name, without an exchange. While
    /// the second name exists, the rename did not happen.
    package var temporaryOfSecondName: Location? {
        guard path.name.hasSuffix(Self.secondNameSuffix),
            let path = path.sibling(String(path.name.dropLast(Self.secondNameSuffix.count)))
        else { return nil }
        return Location(root, path)
    }
}
