package import Model

extension Location {
    /// Of a second name that a document gets to be replaced without an exchange.
    package static var secondNameSuffix: String { "0" }

    /// Of a second name that a document got to be replaced without an exchange: what was to be renamed over
    /// the first. While that lies there, it was not.
    package var temporaryOfSecondName: Location? {
        guard path.name.hasSuffix(Self.secondNameSuffix),
            let path = path.sibling(String(path.name.dropLast(Self.secondNameSuffix.count)))
        else { return nil }
        return Location(root, path)
    }
}
