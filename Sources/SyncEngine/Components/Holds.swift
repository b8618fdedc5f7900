package import Model
import Reloads

/// Why a document is not in sync.
package struct Hold: Sendable, Hashable {
    package var side: Side
    package var problem: Problem
    /// When the problem was first seen.
    package var since: Duration
    /// The file's signature at that time.
    package var signature: Signature?
    /// A writer may not have finished yet.
    package var isPending: Bool
    package var attempts = 0

    fileprivate func isSame(as previous: Hold) -> Bool {
        problem == previous.problem && signature == previous.signature
    }

    /// While a program has a lock, reading finds a writer, and once the bridge has waited for that, writing
    /// finds the lock. It is one wait, which must not begin anew with each change from one to the other.
    fileprivate func isSameWait(as previous: Hold) -> Bool {
        problem.isLocked && (previous.problem.isLocked || previous.problem.isBeingWritten)
            || problem.isBeingWritten && previous.problem.isLocked
    }
}

/// The held documents: both sides stay as they are.
///
/// It keeps the reason and the start of each hold, and decides whether it may still pass and when to read the
/// document again. It accesses no file.
package struct Holds: Sendable {
    private var holds: [RelativePath: Hold] = [:]
    /// Documents that are held or released since `takeNews`.
    private var news: Set<RelativePath> = []
    /// What the group has of them, if not what was synced last; also of documents that only wait.
    private(set) var found: [RelativePath: GroupContent] = [:]
    /// What widgets were last notified of.
    var shown: [RelativePath: Shown] = [:]

    /// A document that is broken and unchanged for this long is not being written.
    private static var patience: Duration { .seconds(1) }

    package init() {}

    package var isEmpty: Bool { holds.isEmpty }
    package var documents: Dictionary<RelativePath, Hold>.Keys { holds.keys }
    package subscript(document: RelativePath) -> Hold? { holds[document] }

    /// The result of reading a document.
    package struct Outcome: Sendable, Hashable {
        package var hold: Hold
        /// The document is newly held, or was held for another reason.
        package var isNews: Bool
        /// When to read it again; `nil` if only a hint, or its writer closing it, can help.
        package var next: Duration?
    }

    /// Reading the document found this problem, and this signature.
    package mutating func hold(
        _ document: RelativePath,
        _ side: Side,
        _ problem: Problem,
        _ signature: Signature?,
        at now: Duration
    ) -> Outcome {
        var hold = Hold(
            side: side,
            problem: problem,
            since: now,
            signature: signature,
            isPending: problem.mayPass
        )
        let previous = holds[document]
        if let previous, previous.side == side, hold.isSame(as: previous) {
            hold.since = previous.since
            hold.attempts = previous.attempts + 1
            if now - hold.since >= Self.patience { hold.isPending = problem.isBeingWritten }
        } else if let previous, previous.side == side, hold.isSameWait(as: previous) {
            if !previous.isPending { hold.problem = previous.problem }
            hold.since = previous.since
            let isJudged = now - hold.since >= Self.patience
            hold.isPending = previous.isPending && (problem.isBeingWritten || !isJudged)
        }
        holds[document] = hold
        let isNews =
            previous?.problem != hold.problem || previous?.side != side
            || previous?.isPending != hold.isPending
        if isNews { news.insert(document) }
        return Outcome(hold: hold, isNews: isNews, next: next(hold, at: now))
    }

    private func next(_ hold: Hold, at now: Duration) -> Duration? {
        if hold.problem.isBeingWritten { return nil }
        var next: Duration?
        if hold.problem == .changing {
            next = now + DebounceQueue.together
        } else if hold.problem.isRetried {
            next = now + (hold.problem.isLocked ? Backoff.first : Backoff.delay(after: hold.attempts))
        }
        guard hold.isPending else { return next }
        let judged = hold.since + Self.patience
        return next.map { min($0, judged) } ?? judged
    }

    /// The hold that a dry run finds, without waiting.
    package mutating func hold(_ document: RelativePath, _ side: Side, _ problem: Problem) {
        holds[document] = Hold(side: side, problem: problem, since: .zero, isPending: false)
        if side == .group { found[document] = .problem(problem) }
    }

    /// The group has this of a document that is held, or waits.
    mutating func remember(_ content: GroupContent?, of document: RelativePath) {
        guard found[document] != content else { return }
        found[document] = content
        news.insert(document)
    }

    /// The document is in sync, or only waits.
    package mutating func release(_ document: RelativePath) {
        remember(nil, of: document)
        if holds.removeValue(forKey: document) != nil { news.insert(document) }
    }

    var hasNews: Bool { !news.isEmpty }

    mutating func takeNews() -> Set<RelativePath> {
        defer { news = [] }
        return news
    }

    /// Documents that could not be read or written are retried at once, and are pending until then.
    package mutating func retry() -> [RelativePath] {
        let again = holds.keys.filter { holds[$0]?.problem.isRetried == true }.sorted()
        for document in again { holds[document]?.isPending = true }
        return again
    }
}
