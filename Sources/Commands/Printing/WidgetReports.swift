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

extension [KindLedger] {
    func text(_ printer: TextPrinter) -> String {
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
        let lines = printer.layout.table(heads, rows, styled: printer.bold)
        return lines.map { "\($0)\n" }.joined()
    }
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
