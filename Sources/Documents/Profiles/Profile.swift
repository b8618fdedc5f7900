/// The description of one app: its documents, versions, lenses and kinds.
package struct Profile: Sendable {
    package var id: String
    /// The text it was read from, which distinguishes two editions of a profile.
    package var yaml = ""
    /// One sentence about the app.
    package var about: String
    /// The App Group's ID, and other IDs that parts of the app use instead.
    package var group: String
    package var otherGroups: [String]
    package var locale: String?
    package var timeZone: ProfileTimeZone?
    /// Its times of day are those of each machine, as it says.
    package var followsMachineZone = false
    /// Which of the documents are synced.
    package var filter = DocumentFilter()
    package var documents: [DocumentRule] { didSet { index = DocumentIndex(documents) } }
    /// The version that a side is pinned to, if any.
    package var appVersion: Int?
    package var groupVersion: Int?
    package var deepLinks: [String]
    /// Texts of the app's widgets, by purpose.
    package var strings: [ProfileFact]
    /// Other statements of the app's description.
    package var facts: [ProfileFact]

    /// The rule of documents that the profile does not name; `nil` for documents without versions.
    package var ruleForOthers: DocumentRule?
    /// Whether that is the rule of documents that the profile names, too.
    package var isRuleForOthersForAll = false
    var index = DocumentIndex()

    /// The rule of a document; the one for a document without a profile if nothing else applies.
    package func rule(for path: String) -> DocumentRule {
        if isRuleForOthersForAll, let ruleForOthers { return ruleForOthers }
        return named(path) ?? ruleForOthers ?? .plain(path: path)
    }

    /// `nil` if no name and no pattern of `documents` matches.
    package func named(_ path: String) -> DocumentRule? { index.rule(of: path, in: documents) }

    /// The rule of a pattern, given the pattern or a name that it matches; `nil` if a rule has exactly this
    /// name.
    package func pattern(fitting text: String) -> DocumentRule? {
        index.pattern(fitting: text).map { documents[$0] }
    }

    /// Where programs keep documents in stores, the containers are those of a device: other files there are
    /// the app's own, and may be private.
    package mutating func syncOnlyNamed() { filter.named = documents.map(\.path) }

    /// Whether a file of this name is a document: the profile names it, or it has the usual name of one, and
    /// the profile does not leave it out.
    package func isDocument(_ path: String) -> Bool {
        if document(ofView: path) != nil || filter.exclusion(of: path) != nil { return false }
        return isDocumentName(path) || !isTemporaryName(path) && named(path) != nil
    }
}

package struct ProfileTimeZone: Sendable, Hashable {
    package var name: String
    package var rules: TimeZoneRules
}

/// A named statement of a profile.
package struct ProfileFact: Sendable, Hashable {
    package var name: String
    package var text: String
}
