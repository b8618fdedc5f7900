/// Reports, the log, the journal and the lists of conflicts say it in the same words.
extension ChangeReason {
    package var text: String {
        switch self {
        case .created(let side, let version): "created in \(side.rawValue)" + Self.note(version)
        case .changed(let side, let version): "changed in \(side.rawValue)" + Self.note(version)
        case .deleted(let side): "deleted in \(side.rawValue)"
        case .outlivedDeletion(let side, let version):
            "edited in \(side.rawValue), deleted in \(side.other.rawValue): the edit stays"
                + Self.note(version)
        case .movedTo(let path, let side): "moved to \(path) in \(side.rawValue)"
        case .movedFrom(let path, let side): "moved from \(path) in \(side.rawValue)"
        case .savedUnread(let side):
            "saved in \(side.rawValue) without having read the last change, which stays"
        case .same: "both sides hold the same"
        case .gone: "gone from both sides"
        case .spelledAnew: "spelled anew"
        case .merged(let uncomputed): "both changed, merged key by key" + Self.doubt(uncomputed)
        case .bothChanged: "both changed"
        case .conflict(let places, let winner, let uncomputed):
            Self.text(conflictAt: places, winner) + Self.doubt(uncomputed)
        case .unmerged(let hindrance): Self.text(hindrance)
        case .raced(let side, let outcome):
            "saved in \(side.rawValue) while another save was published\(Self.text(outcome, side))"
        case .leftTooLarge(let side): Self.left(in: side, "and larger than a document may be")
        case .leftUnknown(let side): Self.left(in: side, "of no document that is known")
        case .undone(let generation): Self.text(undone: generation)
        case .decided(let id, let winner):
            "a person decided conflict \(id)" + (winner.map { ": \($0.rawValue)'s" } ?? " with a file")
        case .restated: "said in another version, as it was pinned"
        case .migrated: "migrated"
        case .both(let first, let second): "\(first.text); \(second.text)"
        case .text(let text): text
        }
    }

    private static func text(conflictAt places: [String], _ winner: Side) -> String {
        "both changed \(list(places.map { $0.isEmpty ? "the whole document" : $0 })): "
            + "\(winner.rawValue)'s stands, the other is kept"
    }

    private static func text(_ hindrance: Hindrance) -> String {
        let what =
            switch hindrance {
            case .cannotBeMerged: "cannot be merged"
            case .breaksSchema: "break the schema together"
            }
        return "both changed and \(what): app's stands, the other is kept"
    }

    private static func left(in side: Side, _ what: String) -> String {
        "left in \(side.rawValue) by a run that was killed, \(what): it is kept"
    }

    private static func text(undone generation: Int64?) -> String {
        "a person took \(generation.map { "generation \($0)" } ?? "an overwritten save") back"
    }

    private static func text(_ outcome: Outcome, _ side: Side) -> String {
        let othersStands = "\(side.other.rawValue)'s stands, \(side.rawValue)'s is kept"
        return switch outcome {
        case .laterStands: ": the later save of \(side.rawValue) stands, the earlier is kept"
        case .appStands: ": app's stands, group's is kept"
        case .unmergeable: ", and not to be merged with it: \(othersStands)"
        case .tooLarge: ", and larger than a document may be: \(othersStands)"
        }
    }

    private static func note(_ version: Int?) -> String { version.map { ", said in version \($0)" } ?? "" }

    private static func doubt(_ uncomputed: [String]) -> String {
        uncomputed.isEmpty
            ? "" : "; the profile's rule cannot compute \(list(uncomputed)), which stays as it was"
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
