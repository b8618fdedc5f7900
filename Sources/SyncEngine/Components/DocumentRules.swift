package import Documents
package import Model
import StateStore

/// What the profile says of documents, and which version of each a side is made to speak.
///
/// It owns the profile, and the versions that a migration has left documents in: those bind the sides once
/// the journal has them.
package struct DocumentRules: Sendable {
    package let profile: Profile?
    /// By the settings.
    private let fixed: BothSides<Int?>
    private(set) var pins: VersionPins

    /// `pins`: as the journal keeps them.
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

    /// The version each side is made to speak: by the settings, by a migration, or by the profile. One that
    /// the profile no longer knows binds nobody.
    package func pinnedVersions(of path: RelativePath) -> BothSides<Int?> {
        let known = rule(for: path).versionNumbers
        return BothSides { side in
            if let version = fixed[side] { return version }
            if let version = pins[path, side], known.contains(version) { return version }
            return side == .app ? profile?.appVersion : profile?.groupVersion
        }
    }

    /// Makes the sides speak these versions once the journal has them.
    mutating func pin(
        _ versions: VersionPins,
        in journal: inout JournalBuffer
    ) throws(JournalError) {
        try journal.record([.value(versions.text, key: VersionPins.key)])
        pins = versions
    }
}
