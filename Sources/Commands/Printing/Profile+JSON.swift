import AgentAPI
import Documents

extension Profile {
    /// The line of `profile list`.
    var line: JSONText {
        let documents = documents.map { rule -> JSONText in
            [
                "name": JSONText(rule.path), "versions": JSONText(rule.versionNumbers.map { JSONText($0) }),
                "kinds": JSONText(rule.kinds.map { JSONText($0.name) }),
            ]
        }
        return ["name": JSONText(id), "about": JSONText(about), "documents": JSONText(documents)]
    }

    /// All parts of the profile except the schemas.
    var summary: JSONText {
        [
            "name": JSONText(id), "about": JSONText(about), "group": JSONText(group),
            "otherGroups": texts(otherGroups), "locale": JSONText(locale),
            "timeZone": JSONText(timeZone?.name ?? (followsMachineZone ? "machine" : nil)),
            "speaks": ["app": JSONText(appVersion), "group": JSONText(groupVersion)],
            "deepLinks": texts(deepLinks), "documents": JSONText(documents.map(\.summary)),
            "strings": facts(strings), "facts": facts(facts),
        ]
    }

    private func facts(_ facts: [ProfileFact]) -> JSONText {
        JSONText(object: facts.map { ($0.name, JSONText($0.text)) })
    }
}

extension DocumentView {
    fileprivate var json: JSONText {
        [
            "version": JSONText(version), "side": JSONText(container.rawValue), "name": JSONText(path),
        ]
    }
}

extension DocumentRule {
    fileprivate var summary: JSONText {
        [
            "name": JSONText(path), "versions": JSONText(versionNumbers.map { JSONText($0) }),
            "views": JSONText(views.map(\.json)),
            "onInvalid": JSONText(passesInvalid ? "pass" : "hold"),
            "direction": JSONText(direction.rawValue),
            "asset": asset.map { ["maxBytes": JSONText($0.limit)] } ?? .null,
            "merge": JSONText(mergeWords.map { ["place": JSONText($0.place), "rule": JSONText($0.words)] }),
            "steps": JSONText(steps.map(\.json)), "kinds": JSONText(kinds.map(\.summary)),
            "stale": staleness?.summary ?? .null,
            "states": JSONText(
                states.rules.map {
                    ["state": JSONText($0.state.rawValue), "text": JSONText($0.text?.all.first?.text)]
                }
            ),
            "stores": JSONText(shownStores.map(\.json)),
        ]
    }

    /// The steps from each version to the next.
    var steps: [VersionStep] {
        zip(versionNumbers, versionNumbers.dropFirst()).map { older, newer in
            VersionStep(from: older, to: newer, lenses: shownSteps(from: older, to: newer).map(\.words))
        }
    }
}

struct VersionStep {
    var from: Int
    var to: Int
    var lenses: [String]

    fileprivate var json: JSONText {
        ["from": JSONText(from), "to": JSONText(to), "lenses": texts(lenses)]
    }
}

extension WidgetKind {
    fileprivate var summary: JSONText {
        [
            "name": JSONText(name), "shows": texts(shows.map(\.description)),
            "values": JSONText(object: content.values.map { ($0.name, JSONText($0.expression.text)) }),
            "rows": JSONText(content.rows?.text),
            "texts": texts((content.texts + content.rowTexts).map(\.name)),
            "families": JSONText(object: families.map { ($0.name, JSONText($0.most)) }),
            "refreshMinutes": refresh.map {
                ["every": JSONText($0.every), "least": JSONText($0.least), "most": JSONText($0.most)]
            } ?? .null,
            "timeline": refresh?.timeline.map {
                [
                    "entries": JSONText($0.entries), "stepMinutes": JSONText($0.step),
                    "then": JSONText($0.then.text),
                ]
            } ?? .null,
            "refreshDaily": texts(refresh?.dailyTexts ?? []), "ignore": texts(ignores.map(\.description)),
            "budget": JSONText(budget?.text), "coalesceMs": JSONText(coalesce),
        ]
    }
}

extension Staleness {
    fileprivate var summary: JSONText {
        [
            "field": JSONText(field?.description), "afterSeconds": JSONText(after),
            "missing": JSONText(missingIsStale ? "stale" : "fresh"),
        ]
    }
}

private func texts(_ texts: [String]) -> JSONText { JSONText(texts.map { JSONText($0) }) }
