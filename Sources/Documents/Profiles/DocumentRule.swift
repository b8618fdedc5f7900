/// What a profile says of one document.
package struct DocumentRule: Sendable {
    package var path: String
    package var kinds: [WidgetKind]
    /// A document that breaks its schema is carried all the same.
    package var passesInvalid = false
    /// Further versions in which it is published beside itself, read-only.
    package var views: [DocumentView] = []
    package var staleness: Staleness?
    /// The first one that fits a document is what a widget shows.
    package var errors: [ErrorState] = []
    /// The oldest first; empty, where the document has no versions.
    var versions: [VersionRule] = []
    var versionMark: VersionMark?
    /// In terms of the newest version.
    var mergeRules = MergeRules()
    var zone: TimeZoneRules?

    /// A document that no profile describes: no versions, and one kind with its own name.
    package static func plain(path: String) -> DocumentRule {
        DocumentRule(path: path, kinds: [WidgetKind(name: path, shows: [])])
    }

    /// `nil` where it has no versions.
    package var newest: Int? { versions.last?.number }

    /// The numbers of its versions, the oldest first.
    package var versionNumbers: [Int] { versions.map(\.number) }

    /// May a document be of that version? `nil` is what one without versions has.
    package func knows(version: Int?) -> Bool {
        version == nil ? versions.isEmpty : versions.contains { $0.number == version }
    }

    /// The lenses that lead to a version from the one before, as JSON. Two profiles of one text do the same.
    package func lensTexts(to version: Int) -> [String] {
        versions.first { $0.number == version }?.lensTexts ?? []
    }

    package func schema(of version: Int?) -> Schema? {
        versions.first { $0.number == version }?.schema
    }

    /// Where a document breaks the schema of its version; nothing, where there is no schema.
    package func violations(of document: JSON, version: Int?) -> [SchemaViolation] {
        schema(of: version)?.violations(of: document) ?? []
    }
}

extension DocumentRule {
    /// The error that a document tells of, which is given in the newest version; `nil` for a good one.
    package func errorState(of document: JSON) -> ErrorState? {
        errors.first { $0.schema.map { $0.violations(of: document).isEmpty } ?? false }
    }
}

/// One version of a document.
struct VersionRule: Sendable {
    var number: Int
    var schema: Schema?
    /// What a document of this version looks like, where no field tells.
    var shape: Schema?
    /// The steps that lead to it from the version before.
    var lenses: [any Lens] = []
    /// The same as JSON, so that a change of them can be seen.
    var lensTexts: [String] = []
}

/// How the version of a document is told.
enum VersionMark: Sendable {
    /// By a field, and what documents without it are.
    case field([UInt8], missing: Int?)
    /// By what it looks like: the newest version that fits.
    case shapes
}

/// When what a document says is too old to be shown as if it were new.
package struct Staleness: Sendable, Hashable {
    /// Where the time stands, in the newest version.
    package var field: JSONPointer?
    /// Seconds.
    package var after: Int
    /// What is to be thought of a document without the time.
    package var missingIsStale: Bool
}

/// A document that tells of an error, or of nothing.
package struct ErrorState: Sendable {
    package var name: String
    package var text: String
    /// What such documents look like, in the newest version; `nil` where it cannot be told by a document.
    package var schema: Schema?
}
