// Over an agent's socket a reason goes in its words, and the place in the document beside them.

extension DocumentMigration.Verdict: Codable {
    private enum Coded: Codable {
        case current
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
            case .lossless: .lossless
            case .lossy(let losses): .lossy(losses)
            case .blocked(let text, let located): .blocked(MigrationBlock(told: text, located))
            case .newer(let version): .newer(version)
            case .unversioned: .unversioned
            }
    }

    package func encode(to encoder: any Encoder) throws {
        let coded: Coded =
            switch self {
            case .current: .current
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
    package init(told text: String, _ located: LocatedText?) { self = .told(located ?? LocatedText(text)) }

    /// `nil` where the words are about no place: then they tell all.
    package var placed: LocatedText? { located.position == nil ? nil : located }
}
