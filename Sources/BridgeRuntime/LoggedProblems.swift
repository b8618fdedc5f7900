import Model
import Replica
import SyncEngine

/// The lasting problems that the log has reported.
///
/// A document that cannot be written fails again at every attempt. The log reports that when it begins, when
/// the reason changes, and when it ends; in between, the status shows it.
struct LoggedProblems {
    private var holds: [RelativePath: PlannedChange.Reason] = [:]
    private var names: Set<String> = []
    private var trash: FileError?

    /// Whether this hold begins, or has another reason than before.
    mutating func isNews(_ hold: PlannedChange) -> Bool {
        guard let document = RelativePath(hold.document) else { return true }
        let reason = hold.reason.naming(document)
        return holds.updateValue(reason, forKey: document) != reason
    }

    /// Whether this name, which is not UTF-8, is seen for the first time.
    mutating func isNews(unnamable name: String) -> Bool { names.insert(name).inserted }

    /// The reported documents that are not held any more, in order of their names.
    mutating func takeReleased(_ isHeld: (RelativePath) -> Bool) -> [RelativePath] {
        let released = holds.keys.filter { !isHeld($0) }.sorted()
        for document in released { holds[document] = nil }
        return released
    }

    enum TrashNews: Hashable {
        case begins(TrashProblem)
        case ends
    }

    /// `nil` if that is reported already. Which files wait, and how many, is no news: each save adds one.
    mutating func news(of problem: TrashProblem?) -> TrashNews? {
        let last = trash
        trash = problem?.error
        guard let problem else { return last == nil ? nil : .ends }
        return last?.isSame(as: problem.error) == true ? nil : .begins(problem)
    }
}

extension PlannedChange.Reason {
    fileprivate func naming(_ document: RelativePath) -> Self {
        switch self {
        case .held(let side, let problem): .held(side, problem.naming(document))
        case .done: self
        }
    }
}

extension Problem {
    fileprivate func naming(_ document: RelativePath) -> Self {
        switch self {
        case .unwritable(let error): .unwritable(error.naming(document))
        case .unreadable(let error): .unreadable(error.naming(document))
        case .located(let address, let problem): .located(address, problem.naming(document))
        default: self
        }
    }
}
