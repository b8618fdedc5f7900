package import Documents
package import Model
import StateStore

/// The profile's rules for documents, and the version that each side is pinned to.
///
/// It keeps the profile, and the versions that a migration pinned; these take effect once the journal has
/// them.
package struct DocumentRules: Sendable {
    package let profile: Profile?
    /// From the settings; the profile has another one.
    private let filter: DocumentFilter
    /// From the settings.
    private let fixed: BothSides<Int?>
    private(set) var pins: VersionPins

    /// `pins`: as stored in the journal.
    package init(
        _ profile: Profile?,
        filter: DocumentFilter = DocumentFilter(),
        fixed: BothSides<Int?> = BothSides(app: nil, group: nil),
        pins: String?
    ) {
        (self.profile, self.filter, self.fixed) = (profile, filter, fixed)
        self.pins = VersionPins(text: pins ?? "")
    }

    package init(_ profile: Profile?, _ settings: EngineSettings, pins: String?) {
        self.init(profile, filter: settings.filter, fixed: settings.pinnedVersions, pins: pins)
    }

    package func isDocument(_ path: RelativePath) -> Bool {
        (profile?.isDocument(path.description) ?? isDocumentName(path.description))
            && filter.exclusion(of: path.description) == nil
    }

    /// Why a document is not synced although its name is a document's.
    package func exclusion(of path: RelativePath) -> DocumentFilter.Exclusion? {
        DocumentFilter.exclusion(of: path.description, by: profile, filter)
    }

    package func rule(for path: RelativePath) -> DocumentRule {
        profile?.rule(for: path.description) ?? .plain(path: path.description)
    }

    /// The only side whose changes of the document are synced; `nil`: both.
    package func source(of path: RelativePath) -> Side? {
        rule(for: path).direction.source.map { Side($0) }
    }

    package func document(ofView path: RelativePath) -> RelativePath? {
        let document = profile?.document(ofView: path.description).flatMap { RelativePath($0) }
        return document.flatMap { exclusion(of: $0) == nil ? $0 : nil }
    }

    /// The version that each side must have: from the settings, a migration, or the profile. A version that
    /// the profile does not have any more is ignored.
    package func pinnedVersions(of path: RelativePath) -> BothSides<Int?> {
        let known = rule(for: path).versionNumbers
        return BothSides { side in
            if let version = fixed[side] { return version }
            if let version = pins[path, side], known.contains(version) { return version }
            return side == .app ? profile?.appVersion : profile?.groupVersion
        }
    }

    /// Pins the sides to these versions once the journal has them.
    mutating func pin(
        _ versions: VersionPins,
        in journal: inout JournalBuffer
    ) throws(JournalError) {
        try journal.record([.value(versions.text, key: VersionPins.key)])
        pins = versions
    }
}
