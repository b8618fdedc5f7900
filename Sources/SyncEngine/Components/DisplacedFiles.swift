package import Model
package import Replica

/// Displaced files that are not fully examined: a writer still has one open, for example, or its document's
/// current file cannot be read.
///
/// It keeps the files and when each is examined again. It accesses no file.
package struct DisplacedFiles: Sendable {
    private var files: [DisplacedFile] = []

    /// How soon a file is examined again: with increasing delays, up to a maximum.
    package enum Pace: Sendable {
        /// Its writer, or the event queue, is about to finish.
        case soon
        /// There is no telling when another try will help.
        case rarely

        var longest: Duration { self == .soon ? .seconds(1) : Backoff.longest }
    }

    private static var firstRetry: Duration { .milliseconds(20) }

    package init() {}

    package var isEmpty: Bool { files.isEmpty }
    /// When the first file is examined again.
    package var deadline: Duration? { files.lazy.map(\.due).min() }

    // MARK: Waiting

    /// Examines it again when it is due.
    package mutating func add(_ file: DisplacedFile) { files.append(file) }

    /// A file that an earlier run left, for a report of what is there. `document`: `nil` if unknown.
    package mutating func add(_ place: Location, _ name: TemporaryName, of document: RelativePath?) {
        guard let side = place.side, let document, !contains(place) else { return }
        add(DisplacedFile(side: side, document: document, place: place, expected: .marked(name), due: .zero))
    }

    /// Leaves it where it is, and examines it again.
    package mutating func retry(_ file: DisplacedFile, _ pace: Pace, at now: Duration) {
        var file = file
        let waited = now - (file.since ?? now)
        file.due = now + min(max(Self.firstRetry, waited), pace.longest)
        files.append(file)
    }

    /// Leaves it where it is, until something can be done with it.
    package mutating func keepUnrecognized(_ file: DisplacedFile, at now: Duration) {
        var file = file
        file.isUnrecognized = true
        retry(file, .rarely, at: now)
    }

    /// The files to examine now, which no longer wait.
    package mutating func takeDue(at now: Duration) -> [DisplacedFile] {
        guard !files.isEmpty else { return [] }
        let due = files.filter { $0.due <= now }
        if !due.isEmpty { files.removeAll { $0.due <= now } }
        return due
    }

    /// A program may have closed a file. `path`: only the files of this document, or the file at this path.
    package mutating func retryHeldOpen(of path: RelativePath? = nil) {
        for index in files.indices where files[index].isHeldOpen && path.map(files[index].isOf) ?? true {
            (files[index].isHeldOpen, files[index].due) = (false, .zero)
        }
    }

    /// The author of the current content is known now.
    package mutating func retry(of target: Location) {
        for index in files.indices where files[index].target == target { files[index].due = .zero }
    }

    /// The same, if a file waits for that.
    package mutating func retryWaitingForAccess(of target: Location) {
        for index in files.indices where files[index].waitsForAccess && files[index].target == target {
            files[index].due = .zero
        }
    }

    // MARK: Waiting files

    package func contains(_ place: Location) -> Bool { files.contains { $0.place == place } }
    /// Whether a file that was displaced there is waiting.
    package func isWaiting(at target: Location) -> Bool { files.contains { $0.target == target } }
    /// A file in which a program has saved the document.
    package func saved(of document: RelativePath) -> DisplacedFile? {
        files.first { $0.save != nil && $0.document == document }
    }
    /// The documents that programs have saved in such files.
    package var savedDocuments: [RelativePath] {
        files.filter { $0.save != nil && !$0.isOrphan }.map(\.document)
    }
    /// Called before a report, as programs may have saved since the last examination.
    package mutating func rememberSaves(_ save: (DisplacedFile) -> DisplacedFile.Save?) {
        for index in files.indices { files[index].save = save(files[index]) }
    }
    package var targets: Set<Location> { Set(files.map(\.target)) }
    package func places(displacedFrom target: Location) -> [Location] {
        files.filter { $0.target == target }.map(\.place)
    }
    package func places(where isMeant: (DisplacedFile) -> Bool) -> [Location] {
        files.filter(isMeant).map(\.place)
    }
    package func contains(where isMeant: (DisplacedFile) -> Bool) -> Bool { files.contains(where: isMeant) }

    /// Whether the bridge waits for none of them.
    package var areAllHeldOpen: Bool { files.allSatisfy(\.isHeldOpen) }
}
