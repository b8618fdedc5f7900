import RaceLab

extension ScenarioWarning {
    var place: String { "\(file):\(line):\(column)" }
}

extension ScenarioWarning.Reason {
    /// For programs.
    var code: String {
        switch self {
        case .neverNotified: "never-told"
        case .neverRuns: "never-runs"
        case .subscribedAlready: "subscribed-already"
        case .ignoredKey, .ignoredByActor, .ignoredPadding: "ignored-key"
        case .unusedDocument: "unused-document"
        case .neverWritten: "never-written"
        case .unchecked: "unchecked"
        case .needsOwnCheck: "needs-own-check"
        case .unusedEngine: "unused-engine"
        case .sharesWithNone: "shares-with-none"
        }
    }

    var text: String {
        switch self {
        case .neverNotified(let path):
            "`read-on-notice` of `\(path)` waits for ever: no other actor changes it, nor does this one before"
        case .neverRuns(let verb): "`\(verb.rawValue)` never runs: it is done 0 times"
        case .subscribedAlready(let path): "this actor has subscribed to `\(path)` already"
        case .ignoredKey(let key, let verb): "`\(verb.rawValue)` ignores `\(key)`"
        case .ignoredByActor(let key, let kind): "an actor of kind `\(kind.rawValue)` ignores `\(key)`"
        case .ignoredPadding(let path): "`holds` gives the content of `\(path)`, which has no padding then"
        case .unusedDocument(let path): "no operation uses `\(path)`"
        case .neverWritten(let path): "`\(path)` does not exist at the start, and no actor writes it"
        case .unchecked(let kind):
            "`expect` has `\(kind.rawValue)`, which `checks` leaves out, so it is never found"
        case .needsOwnCheck: "only a check that is written in Swift finds an `own-check`"
        case .unusedEngine(let engine):
            "no agent uses the engine `\(engine.rawValue)`: each has one of its own"
        case .sharesWithNone: "`shared-state` shares its journal with no other agent"
        }
    }

    var advice: String {
        switch self {
        case .neverNotified: "add an operation that changes it, or use `read`"
        case .neverRuns: "give a number from 1, or leave it out"
        case .subscribedAlready: "leave it out"
        case .ignoredKey, .ignoredByActor, .ignoredPadding: "leave it out"
        case .unusedDocument: "leave it out, or name it in an operation"
        case .neverWritten: "leave out `there: no`, or add an operation that writes it"
        case .unchecked: "add it to `checks`, or leave out `checks`"
        case .needsOwnCheck: "name another kind, or explore it with `explore(_:check:)`"
        case .unusedEngine: "leave it out, or leave out an agent's"
        case .sharesWithNone: "add an agent of this engine"
        }
    }
}
