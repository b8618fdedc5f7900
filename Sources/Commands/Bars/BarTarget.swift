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
        let shown = try ShownTarget(kind: kind, document: document, profile)
        let builtIn = try profile.flatMap { profile throws(BarError) in
            try BarTemplate.builtIn(profile: profile.id, kind: shown.shownKind)
        }
        guard var chosen = template.map({ BarTemplate($0) }) ?? builtIn else {
            throw BarError.noTemplate(kind: shown.shownKind)
        }
        chosen.percentage = builtIn?.percentage
        try chosen.line.check(shown.rule)
        self.document = shown.document
        self.kind = kind
        follow = { DocumentFollower.Target(try ShownTarget(kind: kind, document: document, $0)) }
        painter = BarPainter(rule: shown.rule, template: chosen)
    }
}
