import Model

// The wording in anomalies and reports.

extension Inequality {
    package var text: String {
        switch self {
        case .unreadable: "unreadable, and not held"
        case .values: "the values differ"
        case .valuesInVersion(let version): "the values differ in version \(version)"
        case .absent(let side): "\(side.rawValue) does not have it"
        }
    }
}

extension Rest.Unrest {
    package var text: String {
        switch self {
        case .steps(let count): "the run had not ended after \(counted(count, "step", "steps"))"
        case .timers(let time):
            "the bridge still had something to do \(time.components.seconds) s after all programs had ended"
        case .disk(let trouble): "cannot \(trouble.call) \(trouble.file): \(systemMessage(trouble.errno))"
        case .directories(let error): "\(error)"
        case .stopped: "the time was up"
        }
    }
}
