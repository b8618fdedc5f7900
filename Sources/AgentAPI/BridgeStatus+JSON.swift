import BridgeRuntime
package import Documents
import Model
import StateStore
import SyncEngine

// The output of `status --json` and `GET /v1/status`: every key of the contract, in its order. The derived
// `Decodable` of these types reads it.

extension BridgeStatus {
    package var json: JSONText { JSONText(object: members) }

    package var members: [(String, JSONText)] {
        [
            ("state", JSONText(state.rawValue)),
            ("reason", JSONText(reason?.text)),
            ("watch", JSONText(watch.rawValue)),
            ("commit", JSONText(commit)),
            ("durability", JSONText(durability)),
            ("echoes", JSONText(echoes)),
            ("documents", JSONText(documents.map(\.json))),
            ("counters", counters.json),
            ("app", JSONText(app)),
            ("group", JSONText(group)),
            ("stateDirectory", JSONText(stateDirectory)),
            ("process", JSONText(process)),
            ("instance", JSONText(instance)),
            ("allow", JSONText(allow)),
            ("trash", trash.json),
            ("pausedSince", JSONText(pausedSince)),
            ("filters", filters.map { JSONText($0.map(\.json)) } ?? .null),
        ]
    }
}

extension DocumentFilter {
    fileprivate var json: JSONText {
        let include = include.map { JSONText($0.map { JSONText($0) }) } ?? .null
        let named = named.map { [("named", JSONText($0.map { JSONText($0) }))] } ?? []
        return JSONText(
            object: [("include", include), ("exclude", JSONText(exclude.map { JSONText($0) }))] + named
        )
    }
}

extension BridgeStatus.Document {
    package var json: JSONText {
        var members: [(String, JSONText)] = [
            ("name", JSONText(name)),
            ("state", JSONText(state.rawValue)),
            ("side", JSONText(side?.rawValue)),
            ("reason", JSONText(reason?.text)),
            ("version", ["app": JSONText(version.app), "group": JSONText(version.group)]),
            ("generation", JSONText(generation)),
            ("hash", JSONText(hash)),
            ("isNewerVersion", JSONText(isNewerVersion)),
        ]
        if let views { members.append(("views", JSONText(views.map { JSONText($0) }))) }
        if let looksLike { members.append(("looksLike", JSONText(looksLike))) }
        if let isLinked { members.append(("isLinked", JSONText(isLinked))) }
        if let openedBy { members.append(("openedBy", JSONText(openedBy.map { JSONText($0) }))) }
        return JSONText(object: members)
    }
}

extension BridgeStatus.Counters {
    package var json: JSONText {
        [
            "changes": JSONText(changes),
            "echoes": JSONText(echoes),
            "races": JSONText(races),
            "merges": JSONText(merges),
            "conflicts": JSONText(conflicts),
            "notices": JSONText(notices),
            "rescans": JSONText(rescans),
            "latencyP50": JSONText(latencyP50),
            "latencyP90": JSONText(latencyP90),
            "latencyP99": JSONText(latencyP99),
            "latencyP50Ms": latencyP50.map { JSONText(thousandths: $0) } ?? .null,
            "latencyP90Ms": latencyP90.map { JSONText(thousandths: $0) } ?? .null,
            "latencyP99Ms": latencyP99.map { JSONText(thousandths: $0) } ?? .null,
        ]
    }
}

extension TrashUse {
    fileprivate var json: JSONText {
        [
            "files": JSONText(files), "bytes": JSONText(bytes), "limit": JSONText(limit),
            "droppedEarly": JSONText(droppedEarly), "limitBytes": JSONText(limit),
        ]
    }
}

extension SyncReport {
    package var json: JSONText {
        [
            "dryRun": JSONText(dryRun),
            "changes": JSONText(changes.map(\.json)),
            "documents": JSONText(documents),
            "halt": JSONText(halt?.text),
        ]
    }
}

extension SyncReport.Change {
    package var json: JSONText {
        [
            "document": JSONText(document),
            "action": JSONText(action.rawValue),
            "from": JSONText(from?.rawValue),
            "reason": JSONText(reason.text),
            "isNewerVersion": JSONText(isNewerVersion),
        ]
    }
}

extension DocumentStory {
    package var json: JSONText {
        ["now": now.json, "events": JSONText(events.map(\.json))]
    }
}

extension DocumentStory.Event {
    package var json: JSONText {
        [
            "generation": JSONText(generation),
            "cause": JSONText(cause.rawValue),
            "what": JSONText(what.text),
            "app": JSONText(app),
            "group": JSONText(group),
            "at": JSONText(at),
            "time": JSONText(UTCTime.text(at)),
            "kinds": JSONText((kinds ?? []).map { JSONText($0) }),
        ]
    }
}
