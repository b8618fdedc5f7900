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

/// A field with a number of a version.
typealias VersionPart = (place: JSONPointer, number: ExactDecimal)

extension Schema {
    /// The places at which a document must have this number, each after those that come before it in its
    /// object and have numbers of their own: a version may have two parts, the first in another field.
    func marks(of number: Int) -> [[VersionPart]] { marks(of: number, 0, at: .root) }

    private func marks(of number: Int, _ index: Int, at place: JSONPointer) -> [[VersionPart]] {
        let rule = rules[index]
        if let constant = self.number(index), constant.integer == number { return [[(place, constant)]] }
        var before: [VersionPart] = []
        var marks: [[VersionPart]] = []
        for (key, property) in rule.propertyList {
            let there = place.appending(key)
            if rule.required.contains(key) {
                marks += self.marks(of: number, property, at: there).map { before + $0 }
            }
            if let constant = self.number(property) { before.append((there, constant)) }
        }
        return marks
    }

    /// The number that a value must be.
    private func number(_ index: Int) -> ExactDecimal? {
        rules[index].constant.flatMap {
            json.kind($0) == .number ? ExactDecimal(json.slice($0)) : nil
        }
    }
}
