package import Model
package import Replica

/// Lists the contents of the containers.
///
/// It keeps what a scan could not determine (directories that cannot be listed, names that are not UTF-8,
/// documents whose state is not known yet) and when to scan again. It needs the replicas, but no journal, and
/// knows nothing of documents: the caller interprets the names.
package struct Scanner: Sendable {
    /// A full scan is due.
    package private(set) var isWanted = false
    /// When to retry what could not be listed.
    package private(set) var nextTry: Duration?
    private var delay = Self.firstRetry / 2
    /// Directories that could not be listed: their content is unknown.
    package private(set) var unlisted: [Location: FileError] = [:]
    /// Names on a side that are not UTF-8, and so are not valid paths.
    package private(set) var unnamable: BothSides<[String]> = BothSides(app: [], group: [])
    /// Documents that a killed run may have published, while that cannot be determined.
    private var unresumed: Set<RelativePath> = []

    private static var firstRetry: Duration { .seconds(1) }
    private static var longestRetry: Duration { .seconds(60) }

    package init() {}

    // MARK: When

    package mutating func want() { isWanted = true }

    /// On a request: what could not be listed is retried at once.
    package mutating func retry() { if !unlisted.isEmpty { isWanted = true } }

    package func isDue(at now: Duration) -> Bool { isWanted || nextTry.map { $0 <= now } == true }

    /// After a full scan. `isReachable`: both containers were listed.
    package mutating func plan(at now: Duration, isReachable: Bool) {
        if !isReachable {
            nextTry = now + Self.firstRetry
        } else if !unlisted.isEmpty || !unresumed.isEmpty {
            delay = min(delay * 2, Self.longestRetry)
            nextTry = now + delay
        } else {
            delay = Self.firstRetry / 2
            nextTry = nil
        }
    }

    /// After a partial scan: directories that could not be listed are retried, too.
    package mutating func planIfUnlisted(at now: Duration, isReachable: Bool) {
        if !unlisted.isEmpty, nextTry == nil { plan(at: now, isReachable: isReachable) }
    }

    // MARK: Unknown content

    /// All files in the containers are known.
    package var isComplete: Bool { unlisted.isEmpty && !isWanted }

    /// Whether the path is in a directory that could not be listed.
    package func isUnlisted(_ path: RelativePath, on side: Side) -> Bool {
        unlisted.keys.contains { $0.side == side && path.isInside($0.path) }
    }

    /// Whether a document that was not listed may exist: its directory, or its store, cannot be read.
    package func isUnknown(_ path: RelativePath, in replica: any Replica) -> Bool {
        if isUnlisted(path, on: replica.side) { return true }
        guard replica.address(of: path) != nil else { return false }
        do throws(ReadObstacle) { _ = try replica.signature(of: path, isKnown: true) } catch { return true }
        return false
    }

    /// What a killed run did to it cannot be determined before the next full scan.
    package mutating func remember(unresumed document: RelativePath, at now: Duration) {
        unresumed.insert(document)
        nextTry = nextTry ?? now + Self.firstRetry
    }

    package func isUnresumed(_ document: RelativePath) -> Bool { unresumed.contains(document) }

    package var isResumed: Bool { unresumed.isEmpty }

    // MARK: Listing

    /// Before a full scan: what was unknown may be known now.
    package mutating func begin() {
        isWanted = false
        unlisted = [:]
        unresumed = []
        unnamable = BothSides(app: [], group: [])
    }

    /// Throws if the container itself cannot be listed. If a subdirectory cannot be listed, only the
    /// documents in it are held.
    package mutating func list(
        _ top: RelativePath?,
        on side: Side,
        in replicas: inout BothSides<any Replica>
    ) throws(FileError) -> ReplicaListing {
        let listing = try replicas[side].list(top)
        for (path, error) in listing.unlisted { unlisted[Location(side, path)] = error }
        for name in listing.unnamable { addUnnamable(name, on: side) }
        return listing
    }

    /// The watcher reported a name that is not UTF-8, or one beneath a directory with such a name: lists such
    /// names again, in each directory above it that has a path.
    package mutating func record(unnamable name: String, on replica: any Replica) {
        let parts = name.split(separator: "/")
        list(unnamableIn: nil, of: replica)
        for count in 1..<max(1, parts.count) {
            let above = unescaped(parts.prefix(count).joined(separator: "/")).flatMap { RelativePath($0) }
            guard let above else { return }
            list(unnamableIn: above, of: replica)
        }
    }

    private mutating func list(unnamableIn directory: RelativePath?, of replica: any Replica) {
        let prefix = directory.map { "\($0)/" } ?? ""
        unnamable[replica.side].removeAll { known in
            // A directory's name ends in a slash.
            known.hasPrefix(prefix) && known.dropFirst(prefix.count).split(separator: "/").count == 1
        }
        for name in replica.unnamable(in: directory) { addUnnamable(name, on: replica.side) }
    }

    private mutating func addUnnamable(_ name: String, on side: Side) {
        if !unnamable[side].contains(name) { unnamable[side].append(name) }
    }
}

/// The name whose escaped form this is; `nil` if that is not UTF-8.
private func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
            let escaped = UInt8(String(Substring(rest.dropFirst().prefix(2))), radix: 16)
        else {
            bytes.append(byte)
            continue
        }
        bytes.append(escaped)
        rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
}
