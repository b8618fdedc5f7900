/// The wording in reports, the log, the history and the list of conflicts.
extension ChangeReason {
    package var text: String {
        switch self {
        case .created(let side, let version): "created in \(side.rawValue)" + Self.note(version)
        case .changed(let side, let version): "changed in \(side.rawValue)" + Self.note(version)
        case .deleted(let side): "deleted in \(side.rawValue)"
        case .outlivedDeletion(let side, let version):
            "edited in \(side.rawValue), deleted in \(side.other.rawValue): the edit wins"
                + Self.note(version)
        case .movedTo(let path, let side): "moved to \(path) in \(side.rawValue)"
        case .movedFrom(let path, let side): "moved from \(path) in \(side.rawValue)"
        case .savedUnread(let side):
            "saved in \(side.rawValue) without having read the last change: merged with it"
        case .overwroteUnread(let places, let side):
            "saved in \(side.rawValue) without having read the last value of \(Self.list(places)), "
                + "which its former version lacks: \(side.rawValue)'s value wins, the document before is kept"
        case .putBack(let side):
            "changed in \(side.rawValue), but synced only from \(side.other.rawValue): put back"
        case .restored(let side):
            "deleted in \(side.rawValue), but synced only from \(side.other.rawValue): put back"
        case .rounded(let places, let side):
            "\(side.rawValue)'s program rounded \(Self.list(places)): the exact number stays"
        case .keptFields(let places, let side):
            "\(side.rawValue) keeps \(Self.list(places)), which its program changed: put back"
        case .same: "both sides have the same content"
        case .gone: "deleted on both sides"
        case .reformatted: "only the formatting changed"
        case .linked: "both containers had hard links to one file: the group gets its own"
        case .merged(let uncomputed): "both sides changed: merged key by key" + Self.doubt(uncomputed)
        case .bothChanged: "both sides changed"
        case .conflict(let places, let winner, let uncomputed):
            Self.text(conflictAt: places, winner) + Self.doubt(uncomputed)
        case .unmerged(let hindrance): Self.text(hindrance)
        case .raced(let side, let outcome):
            "saved in \(side.rawValue) while the bridge published another save\(Self.text(outcome, side))"
        case .leftTooLarge(let side): Self.left(in: side, "above the size limit")
        case .leftUnknown(let side): Self.left(in: side, "not from a known document")
        case .undone(let generation): Self.text(undone: generation)
        case .decided(let id, let winner):
            "resolved conflict \(id)" + (winner.map { ": \($0.rawValue) wins" } ?? " with a file")
        case .restated: "translated to the pinned version"
        case .migrated: "migrated"
        case .reloaded: "widgets reload"
        case .reloadedLate: "widgets reload, after waiting for a slot"
        case .reloadedAgain: "widgets are told again to reload"
        case .both(let first, let second): "\(first.text); \(second.text)"
        case .text(let text): text
        }
    }

    private static func text(conflictAt places: [String], _ winner: Side) -> String {
        "both sides changed \(list(places.map { $0.isEmpty ? "the whole document" : $0 })): "
            + "\(winner.rawValue)'s value wins, \(winner.other.rawValue)'s document is kept"
    }

    private static func text(_ hindrance: Hindrance) -> String {
        let what =
            switch hindrance {
            case .cannotBeMerged: "cannot be merged"
            case .byteOrderMark: "cannot be merged, as one begins with a byte order mark"
            case .duplicateKey: "cannot be merged, as one has a key twice"
            case .breaksSchema: "violate the schema when merged"
            }
        return "both sides changed and \(what): app's document wins, group's is kept"
    }

    private static func left(in side: Side, _ what: String) -> String {
        "found in \(side.rawValue) after a crash, \(what): it is kept"
    }

    private static func text(undone generation: Int64?) -> String {
        "a person restored \(generation.map { "generation \($0)" } ?? "an overwritten save")"
    }

    private static func text(_ outcome: Outcome, _ side: Side) -> String {
        let othersWins = "\(side.other.rawValue)'s wins, \(side.rawValue)'s is kept"
        return switch outcome {
        case .laterStands: ": \(side.rawValue)'s later save wins, the earlier one is kept"
        case .appStands: ": app's wins, group's is kept"
        case .unmergeable: ", and the two cannot be merged: \(othersWins)"
        case .tooLarge: ", above the size limit: \(othersWins)"
        }
    }

    private static func note(_ version: Int?) -> String {
        version.map { "; translated to version \($0)" } ?? ""
    }

    private static func doubt(_ uncomputed: [String]) -> String {
        uncomputed.isEmpty
            ? "" : "; the profile's merge rule cannot compute \(list(uncomputed)): left unchanged"
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
