/// What a profile says about one document.
package struct DocumentRule: Sendable {
    package var path: String
    package var kinds: [WidgetKind]
    /// Whether documents that violate their schema are synced as well.
    package var passesInvalid = false
    package var direction = DocumentDirection.both
    /// Set for files that are not JSON.
    package var asset: AssetRule?
    /// Further versions that are published beside the document, read-only.
    package var views: [DocumentView] = []
    package var staleness: Staleness?
    package var activities: [LiveActivityRule] = []
    package var states = StateRules()
    /// Where the app's and the widget's programs keep the document, by platform.
    package var stores: [StorePlatform: StorePair] = [:]
    /// The oldest first; empty if the document has no versions.
    var versions: [VersionRule] = []
    var versionMark: VersionMark?
    /// In terms of the newest version.
    var mergeRules = MergeRules()
    package var zone: TimeZoneRules?

    /// The rule of a document without a profile: no versions, and one kind with the document's name.
    package static func plain(path: String) -> DocumentRule {
        DocumentRule(path: path, kinds: [WidgetKind(name: path, shows: [])])
    }

    /// `nil` if it has no versions.
    package var newest: Int? { versions.last?.number }

    /// The numbers of its versions, the oldest first.
    package var versionNumbers: [Int] { versions.map(\.number) }

    /// The field that has the version in a document of this version; `nil` if there is none.
    package func versionField(of version: Int) -> [UInt8]? {
        guard case .field(let key, let missing) = versionMark, missing != version else { return nil }
        return key
    }

    /// Whether the app's value may lose a conflict, or both may count.
    package var decidesConflicts: Bool { !mergeRules.ownedByGroup.isEmpty || !mergeRules.fields.isEmpty }

    /// Whether it has this version; `nil` is the version of a document without versions.
    package func knows(version: Int?) -> Bool {
        version == nil ? versions.isEmpty : versions.contains { $0.number == version }
    }

    /// The lenses to a version from the previous one, as JSON. Equal texts migrate in the same way.
    package func lensTexts(to version: Int) -> [String] {
        versions.first { $0.number == version }?.lensTexts ?? []
    }

    package func schema(of version: Int?) -> Schema? {
        versions.first { $0.number == version }?.schema
    }

    /// Where a document violates the schema of its version; empty if there is no schema.
    package func violations(of document: JSON, version: Int?) -> [SchemaViolation] {
        schema(of: version)?.violations(of: document) ?? []
    }

    /// One of them.
    package func firstViolation(of document: JSON, version: Int?) -> SchemaViolation? {
        schema(of: version)?.firstViolation(of: document)
    }
}

/// One version of a document.
package struct VersionRule: Sendable {
    /// Programs of the field begin to count at -1, 0 or 1.
    static let least = -1

    /// As a profile and a command line write it.
    package static func number(_ text: String) -> Int? {
        Int(text).flatMap { $0 >= least && String($0) == text ? $0 : nil }
    }

    var number: Int
    var schema: Schema?
    /// The schema that recognizes documents of this version, if no field holds the version.
    var shape: Schema?
    /// The lenses from the previous version.
    var lenses: [any Lens] = []
    /// The lenses as JSON, to detect that they changed.
    var lensTexts: [String] = []
}

/// How the version of a document is recognized.
enum VersionMark: Sendable {
    /// By a field; `missing` is the version of documents without it.
    case field([UInt8], missing: Int?)
    /// By shape: the newest version that matches.
    case shapes
}
