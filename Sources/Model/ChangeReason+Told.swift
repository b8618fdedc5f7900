/// What older releases have kept of it: only the words.
extension ChangeReason {
    /// Where it is not certain which fact was meant the words stay what they are.
    package init(told text: String) {
        let known = Self.plain + Side.allCases.flatMap { Self.candidates(told: text, in: $0) }
        self = known.first { $0.text.utf8.elementsEqual(text.utf8) } ?? .text(text)
    }

    private static var plain: [ChangeReason] {
        [
            .same, .gone, .spelledAnew, .merged(), .bothChanged, .unmerged(.cannotBeMerged),
            .unmerged(.breaksSchema),
            .undone(generation: nil), .restated, .migrated,
        ]
    }

    private static func candidates(told text: String, in side: Side) -> [ChangeReason] {
        let version = number(in: text, behind: ", said in version ")
        let generation = number(in: text, behind: "a person took generation ")
        let place = " in \(side.rawValue)"
        let target = ToldText.part(of: text, between: "moved to ", and: place).flatMap { RelativePath($0) }
        let source = ToldText.part(of: text, between: "moved from ", and: place).flatMap { RelativePath($0) }
        return [
            .created(in: side, version: version), .changed(in: side, version: version), .deleted(in: side),
            .outlivedDeletion(in: side, version: version), .savedUnread(in: side), .leftTooLarge(in: side),
            .leftUnknown(in: side),
        ]
            + Outcome.allCases.map { .raced(in: side, $0) }
            + [
                target.map { .movedTo($0, in: side) }, source.map { .movedFrom($0, in: side) },
                generation.map { .undone(generation: Int64($0)) },
            ].compactMap(\.self)
    }

    /// The first number behind the last place of these words.
    private static func number(in text: String, behind words: String) -> Int? {
        let (bytes, wanted) = (Array(text.utf8), Array(words.utf8))
        guard bytes.count > wanted.count else { return nil }
        let starts = (0...(bytes.count - wanted.count)).reversed()
        guard let start = starts.first(where: { bytes[$0...].starts(with: wanted) }) else { return nil }
        let digits = bytes[(start + wanted.count)...].prefix { (48...57).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
