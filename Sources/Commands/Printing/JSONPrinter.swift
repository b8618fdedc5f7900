import AgentAPI
import BridgeRuntime
import Documents
import Model
import RaceLab

/// A report as JSON for programs: one object on one line for each bridge.
struct JSONPrinter {
    func text(_ report: Report) -> String {
        lines(report).map { "\($0)\n" }.joined()
    }

    private func lines(_ report: Report) -> [JSONText] {
        switch report {
        case .nothing: []
        case .status(let all): all.map { $0.value.json.with(bridge: $0.bridge) }
        case .plan(let all): all.map { $0.value.json.with(bridge: $0.bridge) }
        case .story(let story): [story.json]
        case .value(let value): [value.json]
        case .shown(let shown): [shown]
        case .difference(let difference): [difference.json]
        case .deleted(let deleted): [deleted.json]
        case .document(let document), .stored(let document): [line(document)]
        case .conflicts(let conflicts): conflicts.map(\.json)
        case .history(let history): history.map(\.json)
        case .edit(let edit): [edit.json]
        case .allowed(let allowed): [allowed.json]
        case .paused(let all): all.map { $0.value.pause.json.with(bridge: $0.bridge) }
        case .checks(let files): files.map(line)
        case .hashes(let files):
            files.map { ["file": JSONText($0.path), "hash": JSONText($0.hash.description)] }
        case .profiles(let profiles): profiles.map(\.line)
        case .profile(let profile, _): [profile.summary]
        case .findings(let findings): findings.map(\.json)
        case .reloads(let simulation): simulation.json
        case .ledger(let report): [report.json]
        case .widgets(let widgets): widgets.map(\.json)
        case .widget(let widget, _): [widget.json]
        case .appState(let state): [state.json]
        case .exploration(let exploration): [exploration.report.json]
        case .replayed(let run): [run.picture.json]
        case .observation(let observation): [observation.json]
        case .processes(let reports, _): reports.map(\.json)
        case .corpus(let corpus): [corpus.json]
        case .presets(let scenarios): scenarios.map(\.json)
        case .preset(let scenario, _): [scenario.json]
        case .scenarioFindings(let findings): findings.map(\.json)
        case .diagnosis(let all):
            all.flatMap { one in one.value.map { $0.json.with(bridge: one.bridge) } }
        }
    }

    private func line(_ document: StoredDocument) -> JSONText {
        [
            "name": JSONText(document.name.description), "side": JSONText(document.side.rawValue),
            "hash": JSONText(document.hash.description),
        ]
    }

    private func line(_ file: CheckedFile) -> JSONText {
        var members: [(String, JSONText)] = [
            ("file", JSONText(file.path)), ("valid", JSONText(file.isValid)),
            ("error", JSONText(file.fault?.reason)),
            ("warnings", JSONText(file.warnings.map { JSONText($0.reason) })),
        ]
        if let profile = file.profile {
            members.append(("version", JSONText(profile.version)))
            members.append(("problems", JSONText(profile.problems.map(\.json))))
        }
        return JSONText(object: members)
    }
}
