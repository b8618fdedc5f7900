package import Documents
package import Model
import StateStore
import SyncEngine

extension Scenario {
    /// The hash of everything that determines a run, without the descriptions. Scenarios with equal hashes
    /// give equal traces for a schedule.
    package var hash: Digest {
        // The hash has stayed the same since there was no setting for access events, and since the side of
        // an agent was printed.
        Digest(of: Array(JSONText(object: workload(isHashed: true)).description.utf8))
    }

    /// `init(yaml:file:)` reads it back, since JSON is YAML.
    package var json: JSONText {
        var members: [(String, JSONText)] = [("name", JSONText(name))]
        if !about.isEmpty { members.append(("about", JSONText(about))) }
        members += workload(isHashed: false)
        if checks.count < AnomalyKind.allCases.count {
            members.append(("checks", JSONText(checks.sorted().map { JSONText($0.rawValue) })))
        }
        if let expected { members.append(("expect", JSONText(expected.rawValue))) }
        return JSONText(object: members)
    }

    private func workload(isHashed: Bool) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [("engine", JSONText(engine.rawValue))]
        if let profile { members.append(("profile", JSONText(profile))) }
        members.append(("documents", JSONText(documents.map(\.json))))
        if !widgets.isEmpty {
            members.append(("widgets", JSONText(object: widgets.map { ($0.kind, $0.json) })))
        }
        members.append(("machine", machine.json))
        var settings = [
            ("durability", JSONText(settings.durability.rawValue)),
            ("commit", JSONText(settings.commit.rawValue)),
        ]
        if tracksAccess || !isHashed { settings.append(("evidence", JSONText(tracksAccess))) }
        members.append(("settings", JSONText(object: settings)))
        members.append(("actors", JSONText(object: actors.map { ($0.name, $0.json(isHashed)) })))
        return members
    }
}

extension ScenarioDocument {
    fileprivate var json: JSONText {
        var members: [(String, JSONText)] = [
            ("name", JSONText(path.description)), ("there", JSONText(isThere)),
            ("padding", JSONText(padding)),
        ]
        if let holds { members.append(("holds", JSONText(holds))) }
        return JSONText(object: members)
    }
}

extension Machine {
    fileprivate var json: JSONText {
        [
            "grain": JSONText(grain.words), "reuses-inodes": JSONText(reusesInodes),
            "exchange": JSONText(canExchange), "faults": JSONText(faults),
        ]
    }
}

extension ScenarioActor {
    fileprivate func json(_ isHashed: Bool) -> JSONText {
        var members: [(String, JSONText)] = [("kind", JSONText(kind.rawValue))]
        // Only programs have one.
        if isProgram || isHashed || side != .app { members.append(("side", JSONText(side.rawValue))) }
        if let version { members.append(("version", JSONText(version))) }
        if let engine { members.append(("engine", JSONText(engine.rawValue))) }
        if code != nil { members.append(("code", JSONText(true))) }
        if !operations.isEmpty { members.append(("does", JSONText(operations.map(\.json)))) }
        return JSONText(object: members)
    }
}

extension Operation {
    fileprivate var json: JSONText {
        let value = document?.description ?? duration?.words ?? target ?? count.map { String($0) }
        guard let value else { return JSONText(verb.rawValue) }
        var members = [(verb.rawValue, JSONText(value))]
        if let field { members.append(("field", JSONText(field))) }
        if let secondField { members.append(("second-field", JSONText(secondField))) }
        if let condition = self.value { members.append(("is", JSONText(condition))) }
        if let version { members.append(("version", JSONText(version))) }
        return JSONText(object: members)
    }
}

extension Duration {
    /// In whole microseconds, the format of scenarios.
    var words: String { "\(nanoseconds / 1_000)us" }
}
