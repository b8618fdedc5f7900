package import Model
package import Replica

/// Documents that changed while a program has them open for writing: each may be partly written, so it is
/// read once the program has closed it. If a program keeps one open, the wait ends once the file has been
/// unchanged for `grace`.
///
/// It keeps the last signature of each and its age. It asks the replicas for that, and whether a program has
/// a file open for writing.
package struct OpenDocuments: Sendable {
    /// Off for a dry run.
    package var waitsForWriters = true
    private var documents: [Location: OpenDocument] = [:]

    /// How long to wait for a file if it is unknown whether a program has it open for writing.
    package static var grace: Duration { .seconds(2) }
    private static var shortestWait: Duration { .milliseconds(20) }
    private static var longestWait: Duration { .milliseconds(250) }
    /// The limit for programs that write all the time.
    private static var longestGrace: Duration { .seconds(10) }
    private static var mostLooks: Int { 30 }

    private struct OpenDocument: Sendable {
        var since: Duration
        /// The last signature, and since when it is unchanged.
        var signature: Signature?
        var unchangedSince: Duration
        var looks = 0
        /// The document is unchanged, but is to be replaced where an exchange is not possible.
        var isInTheWay: Bool
        /// It is read, or replaced, nevertheless.
        var isOverdue = false

        init(_ signature: Signature?, isInTheWay: Bool = false, at now: Duration) {
            (self.signature, self.isInTheWay) = (signature, isInTheWay)
            (since, unchangedSince) = (now, now)
        }

        mutating func look(_ now: Duration, _ found: Signature?) {
            looks += 1
            if !isAsItWas(found) { unchangedSince = now }
            signature = found
            let isEndless = now - since >= OpenDocuments.longestGrace && looks >= OpenDocuments.mostLooks
            isOverdue = isEndless || now - unchangedSince >= OpenDocuments.grace
        }

        /// Compares what writing changes.
        private func isAsItWas(_ now: Signature?) -> Bool {
            guard let now, let signature else { return now == signature }
            return now.isRenamed(signature)
        }
    }

    package init() {}

    /// Called before a document is read.
    package mutating func look(
        at path: RelativePath,
        at now: Duration,
        in replicas: BothSides<any Replica>
    ) {
        guard !documents.isEmpty else { return }
        for file in Self.files(of: path) where documents[file] != nil {
            documents[file]?.look(now, try? replicas[of: file].status(of: file).signature)
        }
    }

    /// The result of a read: the sides on which a program has the document open, and whether one of them is
    /// changing. A side that was waited for is not waited for again because of the other.
    package mutating func record(
        _ path: RelativePath,
        beingWritten sides: [Side],
        isChanging: Bool,
        at now: Duration,
        in replicas: BothSides<any Replica>
    ) {
        for file in sides.map({ Location($0, path) }) where documents[file] == nil {
            documents[file] = OpenDocument(
                try? replicas[of: file].status(of: file).signature,
                at: now
            )
        }
        guard !documents.isEmpty, sides.isEmpty, !isChanging else { return }
        for file in Self.files(of: path) where documents[file]?.isInTheWay == false { documents[file] = nil }
    }

    /// A document was not replaced, because a program has it open and an exchange is not possible.
    package mutating func isInTheWay(
        _ file: Location,
        at now: Duration,
        in replicas: BothSides<any Replica>
    ) -> Bool {
        if let known = documents[file] { return known.isInTheWay }
        guard let signature = replicas[of: file].signature(ofBeingWritten: file.path) else { return false }
        documents[file] = OpenDocument(signature, isInTheWay: true, at: now)
        return true
    }

    /// No replacement is pending any more.
    package mutating func forget(_ path: RelativePath) {
        guard !documents.isEmpty else { return }
        for file in Self.files(of: path) { documents[file] = nil }
    }

    /// It was replaced.
    package mutating func forget(at file: Location) {
        if !documents.isEmpty { documents[file] = nil }
    }

    package func contains(_ file: Location) -> Bool { documents[file] != nil }
    /// The wait is over: it is read or replaced nevertheless.
    package func isOverdue(_ file: Location) -> Bool { documents[file]?.isOverdue == true }
    package func mayWait(for file: Location) -> Bool { waitsForWriters && !isOverdue(file) }
    package func open(of path: RelativePath) -> [Location] { Self.files(of: path).filter(contains) }

    /// When to try to replace a document again; `nil` if no writer prevents it.
    package func nextTry(of path: RelativePath, at now: Duration) -> Duration? {
        let isInTheWay = Self.files(of: path).contains { documents[$0]?.isInTheWay == true }
        return isInTheWay ? nextLook(at: path, at: now) : nil
    }

    /// Most programs close it within a moment, and the watcher reports that.
    package func nextLook(at path: RelativePath, at now: Duration) -> Duration {
        let next = Self.files(of: path).compactMap { documents[$0]?.unchangedSince }.map { first in
            let wait = min(max(Self.shortestWait, now - first), Self.longestWait)
            return min(now + wait, max(first + Self.grace, now + Self.shortestWait))
        }
        return next.min() ?? now + Self.shortestWait
    }

    private static func files(of path: RelativePath) -> [Location] {
        Side.allCases.map { Location($0, path) }
    }
}
