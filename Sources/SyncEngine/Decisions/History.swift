package import Model
import StateStore

/// A content in the trash, with what is known of it.
package struct TrashedContent: Codable, Sendable, Hashable {
    package var id: String
    /// `nil` if the document is unknown.
    package var document: String?
    /// The document's generation with this content.
    package var generation: Int64?
    /// The container that it was in.
    package var side: Side?
    /// When it was moved to the trash: milliseconds since 1970.
    package var at: Int64
    /// Why it was replaced.
    package var reason: Reported<Reason>
    package var hash: String
    package var size: Int64

    package init(id: String, at: Int64 = 0, hash: String, size: Int64 = 0) {
        self.id = id
        self.at = at
        self.hash = hash
        self.size = size
        reason = .known(.unknown)
    }

    /// Why it is in the trash.
    package enum Reason: Fact {
        case overwritten(OverwriteReason)
        /// The journal has no document with this content.
        case unknown
    }
}

extension Engine {
    /// The contents of the trash, newest first, without a document's current content.
    package func history(of document: RelativePath? = nil) throws(DecisionFailure) -> [TrashedContent] {
        let all = try trashed()
        return try completed(
            all.filter { document == nil || $0.document.flatMap { RelativePath($0) } == document }
        )
    }

    /// Restores a content from the trash, as an edit of the side it was on, or of the only one that counts.
    package mutating func undo(_ id: String, at now: Moment) throws(DecisionFailure) -> MadeEdit {
        let all = try trashed()
        let id = try chosen(id, among: all.map(\.id))
        guard let content = all.first(where: { $0.id == id }), let digest = Digest(content.hash),
            let place = Trash.place(of: digest)
        else { throw .unknown }
        guard let path = content.document.flatMap({ RelativePath($0) }), let from = content.side else {
            throw .impossible(.trashOfNoDocument(file: place.path))
        }
        // On the other side it would be undone.
        let side = rules.source(of: path) ?? from
        if let document = self.document(ofView: path) {
            throw .impossible(.trashOfView(path, of: document, file: place.path))
        }
        try refuseExcluded(path)
        // It could not cross, so the document would not be restored.
        if case .problem(.notRegular(let kind)) = look(side.other, path, rehash: false, record: nil) {
            throw .put(.problem(.notRegular(kind)), path, side.other)
        }
        let bytes = try fitting(place)
        let reason = ChangeReason.undone(generation: content.generation)
        for _ in 0..<Self.decisionAttempts {
            let current: Digest?
            switch look(side, path, rehash: true, record: nil) {
            case .content(let snapshot): current = snapshot.digest
            case .absent, .unchanged: current = nil
            case .problem: current = try brokenContent(path, side)
            }
            let wanted = Wanted(side: side, bytes: bytes, current: current)
            do throws(DecisionFailure) {
                return try edit(path, wanted, like: place, cause: .undo, reason, at: now)
            } catch .put(.mismatch, _, _) {
                // A program saved meanwhile; that save goes to the trash as well.
            }
        }
        throw .put(.problem(.changing), path, side)
    }

    /// The content, if it is within the size limit.
    private func fitting(_ place: Location) throws(DecisionFailure) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try contents(of: place) } catch { throw .file(error) }
        guard bytes.count <= settings.maxDocument else {
            throw .impossible(.trashTooLarge(file: place.path))
        }
        return bytes
    }

    /// An unreadable document is replaced with an older content.
    private func brokenContent(_ path: RelativePath, _ side: Side) throws(DecisionFailure) -> Digest? {
        do { return Digest(of: try contents(of: Location(side, path))) } catch { throw .file(error) }
    }

    private func trashed() throws(DecisionFailure) -> [TrashedContent] {
        let files: Set<Digest>
        let events: [JournalEvent]
        let overwritten: [OverwrittenContent]
        do throws(FileError) {
            files = Set(try state.trashed())
        } catch {
            throw .file(error)
        }
        do throws(JournalError) {
            (events, overwritten) = (try journal.allEvents(), try journal.overwritten())
        } catch {
            throw .journal(error)
        }
        var index = TrashIndex(files)
        index.take(overwritten)
        index.take(events)
        return index.contents
    }

    /// Adds the files' sizes, and leaves out deleted files. Newest first.
    private func completed(_ contents: [TrashedContent]) throws(DecisionFailure) -> [TrashedContent] {
        var complete: [TrashedContent] = []
        for var content in contents {
            let name = String(content.hash.dropFirst("sha256:".count))
            let file: KeptFile?
            do { file = try state.keptFile(name, in: Trash.directory) } catch { throw .file(error) }
            guard let file else { continue }
            content.size = file.size
            // Documents with the same content share a file, which is as young as the last of them.
            if content.document == nil { content.at = file.kept / 1_000_000 }
            complete.append(content)
        }
        return complete.sorted { ($1.at, $1.id) < ($0.at, $0.id) }
    }
}

/// Determines the documents of the files in the trash: each content was on a side until an event replaced it.
private struct TrashIndex {
    private struct Key: Hashable {
        var document: RelativePath
        var digest: Digest
    }

    private let files: Set<Digest>
    private var known: [Key: TrashedContent] = [:]
    private var current: [RelativePath: JournalEvent] = [:]

    init(_ files: Set<Digest>) { self.files = files }

    mutating func take(_ contents: [OverwrittenContent]) {
        for content in contents {
            add(content.document, content.digest, nil, content.side, content.reason, at: content.at)
        }
    }

    mutating func take(_ events: [JournalEvent]) {
        for event in events {
            if let before = current[event.document] { add(before, endedBy: event) }
            current[event.document] = event
        }
    }

    /// If both sides had the same bytes, it is the side that was overwritten.
    private mutating func add(_ before: JournalEvent, endedBy event: JournalEvent) {
        let changed = event.cause == .group ? Side.group : .app
        for side in [changed, changed.other] {
            guard let digest = before.hashes[side], event.hashes[side] != digest else { continue }
            let reason = OverwriteReason.changed(event.what)
            add(before.document, digest, before.generation, side, reason, at: event.at)
        }
    }

    private mutating func add(
        _ document: RelativePath,
        _ digest: Digest,
        _ generation: Int64?,
        _ side: Side,
        _ reason: OverwriteReason,
        at: Int64
    ) {
        let key = Key(document: document, digest: digest)
        guard files.contains(digest), known[key].map({ $0.at <= at }) ?? true else { return }
        var content = TrashedContent(id: Self.id(document, digest), at: at, hash: digest.description)
        content.document = document.description
        content.generation = generation
        content.side = side
        content.reason = .known(.overwritten(reason))
        known[key] = content
    }

    /// Several documents can have the same content: the ID combines both.
    private static func id(_ document: RelativePath, _ digest: Digest) -> String {
        Trash.id(of: Digest(of: Array(document.description.utf8) + [0] + digest.bytes))
    }

    var contents: [TrashedContent] {
        let named = Set(known.keys.map(\.digest))
        let overwritten = known.filter { key, _ in
            let now = current[key.document]?.hashes
            return now?.app != key.digest && now?.group != key.digest
        }
        let here = Set(current.values.flatMap { [$0.hashes.app, $0.hashes.group] }.compactMap(\.self))
        let unnamed = files.subtracting(named).subtracting(here)
        return overwritten.values + unnamed.map { TrashedContent(id: Trash.id(of: $0), hash: $0.description) }
    }
}
