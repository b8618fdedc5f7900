/// One app described as data.
package struct Profile: Sendable {
    package var id: String
    /// What it was read from: two editions of one profile differ in it.
    package var yaml = ""
    /// What it is, in a sentence.
    package var about: String
    /// The App Group's id, and others that parts of the app take for it.
    package var group: String
    package var otherGroups: [String]
    package var locale: String?
    package var timeZone: ProfileTimeZone?
    package var documents: [DocumentRule] { didSet { index = DocumentIndex(documents) } }
    /// The version that a side is made to speak, if the profile pins it.
    package var appVersion: Int?
    package var groupVersion: Int?
    package var deepLinks: [String]
    /// What a widget says, by what it is for.
    package var strings: [ProfileFact]
    /// What else the app's own description states.
    package var facts: [ProfileFact]

    /// What documents are taken for that it does not name; `nil`: for plain ones.
    package var ruleForOthers: DocumentRule?
    var index = DocumentIndex()

    /// What it says of a document; a plain one, where it says nothing.
    package func rule(for path: String) -> DocumentRule {
        named(path) ?? ruleForOthers ?? .plain(path: path)
    }

    /// `nil` where no name and no pattern of `documents` fits.
    package func named(_ path: String) -> DocumentRule? { index.rule(of: path, in: documents) }

    /// The rule under a pattern, given that pattern or a name that it fits; `nil` where a rule has the name.
    package func pattern(fitting text: String) -> DocumentRule? {
        index.pattern(fitting: text).map { documents[$0] }
    }

    /// Is a file of this name a document? Those the profile names are, and the usual ones.
    package func isDocument(_ path: String) -> Bool {
        if document(ofView: path) != nil { return false }
        return isDocumentName(path) || !isTemporaryName(path) && named(path) != nil
    }
}

package struct ProfileTimeZone: Sendable, Hashable {
    package var name: String
    package var rules: TimeZoneRules
}

/// Something that is stated, by name.
package struct ProfileFact: Sendable, Hashable {
    package var name: String
    package var text: String
}

/// Is a file of this name a document, where no profile says more?
package func isDocumentName(_ path: String) -> Bool {
    path.utf8.count > 5 && path.utf8.suffix(5).elementsEqual(".json".utf8) && !isTemporaryName(path)
}

/// Hidden files, what is in hidden directories, and what editors and Foundation leave for a while.
func isTemporaryName(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty else { return true }
    if parts.contains(where: { $0.first == UInt8(ascii: ".") }) { return true }
    if name.elementsEqual("4913".utf8) { return true }
    return ["~", ".tmp", ".swp"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
}
