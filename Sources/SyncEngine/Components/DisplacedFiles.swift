package import Model

/// Files that were displaced and are not understood yet: a writer still has one open, say, or what stands at
/// its document's name cannot be read.
///
/// It owns them and the times at which each is examined again. It touches no file.
package struct DisplacedFiles: Sendable {
    private var files: [DisplacedFile] = []

    /// How soon a file is examined again: soon at first, then ever later, and no later than this.
    package enum Pace: Sendable {
        /// Its writer, or the queue, will have come to an end in a moment.
        case soon
        /// Nothing tells when that will help.
        case rarely

        var longest: Duration { self == .soon ? .seconds(1) : Backoff.longest }
    }

    private static var firstRetry: Duration { .milliseconds(20) }

    package init() {}

    package var isEmpty: Bool { files.isEmpty }
    /// When the first of them is examined again.
    package var deadline: Duration? { files.lazy.map(\.due).min() }

    // MARK: Waiting

    /// It is examined again when it is due.
    package mutating func add(_ file: DisplacedFile) { files.append(file) }

    /// Leaves it where it is, to be examined again.
    package mutating func retry(_ file: DisplacedFile, _ pace: Pace, at now: Duration) {
        var file = file
        let waited = now - (file.since ?? now)
        file.due = now + min(max(Self.firstRetry, waited), pace.longest)
        files.append(file)
    }

    /// Leaves it where it is, until something else can be done with it.
    package mutating func keepUnrecognized(_ file: DisplacedFile, at now: Duration) {
        var file = file
        file.isUnrecognized = true
        retry(file, .rarely, at: now)
    }

    /// What is to be examined now waits no longer.
    package mutating func takeDue(at now: Duration) -> [DisplacedFile] {
        guard !files.isEmpty else { return [] }
        let due = files.filter { $0.due <= now }
        if !due.isEmpty { files.removeAll { $0.due <= now } }
        return due
    }

    /// A program may have closed what it keeps open. `path`: only the files of this document, or the one that
    /// lies at this place.
    package mutating func retryHeldOpen(of path: RelativePath? = nil) {
        for index in files.indices where files[index].isHeldOpen && path.map(files[index].isOf) ?? true {
            (files[index].isHeldOpen, files[index].due) = (false, .zero)
        }
    }

    /// It is known now who has made what stands there.
    package mutating func retry(of target: Location) {
        for index in files.indices where files[index].target == target { files[index].due = .zero }
    }

    /// The same, where that was waited for.
    package mutating func retryWaitingForAccess(of target: Location) {
        for index in files.indices where files[index].waitsForAccess && files[index].target == target {
            files[index].due = .zero
        }
    }

    // MARK: What waits

    package func contains(_ place: Location) -> Bool { files.contains { $0.place == place } }
    /// One that came out there waits.
    package func isWaiting(at target: Location) -> Bool { files.contains { $0.target == target } }
    package var targets: Set<Location> { Set(files.map(\.target)) }
    package func places(displacedFrom target: Location) -> [Location] {
        files.filter { $0.target == target }.map(\.place)
    }
    package func places(where isMeant: (DisplacedFile) -> Bool) -> [Location] {
        files.filter(isMeant).map(\.place)
    }
    package func contains(where isMeant: (DisplacedFile) -> Bool) -> Bool { files.contains(where: isMeant) }

    /// Nobody waits for any of them.
    package var areAllHeldOpen: Bool { files.allSatisfy(\.isHeldOpen) }
}
