import Model

/// What a placed widget shows, as far as notices show it.
private struct ShownWidget {
    let widget: ScenarioWidget
    let document: Int
    var shown: Int
    var current: Int
    /// The step since which it shows an old state.
    var oldSince: Int?
    /// When each content came to the group container.
    var arrivals: [Int: Duration] = [:]
    /// When what it shows becomes stale; `nil` if it does not, or a notice said so.
    var staleAt: Duration?
    /// Its reloads that showed something new.
    var needed: [Duration] = []

    var budget: Int { widget.budget ?? 40 }
}

/// Finds widgets that do not show what they could, and taps that are lost.
///
/// The engine may be kept from acting in any schedule; so what counts is when it means to act next.
struct WidgetCheck {
    private let history: History
    private let isShown: ShownChange
    private(set) var anomalies: [Anomaly] = []

    private static let patience = Duration.seconds(1)
    private static let day = Duration.seconds(86_400)

    init(_ history: History, _ isShown: @escaping ShownChange) {
        (self.history, self.isShown) = (history, isShown)
        checkWidgets()
        checkTaps()
    }

    private mutating func checkWidgets() {
        for widget in history.widgets {
            guard let document = history.documents.firstIndex(of: widget.document) else { continue }
            let version = history.start.indices.contains(document) ? history.start[document].group : 0
            var shown = ShownWidget(widget: widget, document: document, shown: version, current: version)
            for (number, step) in history.steps.enumerated() { judge(step, number, &shown) }
        }
    }

    private mutating func judge(_ step: Step, _ number: Int, _ shown: inout ShownWidget) {
        switch step.what {
        case .changed where step.document == shown.document && step.side == .group:
            shown.current = step.version ?? History.absent
            shown.arrivals[shown.current] = step.time
            record(number, &shown)
        case .notified where isOf(step, shown):
            let version = step.version ?? History.absent
            if isVisible(version, shown) { shown.needed.append(step.time) }
            shown.shown = version
            shown.oldSince = nil
            record(number, &shown)
            let arrival = shown.arrivals[version] ?? step.time
            shown.staleAt = shown.widget.staleAfter.map { arrival + .seconds($0) }
        case .aged where isOf(step, shown): shown.staleAt = nil
        case .idle:
            judgeFrozen(step, number, &shown)
            judgeStale(step, number, &shown)
        default: break
        }
    }

    private func isOf(_ step: Step, _ shown: ShownWidget) -> Bool {
        step.document == shown.document && history.kinds.indices.contains(step.kind)
            && history.kinds[step.kind] == shown.widget.kind
    }

    private func isVisible(_ version: Int, _ shown: ShownWidget) -> Bool {
        isShown(shown.document, shown.shown, version).contains(shown.widget.kind)
    }

    private func record(_ number: Int, _ shown: inout ShownWidget) {
        shown.oldSince = isVisible(shown.current, shown) ? shown.oldSince ?? number : nil
    }

    private mutating func judgeFrozen(_ step: Step, _ number: Int, _ shown: inout ShownWidget) {
        let used = shown.needed.count { $0 > step.time - Self.day }
        guard let since = shown.oldSince, used < shown.budget, !acts(step, by: step.time) else { return }
        let wait = step.wake.map { "for \(($0 - step.time).components.seconds) s" } ?? "for ever"
        add(
            .frozenWidget,
            shown,
            since...number,
            "shows an old state since step \(since), and \(history.lanes[step.lane].label) waits \(wait) at step \(number), "
                + "though it showed something new only \(used == 1 ? "once" : "\(used) times") of "
                + "\(shown.budget) within 24 hours",
            lane: step.lane
        )
        // Once is enough.
        shown.oldSince = nil
    }

    private mutating func judgeStale(_ step: Step, _ number: Int, _ shown: inout ShownWidget) {
        guard let staleAt = shown.staleAt, !acts(step, by: max(staleAt, step.time)),
            let later = history.steps[number...].firstIndex(where: { $0.time > staleAt })
        else { return }
        add(
            .staleAsFresh,
            shown,
            number...later,
            "shows as fresh at step \(later) what is older than \(shown.widget.staleAfter ?? 0) s",
            lane: step.lane
        )
        shown.staleAt = nil
    }

    private func acts(_ step: Step, by time: Duration) -> Bool {
        step.wake.map { $0 <= time + Self.patience } ?? false
    }

    private mutating func add(
        _ kind: AnomalyKind,
        _ shown: ShownWidget,
        _ steps: ClosedRange<Int>,
        _ words: String,
        lane: Int
    ) {
        var evidence = Anomaly.Evidence()
        evidence.versions = [shown.shown, shown.current]
        anomalies.append(
            Anomaly(
                kind: kind,
                document: shown.document,
                side: .group,
                lane: lane,
                steps: steps,
                evidence: evidence,
                sentence: "\(shown.widget.kind) \(words): \(history.documents[shown.document])."
            )
        )
    }

    /// A tap must have been handled at the end, or wait for the app.
    private mutating func checkTaps() {
        guard let rest = history.rest, rest.unrest == nil else { return }
        let handled = Set(history.steps.filter { $0.what == .handled }.compactMap(\.tap))
        for (number, step) in history.steps.enumerated() where step.what == .tapped {
            guard let tap = step.tap, !handled.contains(tap), !rest.taps.contains(tap) else { continue }
            var evidence = Anomaly.Evidence()
            evidence.edits = [tap]
            anomalies.append(
                Anomaly(
                    kind: .lostTap,
                    document: 0,
                    side: nil,
                    lane: step.lane,
                    steps: number...max(number, history.steps.count - 1),
                    evidence: evidence,
                    sentence:
                        "\(history.lanes[step.lane].label)'s tap i\(tap) of step \(number) never reaches the app, "
                        + "and waits nowhere."
                )
            )
        }
    }
}
