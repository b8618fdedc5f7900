package import Model

/// A document that is not in sync, and why.
package struct Hold: Sendable, Hashable {
    package var side: Side
    package var problem: Problem
    /// When it was first seen like this.
    package var since: Duration
    /// How the file looked then.
    package var signature: Signature?
    /// A writer may still be half way.
    package var isPending: Bool
    package var attempts = 0
}

/// The documents that are held: both sides stay as they are.
///
/// It owns why and since when each of them is held, and decides whether that may still pass and when it is
/// worth another look. It touches no file.
package struct Holds: Sendable {
    private var holds: [RelativePath: Hold] = [:]

    /// How a half-written document is told from a broken one: by not changing for this long.
    private static var patience: Duration { .seconds(1) }

    package init() {}

    package var isEmpty: Bool { holds.isEmpty }
    package var documents: Dictionary<RelativePath, Hold>.Keys { holds.keys }
    package subscript(document: RelativePath) -> Hold? { holds[document] }

    /// What has become of a document by a look at it.
    package struct Outcome: Sendable, Hashable {
        package var hold: Hold
        /// It was not held like this before.
        package var isNews: Bool
        /// When it is worth another look; `nil` where only a hint can help, or a writer who closes it.
        package var next: Duration?
    }

    /// A look found this problem, and the file like that.
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
        if let previous, previous.side == side, previous.problem == problem, previous.signature == signature {
            hold.since = previous.since
            hold.attempts = previous.attempts + 1
            if now - hold.since >= Self.patience { hold.isPending = problem == .beingWritten }
        }
        holds[document] = hold
        let isNews =
            previous?.problem != problem || previous?.side != side || previous?.isPending != hold.isPending
        return Outcome(hold: hold, isNews: isNews, next: next(hold, at: now))
    }

    private func next(_ hold: Hold, at now: Duration) -> Duration? {
        if hold.problem == .beingWritten { return nil }
        var next: Duration?
        if hold.problem == .changing {
            next = now + DebounceQueue.together
        } else if hold.problem.isRetried {
            next = now + Backoff.delay(after: hold.attempts)
        }
        guard hold.isPending else { return next }
        let judged = hold.since + Self.patience
        return next.map { min($0, judged) } ?? judged
    }

    /// As a look finds it that changes nothing, and waits for nobody.
    package mutating func hold(_ document: RelativePath, _ side: Side, _ problem: Problem) {
        holds[document] = Hold(side: side, problem: problem, since: .zero, isPending: false)
    }

    /// It is in sync, or only waits.
    package mutating func release(_ document: RelativePath) { holds[document] = nil }
    package mutating func releaseAll() { holds = [:] }

    /// What could not be read or written is tried at once, and is pending until then.
    package mutating func retry() -> [RelativePath] {
        let again = holds.keys.filter { holds[$0]?.problem.isRetried == true }.sorted()
        for document in again { holds[document]?.isPending = true }
        return again
    }
}
