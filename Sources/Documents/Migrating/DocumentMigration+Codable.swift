// The agent sends the text of a reason to its clients, and beside it the position in the document. It also
// sends the steps and the effect of each.

extension DocumentMigration: Codable {
    private struct Coded: Codable {
        var verdict: Verdict
        var from: Int?
        var to: Int?
        var lenses: [String]
        /// `nil` from an older release, which sent only the texts. A later release may send unknown
        /// effects.
        var effects: [String]?
        var result: JSON?
    }

    package init(from decoder: any Decoder) throws {
        let coded = try Coded(from: decoder)
        let effects = coded.effects ?? []
        self.init(
            verdict: coded.verdict,
            from: coded.from,
            to: coded.to,
            lenses: coded.lenses.enumerated().map { index, words in
                let effect = effects.indices.contains(index) ? effects[index] : ""
                return MigrationStep(words: words, effect: MigrationStep.Effect(rawValue: effect) ?? .changes)
            },
            result: coded.result
        )
    }

    package func encode(to encoder: any Encoder) throws {
        let coded = Coded(
            verdict: verdict,
            from: from,
            to: to,
            lenses: lenses.map(\.words),
            effects: lenses.map(\.effect.rawValue),
            result: result
        )
        try coded.encode(to: encoder)
    }
}

extension DocumentMigration.Verdict: Codable {
    private enum Coded: Codable {
        case current
        case invalid(String, located: LocatedText?)
        case lossless
        case lossy([Loss])
        case blocked(String, located: LocatedText?)
        case newer(Int)
        case unversioned
    }

    package init(from decoder: any Decoder) throws {
        self =
            switch try Coded(from: decoder) {
            case .current: .current
            case .invalid(let text, let located): .invalid(MigrationBlock(reported: text, located))
            case .lossless: .lossless
            case .lossy(let losses): .lossy(losses)
            case .blocked(let text, let located): .blocked(MigrationBlock(reported: text, located))
            case .newer(let version): .newer(version)
            case .unversioned: .unversioned
            }
    }

    package func encode(to encoder: any Encoder) throws {
        let coded: Coded =
            switch self {
            case .current: .current
            case .invalid(let block): .invalid(block.text, located: block.placed)
            case .lossless: .lossless
            case .lossy(let losses): .lossy(losses)
            case .blocked(let block): .blocked(block.text, located: block.placed)
            case .newer(let version): .newer(version)
            case .unversioned: .unversioned
            }
        try coded.encode(to: encoder)
    }
}

extension MigrationBlock {
    package init(reported text: String, _ located: LocatedText?) {
        self = .reported(located ?? LocatedText(text))
    }

    /// The text with its position; `nil` if it has no position, since then the text is complete without it.
    package var placed: LocatedText? { located.position == nil ? nil : located }
}
