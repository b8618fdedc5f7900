package import Model

/// A document that a turn looked at without carrying anything, and why: the answer to "why does nothing
/// happen?" in the log.
package struct Deferral: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case unchanged, awaitsReaders, mayReappear, mayBeMoved, halted, lossMayGoOn
    }

    package var document: RelativePath
    package var reason: Reason
}

extension Deferral.Reason {
    package var text: String {
        switch self {
        case .unchanged: "both sides are as they last agreed"
        case .awaitsReaders: "waits for the watcher to say who had read it before it was saved"
        case .mayReappear: "it disappeared; waits whether it comes back"
        case .mayBeMoved: "it disappeared; waits whether it was renamed"
        case .halted: "the bridge is halted"
        case .lossMayGoOn: "many documents are disappearing; waits until that ends"
        }
    }
}

extension Engine {
    func report(_ reason: Deferral.Reason, of path: RelativePath, _ turn: inout Turn) {
        if settings.reportsDeferrals { turn.deferrals.append(Deferral(document: path, reason: reason)) }
    }
}
