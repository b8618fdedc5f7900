package import Documents
package import Model
import StateStore

/// The profile's rules for documents, and the version that each side is pinned to.
///
/// It keeps the profile, and the versions that a migration pinned; these take effect once the journal has
/// them.
package struct DocumentRules: Sendable {
    package let profile: Profile?
    /// From the settings.
    private let fixed: BothSides<Int?>
    private(set) var pins: VersionPins

    /// `pins`: as stored in the journal.
    package init(_ profile: Profile?, fixed: BothSides<Int?> = BothSides(app: nil, group: nil), pins: String?)
    {
        (self.profile, self.fixed) = (profile, fixed)
        self.pins = VersionPins(text: pins ?? "")
    }

    package func isDocument(_ path: RelativePath) -> Bool {
        profile?.isDocument(path.description) ?? isDocumentName(path.description)
    }

    package func rule(for path: RelativePath) -> DocumentRule {
        profile?.rule(for: path.description) ?? .plain(path: path.description)
    }

    package func document(ofView path: RelativePath) -> RelativePath? {
        profile?.document(ofView: path.description).flatMap { RelativePath($0) }
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
