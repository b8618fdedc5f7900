package import Documents
package import Model
package import Presentation

/// The one document whose content is shown, chosen by its kind, by its name, or because there is no other.
package struct ShownTarget: Sendable {
    package var document: RelativePath
    package var rule: DocumentRule
    /// `nil` for all notices of the document.
    package var kind: String?
    /// The size of the widget; `nil`: none, with all rows.
    package var family: WidgetFamily?
    package var locale: String?
    package var zone: JSONExpression.Zone

    /// The kinds that show the document: the chosen one, or all.
    package var kinds: [String] { kind.map { [$0] } ?? rule.kinds.map(\.name) }
    /// The kind that is shown: the first one if none was chosen.
    package var shownKind: String { kinds.first ?? rule.path }

    /// Why no document is chosen.
    package enum Fault: Error, Sendable, Hashable {
        /// `known` are the kinds that can be chosen.
        case noDocument(known: [String])
        /// The kind shows several.
        case severalDocuments(kind: String, [String])
        case notOf(kind: String, document: String)
        case noFamily(String, kind: String, known: [String])
    }

    /// - Parameters:
    ///   - zone: that of the bridge's configuration, for a profile without one.
    ///   - profile: that of the bridge.
    /// - Throws: a `Fault`, or `BridgeError.unknownKind`.
    package init(
        kind: String?,
        family: String? = nil,
        document: RelativePath?,
        locale: String? = nil,
        zone: JSONExpression.Zone? = nil,
        _ profile: Profile?
    ) throws {
        self.kind = kind
        self.locale = locale ?? profile?.locale
        self.zone = profile?.ownZone ?? zone ?? MachineTimeZone.zone
        self.document = try document ?? Self.document(of: kind, profile)
        let path = self.document.description
        rule = profile?.rule(for: path) ?? .plain(path: path)
        if let kind, !rule.kinds.contains(where: { $0.name == kind }) {
            throw Fault.notOf(kind: kind, document: path)
        }
        if let family {
            let families = widget?.families ?? []
            guard let found = families.first(where: { $0.name == family }) else {
                throw Fault.noFamily(family, kind: shownKind, known: families.map(\.name))
            }
            self.family = found
        }
    }

    /// The rule of the kind that is shown.
    private var widget: WidgetKind? { rule.kinds.first { $0.name == shownKind } ?? rule.kinds.first }

    /// What the kind shows of a document.
    ///
    /// - Parameters:
    ///   - stored: `nil` if there is none.
    ///   - now: in milliseconds since 1970.
    package func shown(_ stored: StoredDocument?, at now: Int64) -> Shown {
        let setting = WidgetSetting(locale: locale, zone: zone, now: now).with(family)
        let found = ShownDocument(of: stored?.bytes, rule, saved: stored?.modified ?? now, in: setting)
        return Shown(of: found, in: widget ?? WidgetKind(name: shownKind, shows: []), setting)
    }

    private static func document(of kind: String?, _ profile: Profile?) throws -> RelativePath {
        let rules = profile?.documents ?? []
        let candidates = kind.map { kind in rules.filter { $0.kinds.contains { $0.name == kind } } } ?? rules
        if let kind, candidates.isEmpty {
            try checkKind(kind, isNamedBy: profile)
            // A document that no profile names is a kind of its own name.
            if profile?.isDocument(kind) ?? true, let path = RelativePath(kind) { return path }
        }
        let isOne = candidates.count == 1 && !candidates[0].path.contains("*")
        if isOne, let path = RelativePath(candidates[0].path) { return path }
        if let kind, !candidates.isEmpty {
            throw Fault.severalDocuments(kind: kind, candidates.map(\.path))
        }
        throw Fault.noDocument(known: rules.flatMap(\.kinds).map(\.name))
    }
}
