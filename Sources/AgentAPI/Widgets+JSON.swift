package import BridgeRuntime
package import Documents
import Reloads
package import SyncEngine

// Placed widgets and their reloads as JSON; the derived `Decodable` reads it back.

extension WidgetEntry {
    package var json: JSONText {
        ["id": JSONText(id), "kind": JSONText(kind), "family": JSONText(family), "at": JSONText(at)]
    }
}

extension KindLedger {
    package var json: JSONText {
        let lists = [("waitsFor", waitsFor), ("failed", failed)].compactMap { name, words in
            words.map { (name, JSONText($0.map { JSONText($0) })) }
        }
        return JSONText(
            object: members + lists + (activities.map { [("activities", JSONText($0.map(\.json)))] } ?? [])
        )
    }

    private var members: [(String, JSONText)] {
        [
            ("kind", JSONText(kind)), ("state", JSONText(state.rawValue)), ("used", JSONText(used)),
            ("budget", JSONText(budget)), ("exempt", JSONText(exempt)), ("coalesced", JSONText(coalesced)),
            ("invisible", JSONText(invisible)), ("delayed", JSONText(delayed)),
            ("nextSlot", JSONText(nextSlot)),
        ]
    }
}

extension LiveActivityEntry {
    fileprivate var json: JSONText {
        [
            "id": JSONText(id), "state": JSONText(state.rawValue), "startedAt": JSONText(startedAt),
            "endsAt": JSONText(endsAt),
        ]
    }
}

extension AppStateReport {
    package var json: JSONText { ["state": JSONText(state.rawValue), "until": JSONText(until)] }
}

/// The body of a list.
package struct WidgetList: Decodable { package var widgets: [WidgetEntry] }
package struct LedgerList: Codable {
    package var kinds: [KindLedger]

    package init(kinds: [KindLedger]) { self.kinds = kinds }

    package var json: JSONText { ["kinds": JSONText(kinds.map(\.json))] }
}

extension HookReport {
    package var json: JSONText {
        [
            "name": JSONText(name), "runs": JSONText(runs), "failures": JSONText(failures),
            "isRunning": JSONText(isRunning), "lastFailure": JSONText(lastFailure),
            "failedAt": JSONText(failedAt),
        ]
    }
}

package struct HookList: Codable {
    package var hooks: [HookReport]

    package init(hooks: [HookReport]) { self.hooks = hooks }

    package var json: JSONText { ["hooks": JSONText(hooks.map(\.json))] }
}
