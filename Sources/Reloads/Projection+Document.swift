package import Documents
import Model

extension Projection {
    /// - Parameters:
    ///   - document: of the newest version; `nil` if it is missing.
    ///   - saved: when it was saved, in milliseconds since 1970.
    ///   - settings: for which widgets; at least one.
    package init(
        of document: JSON?,
        in kind: WidgetKind,
        _ rule: DocumentRule,
        saved: Int64,
        for settings: [WidgetSetting]
    ) {
        guard let document else {
            self = .missing
            return
        }
        // The kind shows the text of a state beside it or instead, so it is visible which one it is.
        let found = settings.first.map { rule.states.state(of: document, in: $0) } ?? FoundState()
        let isEmpty = found.rule?.state == .noData || found.rule?.state == .placeholder
        var visible: [UInt8] = []
        var isFaulty = found.fault != nil
        if kind.content.isEmpty {
            visible = kind.visibleContent(of: document)
        } else {
            for setting in settings {
                let values = ShownValues(of: document, kind.content, in: setting)
                visible += values.canonicalBytes
                isFaulty = isFaulty || values.fault != nil
            }
        }
        self.init(
            content: Digest(of: visible),
            staleAt: rule.staleness?.staleAt(document, saved: saved, zone: rule.zone),
            isError: found.rule?.state == .error || isFaulty,
            isEmpty: isEmpty ? true : nil
        )
        state = found.identity.isEmpty ? nil : Digest(of: found.identity)
        stateChangesAt = found.changesAt
    }
}
