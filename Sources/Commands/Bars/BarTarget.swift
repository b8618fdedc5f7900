import BridgeRuntime
import Documents
import Model

/// The document that a bar shows, and how.
struct BarTarget: Sendable {
    var document: RelativePath
    /// `nil` for all notices of the document.
    var kind: String?
    var painter: BarPainter
    /// The same kind or document, by the profile of an agent that has started again.
    let follow: @Sendable (Profile) throws -> DocumentFollower.Target

    /// - Parameter profile: that of the bridge.
    init(kind: String?, document: RelativePath?, template: LineTemplate?, _ profile: Profile?) throws {
        let (path, shown) = try Self.chosen(kind, document, profile)
        let rule = profile?.rule(for: path.description) ?? .plain(path: path.description)
        if let kind, profile != nil, !rule.kinds.contains(where: { $0.name == kind }) {
            throw BarError.notOf(kind: kind, document: path.description)
        }
        let builtIn = try profile.flatMap { profile throws(BarError) in
            try BarTemplate.builtIn(profile: profile.id, kind: shown)
        }
        guard var chosen = template.map({ BarTemplate($0) }) ?? builtIn else {
            throw BarError.noTemplate(kind: shown)
        }
        chosen.percentage = builtIn?.percentage
        try chosen.line.check(rule)
        self.document = path
        self.kind = kind
        follow = { profile in
            let path = try Self.chosen(kind, document, profile).0
            return DocumentFollower.Target(name: path, rule: profile.rule(for: path.description))
        }
        painter = BarPainter(rule: rule, template: chosen)
    }

    /// Without `--document` the kind tells it, or else there is only one.
    private static func chosen(_ kind: String?, _ document: RelativePath?, _ profile: Profile?)
        throws -> (RelativePath, kind: String)
    {
        let rules = profile?.documents ?? []
        if let document {
            let kinds = profile?.rule(for: document.description).kinds
            return (document, kind ?? kinds?.first?.name ?? document.description)
        }
        let candidates = kind.map { kind in rules.filter { $0.kinds.contains { $0.name == kind } } } ?? rules
        if profile == nil, let kind, let path = RelativePath(kind) { return (path, kind) }
        if let kind, candidates.isEmpty { try checkKind(kind, isNamedBy: profile) }
        if let kind, candidates.count > 1 {
            throw BarError.severalDocuments(kind: kind, candidates.map(\.path))
        }
        guard candidates.count == 1, let rule = candidates.first, let path = RelativePath(rule.path),
            !rule.path.contains("*")
        else { throw BarError.noDocument(known: rules.flatMap(\.kinds).map(\.name)) }
        return (path, kind ?? rule.kinds.first?.name ?? rule.path)
    }
}
