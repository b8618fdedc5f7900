/// What a profile says of one document.
package struct DocumentRule: Sendable {
    package var path: String
    package var kinds: [WidgetKind]
    /// The oldest first; empty, where the document has no versions.
    var versions: [VersionRule]
    var versionMark: VersionMark?
    /// In terms of the newest version.
    var mergeRules = MergeRules()

    init(path: String, kinds: [WidgetKind], versions: [VersionRule] = [], versionMark: VersionMark? = nil) {
        self.path = path
        self.kinds = kinds
        self.versions = versions
        self.versionMark = versionMark
    }

    /// A document that no profile describes: no versions, and one kind with its own name.
    package static func plain(path: String) -> DocumentRule {
        DocumentRule(path: path, kinds: [WidgetKind(name: path, shows: [])])
    }

    /// `nil` where it has no versions.
    package var newest: Int? { versions.last?.number }
}

/// A kind of widget, and what of the document can be seen on it.
package struct WidgetKind: Sendable, Hashable {
    package var name: String
    /// In the newest version. Empty: the whole document.
    package var shows: [JSONPointer]

    package init(name: String, shows: [JSONPointer]) {
        self.name = name
        self.shows = shows
    }
}

/// One version of a document.
struct VersionRule: Sendable {
    var number: Int
    /// The steps that lead to it from the version before.
    var lenses: [any Lens]
}

/// How the version of a document is told.
struct VersionMark: Sendable {
    /// The field that holds it.
    var field: [UInt8]
    /// The version of documents without that field.
    var missing: Int?
}

extension DocumentRule {
    /// The names of the kinds whose fields differ by value, in the profile's order. `nil` is an absent
    /// document. Both are given in the newest version.
    package func kinds(changedBetween old: JSON?, and new: JSON?) -> [String] {
        guard let old, let new else {
            return old == nil && new == nil ? [] : kinds.map(\.name)
        }
        if old.bytes == new.bytes { return [] }
        return kinds.filter { $0.isChanged(old, new) }.map(\.name)
    }
}

extension WidgetKind {
    fileprivate func isChanged(_ old: JSON, _ new: JSON) -> Bool {
        guard !shows.isEmpty else { return !old.isEqual(to: new) }
        return shows.contains { pointer in
            switch (old.node(at: pointer), new.node(at: pointer)) {
            case (let a?, let b?): !old.isEqual(a, to: new, b)
            case (nil, nil): false
            default: true
            }
        }
    }
}
