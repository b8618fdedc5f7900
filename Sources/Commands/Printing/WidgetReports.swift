import AgentAPI
import BridgeRuntime
import Documents
import Reloads
import SyncEngine

extension [WidgetEntry] {
    func text(_ printer: TextPrinter) -> String {
        if isEmpty { return "no widgets are placed\n" }
        let rows = map { [$0.id, $0.kind.withoutControls, $0.family.withoutControls, local($0.at)] }
        let lines = printer.layout.table(["ID", "KIND", "FAMILY", "PLACED"], rows, styled: printer.bold)
        return lines.map { "\($0)\n" }.joined()
    }
}

/// What reloads have cost, and who was notified.
struct ReloadReport {
    var kinds: [KindLedger]
    var hooks: [HookReport]

    var json: JSONText {
        JSONText(
            object: [("kinds", JSONText(kinds.map(\.json)))]
                + (hooks.isEmpty ? [] : [("hooks", JSONText(hooks.map(\.json)))])
        )
    }

    func text(_ printer: TextPrinter) -> String {
        let widgets = kinds.filter { $0.activities == nil }
        let activities = kinds.filter { $0.activities != nil }
        let table = widgets.isEmpty && !activities.isEmpty ? "" : widgets.text(printer)
        return table + activities.activityText(printer) + hooks.text(printer)
    }
}

extension [HookReport] {
    fileprivate func text(_ printer: TextPrinter) -> String {
        if isEmpty { return "" }
        let rows = map { hook in
            [
                hook.name.withoutControls, "\(hook.runs)", "\(hook.failures)",
                hook.lastFailure.map { "\($0.withoutControls), \(hook.failedAt.map(local) ?? "")" } ?? "-",
            ]
        }
        let lines = printer.layout.table(["HOOK", "RUNS", "FAILED", "LAST"], rows, styled: printer.bold)
        return "\n" + lines.map { "\($0)\n" }.joined()
    }
}

extension [KindLedger] {
    fileprivate func text(_ printer: TextPrinter) -> String {
        if isEmpty { return "no kinds: there is no profile, and no widget is placed\n" }
        let heads = [
            "KIND", "STATE", "USED", "BUDGET", "EXEMPT", "COALESCED", "INVISIBLE", "DELAYED", "NEXT SLOT",
        ]
        let rows = map { kind in
            [
                kind.kind.withoutControls, kind.state.rawValue, "\(kind.used)",
                kind.budget.map { "\($0)" } ?? "unlimited", "\(kind.exempt)", "\(kind.coalesced)",
                "\(kind.invisible)", "\(kind.delayed)", kind.nextSlot.map(local) ?? "-",
            ]
        }
        let lines = printer.layout.table(heads, rows, idle: ["0", "-"], styled: printer.bold)
        return (lines + flatMap(\.remarks)).map { "\($0)\n" }.joined()
    }
}

extension KindLedger {
    /// What the table has no column for.
    fileprivate var remarks: [String] {
        let waits = waitsFor.map { widgets in
            "\(kind): a reload waits for a slot"
                + (widgets.isEmpty ? "" : " of \(listed(widgets)); it needs one in each placed widget")
        }
        let failures = failed.map { "\(kind): not acknowledged by \(listed($0))" }
        return [waits, failures].compactMap { $0?.withoutControls }
    }

    private func listed(_ words: [String]) -> String { words.joined(separator: ", ") }
}

extension [KindLedger] {
    fileprivate func activityText(_ printer: TextPrinter) -> String {
        let rows = flatMap { kind in
            (kind.activities ?? []).map { activity in
                [
                    kind.kind.withoutControls, activity.id.withoutControls, activity.state.words,
                    activity.startedAt.map(local) ?? "-", activity.endsAt.map(local) ?? "-",
                ]
            }
        }
        if rows.isEmpty { return isEmpty ? "" : "no Live Activities\n" }
        let heads = ["ACTIVITY", "ID", "STATE", "STARTED", "ENDS"]
        return "\n" + printer.layout.table(heads, rows, styled: printer.bold).map { "\($0)\n" }.joined()
    }
}

extension LiveActivityEntry.State {
    fileprivate var words: String { self == .tooLarge ? "over 4 kB" : rawValue }
}

extension AppStateReport {
    var text: String {
        guard let until else { return "the app is in the background\n" }
        return "\(state.rawValue) until \(local(until)): reloads are free\n"
    }
}

private func local(_ time: String) -> String {
    UTCTime.milliseconds(rfc3339: time).map { LocalTime.text($0) } ?? time
}
