import BridgeRuntime
import Documents
import Model

/// The document that a bar shows, and how.
struct BarTarget: Sendable {
    var shown: ShownTarget
    var painter: BarPainter
    /// The same kind or document, by the profile of an agent that has started again.
    let follow: @Sendable (Profile) throws -> ShownTarget

    /// - Parameter profile: that of the bridge.
    init(kind: String?, document: RelativePath?, template: LineTemplate?, _ profile: Profile?) throws {
        shown = try ShownTarget(kind: kind, document: document, profile)
        let shownKind = shown.shownKind
        let builtIn = try profile.flatMap { profile throws(BarError) in
            try BarTemplate.builtIn(profile: profile.id, kind: shownKind)
        }
        guard var chosen = template.map({ BarTemplate($0) }) ?? builtIn else {
            throw BarError.noTemplate(kind: shownKind)
        }
        chosen.percentage = builtIn?.percentage
        try chosen.line.check(shown.rule)
        follow = { try ShownTarget(kind: kind, document: document, $0) }
        painter = BarPainter(rule: shown.rule, template: chosen)
    }
}
