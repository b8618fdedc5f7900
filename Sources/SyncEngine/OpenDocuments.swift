package import Reconciliation
package import Storage

/// A document that has changed while a program has it open for writing: it may hold half of a save, so it is
/// read once the program has closed it. A program that keeps it open is waited for no longer than until the
/// file has been as it is for `grace`.
struct OpenDocument: Sendable {
    var since: Duration
    /// How it looked last, and since when it has.
    var signature: Signature?
    var unchangedSince: Duration
    var looks = 0
    /// It has not changed, but is to be replaced where nothing can be exchanged.
    var isInTheWay: Bool
    /// It is read, or replaced, all the same.
    var isOverdue = false

    /// By what writing changes.
    func isAsItWas(_ now: Signature?) -> Bool {
        guard let now, let signature else { return now == signature }
        return now.isRenamed(signature)
    }

    init(_ signature: Signature?, isInTheWay: Bool = false, at now: Moment) {
        (self.signature, self.isInTheWay) = (signature, isInTheWay)
        (since, unchangedSince) = (now.uptime, now.uptime)
    }
}

extension Engine {
    private static var longestWait: Duration { .milliseconds(250) }
    /// Who writes without end is not waited for without end.
    private static var longestGrace: Duration { .seconds(10) }
    private static var mostLooks: Int { 30 }

    /// Before a look.
    mutating func stopWaiting(forWritersOf path: RelativePath, at now: Moment) {
        guard !openDocuments.isEmpty else { return }
        for file in Side.allCases.map({ Location($0, path) }) {
            guard var one = openDocuments[file] else { continue }
            let signature = try? files.status(of: file).signature
            one.looks += 1
            if !one.isAsItWas(signature) { one.unchangedSince = now.uptime }
            one.signature = signature
            let isEndless = now.uptime - one.since >= Self.longestGrace && one.looks >= Self.mostLooks
            one.isOverdue = isEndless || now.uptime - one.unchangedSince >= Self.grace
            openDocuments[file] = one
        }
    }

    /// What a look found. A side that has been waited for is not waited for again because of the other.
    mutating func noteWriters(of input: PlanInput, at now: Moment) {
        var isAnyOpen = false
        for side in Side.allCases {
            guard case .problem(let problem) = input.observed[side] else { continue }
            let file = Location(side, input.document)
            isAnyOpen = isAnyOpen || problem == .beingWritten || problem == .changing
            guard problem == .beingWritten, openDocuments[file] == nil else { continue }
            let signature = try? files.status(of: file).signature
            openDocuments[file] = OpenDocument(signature, at: now)
        }
        guard !openDocuments.isEmpty, !isAnyOpen else { return }
        for file in Side.allCases.map({ Location($0, input.document) })
        where openDocuments[file]?.isInTheWay == false {
            openDocuments[file] = nil
        }
    }

    /// What was to be replaced was not, because a program has it open.
    mutating func hasWriterInTheWay(_ file: Location, at now: Moment) -> Bool {
        if let known = openDocuments[file] { return known.isInTheWay }
        let isExchanged = settings.commit == .exchange && file.side.map { !withoutExchange[$0] } == true
        guard !isExchanged, let signature = files.signature(ofFileBeingWritten: file) else { return false }
        openDocuments[file] = OpenDocument(signature, isInTheWay: true, at: now)
        return true
    }

    /// Nothing is to be replaced any more.
    mutating func forgetWriters(of path: RelativePath) {
        guard !openDocuments.isEmpty else { return }
        for side in Side.allCases { openDocuments[Location(side, path)] = nil }
    }

    /// Long enough not to spin while a writer holds the file.
    func nextTry(ofRaced path: RelativePath, at now: Moment) -> Duration {
        let isInTheWay = Side.allCases.contains { openDocuments[Location($0, path)]?.isInTheWay == true }
        return isInTheWay ? nextLook(atWritersOf: path, at: now) : now.uptime + Self.afterRace
    }

    /// Most programs have closed it in a moment, and where there is a watcher it tells.
    func nextLook(atWritersOf path: RelativePath, at now: Moment) -> Duration {
        let since = Side.allCases.compactMap { openDocuments[Location($0, path)]?.unchangedSince }
        let next = since.map { first in
            let wait = min(max(DebounceQueue.together, now.uptime - first), Self.longestWait)
            return min(now.uptime + wait, max(first + Self.grace, now.uptime + DebounceQueue.together))
        }
        return next.min() ?? now.uptime + DebounceQueue.together
    }

    /// The files of a document, as it stands or as it was put aside, that a program keeps open for writing.
    package func filesHeldOpen(of path: RelativePath) -> [Location] {
        let standing = Side.allCases.map { Location($0, path) }.filter { openDocuments[$0] != nil }
        return standing + displacedFiles.filter { $0.isHeldOpen && $0.document == path }.map(\.place)
    }
}
