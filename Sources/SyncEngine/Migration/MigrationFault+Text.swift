import Model
import StateStore

extension MigrationFault {
    package var text: String {
        switch self {
        case .problem(let problem): problem.text
        case .notInSync: "not in sync"
        case .changedMeanwhile: "it was changed meanwhile"
        case .halted(let halt): halt.text
        case .originalNotKept(let error): "what it held could not be kept: \(error.what)"
        case .unnoted(let error): error.what
        case .file(let error), .memory(.file(let error)): "\(error.what), \(error.place)"
        case .memory(.journal(let error)): error.reason
        case .told(let text): text
        }
    }
}

/// Over the agent's socket it is told by its words.
extension MigrationFault: Codable {
    package init(from decoder: any Decoder) throws {
        self = .told(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
