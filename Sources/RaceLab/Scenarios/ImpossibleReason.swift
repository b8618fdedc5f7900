package import Model

/// Why an anomaly cannot occur in a scenario, so that not finding it proves nothing.
package enum ImpossibleReason: String, Sendable, Hashable {
    case noReader = "no-reader"
    case noSecondRead = "no-second-read"
    case noSubscriber = "no-subscriber"
    case noWriter = "no-writer"
    case noDeletion = "no-deletion"
    case noWaiter = "no-waiter"
    case noWidget = "no-widget"
    case noTap = "no-tap"

    package var text: String {
        switch self {
        case .noReader: "no actor reads"
        case .noSecondRead: "no actor reads a document twice"
        case .noSubscriber: "no actor subscribes"
        case .noWriter: "no actor writes"
        case .noDeletion: "no actor deletes"
        case .noWaiter: "no actor waits for a notice, a field or an answer"
        case .noWidget: "no widget is placed whose shown state could become old"
        case .noTap: "no actor taps"
        }
    }
}

extension Scenario {
    /// The documents that do not exist at the start and that no actor writes, though some actor uses them.
    package var neverWritten: [RelativePath] {
        let operations = actors.flatMap(\.operations)
        return documents.filter { document in
            let path = document.path
            return !document.isThere
                && operations.contains { $0.document == path || $0.verb == .anything }
                && !operations.contains { $0.changes(path) && $0.verb != .delete }
        }
        .map(\.path)
    }

    /// `nil` if the anomaly is possible.
    package func reasonNever(_ kind: AnomalyKind) -> ImpossibleReason? {
        let verbs = actors.filter(\.isProgram).flatMap(\.verbs)
        if kind.isOfReads, !verbs.contains(where: \.isRead), !hasRelaunches { return .noReader }
        if kind.isOfReloads, !verbs.contains(where: { $0 == .subscribe || $0 == .anything }) {
            return .noSubscriber
        }
        switch kind {
        case .nonMonotonicRead where !actors.contains(where: readsTwice): return .noSecondRead
        case .lostUpdate, .divergence, .pingPong:
            return verbs.contains { $0.isWrite || $0 == .anything } ? nil : .noWriter
        case .resurrectedDeletion:
            return verbs.contains { $0 == .delete || $0 == .anything } ? nil : .noDeletion
        case .frozenWidget where widgets.isEmpty: return .noWidget
        case .staleAsFresh where !widgets.contains { $0.staleAfter != nil }: return .noWidget
        case .frozenWidget, .staleAsFresh: return isStill ? .noWriter : nil
        case .lostTap: return verbs.contains(.tap) ? nil : .noTap
        case .deadlock:
            let waits: Set<Operation.Verb> = [.readOnNotice, .edit, .until]
            return verbs.contains(where: waits.contains) || hasCode ? nil : .noWaiter
        default: return kind.isOfReads && isStill ? .noWriter : nil
        }
    }

    /// Both sides agree at the start, and nothing gives a bridge something to do.
    private var isStill: Bool {
        let operations = actors.flatMap(\.operations)
        return !hasCode && machine.faults == 0
            && !operations.contains { $0.verb.isWrite || $0.verb == .anything || $0.verb.isOfFate }
    }

    /// A program that is launched again reads its documents.
    private var hasRelaunches: Bool { actors.contains { $0.isProgram && kills(of: $0) > 0 } }

    /// Whether it may read one document twice: an `edit` that is refused reads again.
    private func readsTwice(_ actor: ScenarioActor) -> Bool {
        if actor.code != nil { return true }
        let reads = actor.operations.filter(\.verb.isRead)
        let launches = actor.isProgram ? kills(of: actor) : 0
        return reads.contains { $0.verb == .edit || $0.verb == .anything }
            || Set(reads.map(\.document)).count < reads.count
            || launches > 1 || launches == 1 && !reads.isEmpty
    }
}

extension ScenarioActor {
    /// Code may do anything.
    fileprivate var verbs: [Operation.Verb] { code == nil ? operations.map(\.verb) : [.anything] }
}
