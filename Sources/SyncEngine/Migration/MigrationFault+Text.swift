import Documents
import Model
import StateStore

extension MigrationFault {
    package var text: String {
        switch self {
        case .problem(let problem): problem.text
        case .notInSync: "not in sync"
        case .changedMeanwhile: "it was changed meanwhile"
        case .interrupted: "interrupted before it"
        case .halted(let halt): halt.text
        case .paused(let since): "paused since \(UTCTime.text(since))"
        case .originalNotKept(let error): "what it held could not be kept: \(error.what)"
        case .unrecorded(let error): error.what
        case .file(let error), .memory(.file(let error)): "\(error.what), \(error.place)"
        case .memory(.journal(let error)): error.reason
        }
    }
}
