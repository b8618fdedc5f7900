import Documents
import Model
import Reloads
import StateStore

/// What widgets show of a document before and after a change, and which of them reload for it.
extension ReloadGate {
    /// Which kinds reload at once, and what else the policy grants with it.
    mutating func change(
        _ path: RelativePath,
        from before: JSON?,
        to after: JSON?,
        _ rule: DocumentRule,
        _ cause: Cause,
        saved: Int64,
        at now: Moment
    ) -> (kinds: [String], others: [ReloadGrant]) {
        let setting = setting(at: now)
        var kinds: [String] = []
        var others: [ReloadGrant] = []
        for kind in rule.kinds {
            guard governs(kind.name) else {
                if kind.isChanged(from: before, to: after, rule, in: setting) { kinds.append(kind.name) }
                continue
            }
            if let before, projection(of: path, in: kind.name) == nil {
                let shown = projection(of: before, in: kind, rule, saved: saved, at: now)
                others += know(path, of: kind.name, as: shown, at: now)
            }
            let known = projection(of: path, in: kind.name)
            let new = projection(of: after, from: before, path, in: kind, rule, saved: saved, at: now)
            // What no placed family shows costs no slot, and is told nevertheless.
            var isTold =
                kind.content.dependsOnWidget && known.map(new.looksLike) ?? false
                && kind.isChanged(from: before, to: after, rule, in: setting)
            for var grant in change(kind.name, document: path, to: new, cause: cause, at: now) {
                if !grant.isDelayed, grant.documents.contains(path) {
                    isTold = true
                    if grant.documents.count == 1 { continue }
                    grant.documents.removeAll { $0 == path }
                }
                others.append(grant)
            }
            if isTold { kinds.append(kind.name) }
        }
        return (kinds, others)
    }

    /// The kind shows this document already, as far as is known; but where time has made another state of it
    /// meanwhile, it reloads.
    mutating func find(_ path: RelativePath, of kind: String, as shown: Projection, at now: Moment)
        -> [ReloadGrant]
    {
        guard let known = projection(of: path, in: kind), known.state != shown.state,
            let change = known.stateChangesAt, change <= now.unixMilliseconds
        else { return know(path, of: kind, as: shown, at: now) }
        return self.change(kind, document: path, to: shown, cause: .time, at: now)
    }

    /// What the placed widgets of the kind show, or those of all families if none is placed.
    func projection(
        of document: JSON?,
        in kind: WidgetKind,
        _ rule: DocumentRule,
        saved: Int64,
        at now: Moment
    ) -> Projection {
        let isAlike = !kind.content.dependsOnWidget
        let families = isAlike ? [] : families(of: kind.name)
        let settings = kind.settings(of: families, like: setting(at: now))
        return Projection(of: document, in: kind, rule, saved: saved, for: settings)
    }

    /// The same after a change. What time alone has made of the content is no change: where both documents
    /// show the same now, the content stays that of the last reload.
    func projection(
        of after: JSON?,
        from before: JSON?,
        _ path: RelativePath,
        in kind: WidgetKind,
        _ rule: DocumentRule,
        saved: Int64,
        at now: Moment
    ) -> Projection {
        var new = projection(of: after, in: kind, rule, saved: saved, at: now)
        guard kind.content.readsMoment, let before, let known = projection(of: path, in: kind.name),
            projection(of: before, in: kind, rule, saved: saved, at: now).content == new.content
        else { return new }
        new.content = known.content
        return new
    }

    /// Where and when widgets are, of no size.
    func setting(at now: Moment) -> WidgetSetting {
        WidgetSetting(locale: locale, zone: zone, now: now.unixMilliseconds)
    }

    /// Those of its placed widgets.
    private func families(of kind: String) -> Set<String> {
        Set(widgets.lazy.filter { $0.kind == kind }.map(\.widget.family))
    }
}
