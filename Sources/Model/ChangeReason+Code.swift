/// The code that the journal stores.
extension ChangeReason {
    package var code: String { ReasonCode.text(fields) }

    /// An unknown code, for example of a later release, is shown as it is.
    package init(code: String) { self = Self.read(ReasonCode.fields(of: code)) ?? .text(code) }

    private var fields: [String] {
        switch self {
        case .created(let side, let version): ["created", side.rawValue] + Self.list(version)
        case .changed(let side, let version): ["changed", side.rawValue] + Self.list(version)
        case .deleted(let side): ["deleted", side.rawValue]
        case .outlivedDeletion(let side, let version): ["outlived", side.rawValue] + Self.list(version)
        case .movedTo(let path, let side): ["moved-to", side.rawValue, path.description]
        case .movedFrom(let path, let side): ["moved-from", side.rawValue, path.description]
        case .savedUnread(let side): ["saved-unread", side.rawValue]
        case .overwroteUnread(let places, let side): ["overwrote-unread", side.rawValue] + places
        case .putBack(let side): ["put-back", side.rawValue]
        case .restored(let side): ["restored", side.rawValue]
        case .rounded(let places, let side): ["rounded", side.rawValue] + places
        case .keptFields(let places, let side): ["kept-fields", side.rawValue] + places
        case .same: ["same"]
        case .gone: ["gone"]
        case .reformatted: ["spelled-anew"]
        case .linked: ["linked"]
        case .merged(let uncomputed): ["merged"] + uncomputed
        case .bothChanged: ["both-changed"]
        case .conflict(let places, let winner, let uncomputed):
            ["conflict", winner.rawValue, "\(places.count)"] + places + uncomputed
        case .unmerged(let hindrance): ["unmerged", hindrance.rawValue]
        case .raced(let side, let outcome): ["raced", side.rawValue, outcome.rawValue]
        case .leftTooLarge(let side): ["left-too-large", side.rawValue]
        case .leftUnknown(let side): ["left-unknown", side.rawValue]
        case .undone(let generation): ["undone"] + Self.list(generation)
        case .decided(let id, let winner): ["decided", id] + (winner.map { [$0.rawValue] } ?? [])
        case .restated: ["restated"]
        case .migrated: ["migrated"]
        case .reloaded: ["reloaded"]
        case .reloadedLate: ["reloaded-late"]
        case .reloadedAgain: ["reloaded-again"]
        case .both(let first, let second): ["both", first.code, second.code]
        case .text(let text): ["text", text]
        }
    }

    private static func list(_ number: (some FixedWidthInteger)?) -> [String] {
        number.map { ["\($0)"] } ?? []
    }

    private static func read(_ fields: [String]) -> ChangeReason? {
        guard let name = fields.first else { return nil }
        let operands = Array(fields.dropFirst())
        if let side = operands.first.flatMap(Side.init(rawValue:)) {
            if let reason = read(name, in: side, Array(operands.dropFirst())) { return reason }
        }
        switch (name, operands.count) {
        case ("same", 0): return .same
        case ("gone", 0): return .gone
        case ("spelled-anew", 0): return .reformatted
        case ("linked", 0): return .linked
        case ("both-changed", 0): return .bothChanged
        case ("merged", _): return .merged(uncomputed: operands)
        case ("unmerged", 1): return Hindrance(rawValue: operands[0]).map { .unmerged($0) }
        case ("undone", 0): return .undone(generation: nil)
        case ("undone", 1): return Int64(operands[0]).map { .undone(generation: $0) }
        case ("decided", 1): return .decided(conflict: operands[0], winner: nil)
        case ("decided", 2):
            return Side(rawValue: operands[1]).map { .decided(conflict: operands[0], winner: $0) }
        case ("restated", 0): return .restated
        case ("migrated", 0): return .migrated
        case ("reloaded", 0): return .reloaded
        case ("reloaded-late", 0): return .reloadedLate
        case ("reloaded-again", 0): return .reloadedAgain
        case ("both", 2): return .both(ChangeReason(code: operands[0]), ChangeReason(code: operands[1]))
        case ("text", 1): return .text(operands[0])
        default: return nil
        }
    }

    private static func read(_ name: String, in side: Side, _ rest: [String]) -> ChangeReason? {
        let version = rest.first.flatMap { Int($0) }
        let isVersion = rest.isEmpty || rest.count == 1 && version != nil
        switch (name, rest.count) {
        case ("created", _) where isVersion: return .created(in: side, version: version)
        case ("changed", _) where isVersion: return .changed(in: side, version: version)
        case ("outlived", _) where isVersion: return .outlivedDeletion(in: side, version: version)
        case ("deleted", 0): return .deleted(in: side)
        case ("moved-to", 1): return RelativePath(rest[0]).map { .movedTo($0, in: side) }
        case ("moved-from", 1): return RelativePath(rest[0]).map { .movedFrom($0, in: side) }
        case ("saved-unread", 0): return .savedUnread(in: side)
        case ("overwrote-unread", 1...): return .overwroteUnread(rest, in: side)
        case ("rounded", 1...): return .rounded(rest, in: side)
        case ("kept-fields", 1...): return .keptFields(rest, in: side)
        case ("raced", 1): return Outcome(rawValue: rest[0]).map { .raced(in: side, $0) }
        case ("put-back", 0): return .putBack(in: side)
        case ("restored", 0): return .restored(in: side)
        case ("left-too-large", 0): return .leftTooLarge(in: side)
        case ("left-unknown", 0): return .leftUnknown(in: side)
        case ("conflict", 1...):
            guard let count = Int(rest[0]), count >= 0, count < rest.count else { return nil }
            let (places, uncomputed) = (rest.dropFirst().prefix(count), rest.dropFirst(count + 1))
            return .conflict(Array(places), winner: side, uncomputed: Array(uncomputed))
        default: return nil
        }
    }
}
