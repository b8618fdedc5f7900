package import Documents
import Model

// JSON for programs. `format` is incremented when the meaning of a member changes.

private let format = 1

extension ExplorationReport {
    package var json: JSONText {
        [
            "format": JSONText(format),
            "scenario": JSONText(scenario.name),
            "engine": JSONText((scenario.engines.first ?? scenario.engine).rawValue),
            "engines": JSONText(scenario.engines.map { JSONText($0.rawValue) }),
            "hash": JSONText(scenario.hash.description),
            "verdict": JSONText(verdict.word),
            "expected": JSONText(scenario.expected?.rawValue),
            "bound": JSONText(bound),
            "exhaustive": JSONText(isExhaustive),
            "everyOrder": JSONText(isEveryOrder),
            "schedules": JSONText(schedules),
            "reduced": JSONText(isReduced),
            "skippedSchedules": JSONText(skipped),
            "randomSchedules": JSONText(randomSchedules),
            "seed": JSONText(seed),
            "steps": JSONText(steps),
            "unfinished": JSONText(unfinished),
            "ending": JSONText(ending.word),
            "overtakenReads": JSONText(overtakenReads),
            "longestOvertakingMs": JSONText(milliseconds: longestOvertaking),
            "counts": JSONText(
                object: counts.sorted { $0.key < $1.key }.map { ($0.key.rawValue, JSONText($0.value)) }
            ),
            "coverage": coverage.json,
            "findings": JSONText(findingsByWeight.map(\.json)),
        ]
    }
}

extension Coverage {
    fileprivate var json: JSONText {
        let impossible = impossible.map { kind, reason -> JSONText in
            ["kind": JSONText(kind.rawValue), "reason": JSONText(reason.rawValue)]
        }
        return [
            "operations": JSONText(operations),
            "neverRan": JSONText(untouched.map { $0.json() }),
            "waiting": JSONText(waiting.map { $0.place.json(schedules: $0.schedules) }),
            "heldSchedules": JSONText(held),
            "checked": JSONText(checked.map { JSONText($0.rawValue) }),
            "impossible": JSONText(impossible),
            "classes": JSONText(classes),
        ]
    }
}

extension Coverage.Place {
    fileprivate func json(schedules: Int? = nil) -> JSONText {
        var members = [
            ("actor", JSONText(actor)), ("operation", JSONText(operation.verb.rawValue)),
            ("document", JSONText(operation.document?.description)),
        ]
        if let schedules { members.append(("schedules", JSONText(schedules))) }
        return JSONText(object: members)
    }
}

extension Finding {
    var json: JSONText {
        [
            "anomaly": anomaly.json(in: history),
            "minimal": [
                "switches": JSONText(saved.schedule.switches),
                "operations": JSONText(saved.scenario.operationCount),
                "steps": JSONText(history.steps.count), "replays": JSONText(replays),
            ],
            "schedule": saved.json,
            "history": history.json,
        ]
    }
}

extension Picture {
    package var json: JSONText {
        [
            "format": JSONText(format),
            "scenario": JSONText(name),
            "verdict": JSONText(verdict.word),
            "trace": JSONText(saved?.trace),
            "difference": JSONText(difference),
            "anomalies": JSONText(anomalies.map { $0.json(in: history) }),
            "schedule": saved?.json ?? .null,
            "history": history.json,
        ]
    }
}

extension Anomaly {
    package func json(in history: History) -> JSONText {
        let path =
            history.documents.indices.contains(document) ? history.documents[document].description : nil
        return [
            "kind": JSONText(kind.rawValue), "sentence": JSONText(sentence), "document": JSONText(path),
            "side": JSONText(side?.rawValue), "actor": JSONText(history.lanes[lane].name),
            "firstStep": JSONText(steps.lowerBound), "lastStep": JSONText(steps.upperBound),
            "evidence": evidence.json(in: history), "advice": JSONText(advice(in: history).text),
        ]
    }
}

extension Anomaly.Evidence {
    /// Leaves out evidence that is not available.
    fileprivate func json(in history: History) -> JSONText {
        var members: [(String, JSONText)] = []
        if !versions.isEmpty { members.append(("versions", JSONText(versions.map { JSONText($0) }))) }
        if !edits.isEmpty { members.append(("edits", JSONText(edits.map { JSONText($0) }))) }
        if let offset { members.append(("offset", JSONText(offset))) }
        if let culprit { members.append(("culpritStep", JSONText(culprit))) }
        if let culpritLane { members.append(("culprit", JSONText(history.lanes[culpritLane].name))) }
        if let ageInVersions { members.append(("ageInVersions", JSONText(ageInVersions))) }
        if let age { members.append(("ageMs", JSONText(milliseconds: age))) }
        if let count { members.append(("count", JSONText(count))) }
        return JSONText(object: members)
    }
}

extension History {
    var json: JSONText {
        let narrator = Narrator(self)
        let contents = narrator.contents.map { number -> JSONText in
            [
                "version": JSONText(number), "name": JSONText(narrator.name(number)),
                "hash": JSONText(versions[number].digest.description),
                "edits": JSONText(versions[number].edits.map { JSONText($0) }),
                "text": JSONText(String(decoding: versions[number].bytes, as: UTF8.self)),
            ]
        }
        return [
            "actors": JSONText(lanes.map(\.json)),
            "documents": JSONText(documents.map { JSONText($0.description) }),
            "contents": JSONText(contents),
            "calls": JSONText(calls.map { $0.json(narrator) }),
            "steps": JSONText(steps.enumerated().map { $1.json($0, narrator) }),
        ]
    }
}

extension History.Lane {
    fileprivate var json: JSONText {
        var members = [
            ("name", JSONText(name)), ("kind", JSONText(kind.rawValue)), ("side", JSONText(side.rawValue)),
            ("version", JSONText(version)),
        ]
        if let engine { members.append(("engine", JSONText(engine.rawValue))) }
        return JSONText(object: members)
    }
}

extension Call {
    fileprivate func json(_ narrator: Narrator) -> JSONText {
        [
            "actor": JSONText(narrator.history.lanes[lane].name), "name": JSONText(narrator.words(self)),
            "firstStep": JSONText(first), "lastStep": JSONText(last), "result": JSONText("\(result)"),
            "edit": JSONText(edit),
        ]
    }
}

extension Step {
    fileprivate func json(_ number: Int, _ narrator: Narrator) -> JSONText {
        var members: [(String, JSONText)] = [
            ("step", JSONText(number)), ("timeMs", JSONText(milliseconds: time)),
            ("actor", JSONText(narrator.history.lanes[lane].name)), ("what", JSONText("\(what)")),
            ("words", JSONText(narrator.words(self))),
        ]
        if let call { members.append(("call", JSONText(call))) }
        if let systemCall { members.append(("systemCall", JSONText(systemCall.rawValue))) }
        if let document {
            members.append(("document", JSONText(narrator.history.documents[document].description)))
        }
        if let side { members.append(("side", JSONText(side.rawValue))) }
        if let before { members.append(("before", JSONText(before))) }
        if let version, what.isOfContent { members.append(("version", JSONText(version))) }
        if what == .notified { members.append(("generation", JSONText(generation))) }
        return JSONText(object: members)
    }
}

extension JSONText {
    /// A time in milliseconds.
    init(milliseconds time: Duration) {
        self.init(thousandths: Int((time / .microseconds(1)).rounded()))
    }
}
