/// Reads the sentences that journals up to schema 5 store instead of codes.
///
/// The literals here are how those releases worded a reason. They never change, whatever `text` becomes.
extension ChangeReason {
    /// A sentence that does not identify one reason is kept as text.
    package init(oldText text: String) {
        let known = Self.plain + Side.allCases.flatMap { Self.candidates(for: text, in: $0) }
        self = known.first { $0.text.utf8.elementsEqual(text.utf8) }?.reason ?? .text(text)
    }

    private typealias Candidate = (text: String, reason: ChangeReason)

    private static var plain: [Candidate] {
        [
            ("both sides hold the same", .same), ("gone from both sides", .gone),
            ("spelled anew", .spelledAnew), ("both changed, merged key by key", .merged()),
            ("both changed", .bothChanged),
            (
                "both changed and cannot be merged: app's stands, the other is kept",
                .unmerged(.cannotBeMerged)
            ),
            (
                "both changed and break the schema together: app's stands, the other is kept",
                .unmerged(.breaksSchema)
            ),
            ("a person took an overwritten save back", .undone(generation: nil)),
            ("said in another version, as it was pinned", .restated), ("migrated", .migrated),
        ]
    }

    private static func candidates(for text: String, in side: Side) -> [Candidate] {
        changes(text, in: side) + races(in: side) + withOperand(text, in: side)
    }

    private static func changes(_ text: String, in side: Side) -> [Candidate] {
        let (name, other) = (side.rawValue, side.other.rawValue)
        let version = number(in: text, behind: ", said in version ")
        let note = version.map { ", said in version \($0)" } ?? ""
        return [
            ("created in \(name)\(note)", .created(in: side, version: version)),
            ("changed in \(name)\(note)", .changed(in: side, version: version)),
            ("deleted in \(name)", .deleted(in: side)),
            (
                "edited in \(name), deleted in \(other): the edit stays\(note)",
                .outlivedDeletion(in: side, version: version)
            ),
            ("saved in \(name) without having read the last change, which stays", .savedUnread(in: side)),
        ]
    }

    private static func races(in side: Side) -> [Candidate] {
        let (name, other) = (side.rawValue, side.other.rawValue)
        let saved = "saved in \(name) while another save was published"
        let left = "left in \(name) by a run that was killed, "
        let othersStands = "\(other)'s stands, \(name)'s is kept"
        return [
            (
                "\(saved): the later save of \(name) stands, the earlier is kept",
                .raced(in: side, .laterStands)
            ),
            ("\(saved): app's stands, group's is kept", .raced(in: side, .appStands)),
            ("\(saved), and not to be merged with it: \(othersStands)", .raced(in: side, .unmergeable)),
            ("\(saved), and larger than a document may be: \(othersStands)", .raced(in: side, .tooLarge)),
            ("\(left)and larger than a document may be: it is kept", .leftTooLarge(in: side)),
            ("\(left)of no document that is known: it is kept", .leftUnknown(in: side)),
        ]
    }

    private static func withOperand(_ text: String, in side: Side) -> [Candidate] {
        let end = " in \(side.rawValue)"
        func path(after start: String) -> RelativePath? {
            OldText.part(of: text, between: start, and: end).flatMap { RelativePath($0) }
        }
        return [
            path(after: "moved to ").map { ("moved to \($0)\(end)", .movedTo($0, in: side)) },
            path(after: "moved from ").map { ("moved from \($0)\(end)", .movedFrom($0, in: side)) },
            number(in: text, behind: "a person took generation ")
                .map { ("a person took generation \($0) back", .undone(generation: Int64($0))) },
        ].compactMap(\.self)
    }

    /// The number that follows the last occurrence of `words`.
    private static func number(in text: String, behind words: String) -> Int? {
        let (bytes, wanted) = (Array(text.utf8), Array(words.utf8))
        guard bytes.count > wanted.count else { return nil }
        let starts = (0...(bytes.count - wanted.count)).reversed()
        guard let start = starts.first(where: { bytes[$0...].starts(with: wanted) }) else { return nil }
        let digits = bytes[(start + wanted.count)...].prefix { (48...57).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
