/// Whether a translated document is of the version that it was made for.
package struct VersionCheck {
    let rule: DocumentRule

    package init(by rule: DocumentRule) { self.rule = rule }

    /// Checks that a document which was made from version `from` for version `to` is recognized as such: else
    /// the next run would migrate it again.
    ///
    /// On the way to an older version it may also be recognized as a newer one that says the same of it, as
    /// a document without any of the fields in which they differ is.
    package func check(_ made: JSON, from: Int, to: Int) throws(DocumentError) {
        guard case .shapes = rule.versionMark else { return }
        let reading = rule.version(of: made)
        if reading == .known(to) { return }
        if to < from, case .known(let other) = reading, try says(made, in: to, noMoreThanIn: other) { return }
        throw .otherVersion(to, reading)
    }

    /// Whether a document of two versions has the same values in the newest one, whichever it is read as,
    /// except those that the lenses from the first version add.
    private func says(_ made: JSON, in version: Int, noMoreThanIn other: Int) throws(DocumentError) -> Bool {
        guard let newest = rule.newest else { return true }
        let meaning = try rule.translate(made, from: version, to: newest, agreed: nil)
        let others = try rule.translate(made, from: other, to: newest, agreed: nil)
        return JSONPatch.diff(from: others, to: meaning).operations.allSatisfy {
            if case .add = $0 { true } else { false }
        }
    }
}

extension Schema {
    /// The pointers at which a document must have this number.
    func marks(of number: Int) -> [JSONPointer] { marks(of: number, 0, at: .root) }

    private func marks(of number: Int, _ index: Int, at place: JSONPointer) -> [JSONPointer] {
        let rule = rules[index]
        if let constant = rule.constant, json.kind(constant) == .number,
            ExactDecimal(json.slice(constant)).integer == number
        {
            return [place]
        }
        return rule.propertyList.flatMap { key, property in
            rule.required.contains(key) ? marks(of: number, property, at: place.appending(key)) : []
        }
    }
}
