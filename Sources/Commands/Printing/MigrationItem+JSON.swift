import AgentAPI
import Documents
import Model
import SyncEngine

/// A change of a document, in the format that was asked for.
enum MigrationDiff {
    case patch(JSONPatch)
    /// `nil` if no merge patch can represent the change.
    case merge(JSON?)
    case text(TextDiff)

    init?(_ item: MigrationItem, _ format: DiffFormat) {
        guard let old = item.old, let new = item.migration.result else { return nil }
        switch format {
        case .patch: self = .patch(.diff(from: old, to: new, isTested: true))
        case .merge: self = .merge(.mergePatch(from: old, to: new))
        case .text: self = .text(TextDiff(from: old, to: new))
        }
    }

    fileprivate var member: (String, JSONText) {
        switch self {
        case .patch(let patch): ("patch", JSONText(patch.json))
        case .merge(let patch): ("merge", patch.map { JSONText($0) } ?? .null)
        case .text(let diff): ("text", JSONText(TextPrinter().text(diff)))
        }
    }
}

extension MigrationItem {
    func json(_ name: String, side: Side?, _ format: DiffFormat?) -> JSONText {
        var members: [(String, JSONText)] = [
            ("document", JSONText(name)), ("side", JSONText(side?.rawValue)),
            ("from", JSONText(migration.from)), ("to", JSONText(migration.to)),
            ("class", JSONText(migration.verdict.name)),
            ("reason", JSONText(migration.verdict.reason)),
            ("lenses", JSONText(migration.lenses.map { JSONText($0.words) })),
            ("losses", JSONText(losses.map(\.json))),
            ("before", JSONText(before?.description)), ("after", JSONText(after?.description)),
            ("outcome", JSONText(outcome.name)),
        ]
        if let check { members.append(("verified", check.json)) }
        if let diff = format.flatMap({ MigrationDiff(self, $0) }) { members.append(diff.member) }
        return JSONText(object: members)
    }

    var losses: [Loss] { if case .lossy(let losses) = migration.verdict { losses } else { [] } }
}

extension DocumentMigration.Verdict {
    var name: String {
        switch self {
        case .current: "CURRENT"
        case .invalid: "INVALID"
        case .lossless: "LOSSLESS"
        case .lossy: "LOSSY"
        case .blocked: "BLOCKED"
        case .newer: "NEWER"
        case .unversioned: "UNVERSIONED"
        }
    }

    var reason: String? {
        switch self {
        case .blocked(let block), .invalid(let block): block.text
        case .newer(let version): newerVersionWords(version)
        default: nil
        }
    }
}

extension MigrationItem.Outcome {
    fileprivate var name: String {
        switch self {
        case .planned: "planned"
        case .done: "done"
        case .drifted: "drifted"
        case .failed: "failed"
        }
    }
}

extension Loss {
    fileprivate var json: JSONText { ["pointer": JSONText(pointer), "reason": JSONText(reason.text)] }

    var line: String {
        let place = pointer.isEmpty ? "the whole document" : "`\(pointer)`"
        return "\(place): \(reason.text)".withoutControls
    }
}

extension MigrationCheck {
    fileprivate var json: JSONText {
        switch self {
        case .same(let isExact): ["result": "same", "isExact": JSONText(isExact)]
        case .lossy(let losses): ["result": "lossy", "losses": JSONText(losses.map(\.json))]
        case .differs(let places):
            ["result": "differs", "places": JSONText(places.map { JSONText($0) })]
        case .nothing: ["result": "nothing"]
        }
    }
}

extension MigrationSummary {
    var json: JSONText {
        [
            "migrate": JSONText(migrate), "lossy": JSONText(lossy), "current": JSONText(current),
            "invalid": JSONText(invalid),
            "newer": JSONText(newer), "blocked": JSONText(blocked), "unversioned": JSONText(unversioned),
            "done": JSONText(done), "failed": JSONText(failed),
        ]
    }
}

extension LensDrift {
    var json: JSONText {
        [
            "document": JSONText(document), "version": JSONText(version), "lens": JSONText(number),
            "applied": JSONText(applied), "now": JSONText(now),
        ]
    }
}
