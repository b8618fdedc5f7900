import Documents
import Model

/// The agent sends the text of a reason to its clients, and beside it the position in the document.
extension MigrationRefusal: Codable {
    private enum Coded: Codable {
        case blocked(document: String, reason: String, located: LocatedText?, count: Int)
        case lossy(document: String, count: Int)
        case moved(document: String, reason: String)
        case edited(document: String, isDeleted: Bool)
        case lenses([LensDrift])
        case finished(document: String)
        case trashGone(document: String, hash: Digest)
        case unknownDirectory(String, others: [String])
    }

    package init(from decoder: any Decoder) throws {
        self =
            switch try Coded(from: decoder) {
            case .blocked(let document, let text, let located, let count):
                .blocked(document: document, MigrationBlock(reported: text, located), count: count)
            case .lossy(let document, let count): .lossy(document: document, count: count)
            case .moved(let document, let text): .moved(document: document, .reported(text))
            case .edited(let document, let isDeleted): .edited(document: document, isDeleted: isDeleted)
            case .lenses(let drift): .lenses(drift)
            case .finished(let document): .finished(document: document)
            case .trashGone(let document, let hash): .trashGone(document: document, hash: hash)
            case .unknownDirectory(let directory, let others): .unknownDirectory(directory, others: others)
            }
    }

    package func encode(to encoder: any Encoder) throws {
        let coded: Coded =
            switch self {
            case .blocked(let document, let block, let count):
                .blocked(document: document, reason: block.text, located: block.placed, count: count)
            case .lossy(let document, let count): .lossy(document: document, count: count)
            case .moved(let document, let moved): .moved(document: document, reason: moved.text)
            case .edited(let document, let isDeleted): .edited(document: document, isDeleted: isDeleted)
            case .lenses(let drift): .lenses(drift)
            case .finished(let document): .finished(document: document)
            case .trashGone(let document, let hash): .trashGone(document: document, hash: hash)
            case .unknownDirectory(let directory, let others): .unknownDirectory(directory, others: others)
            }
        try coded.encode(to: encoder)
    }
}
