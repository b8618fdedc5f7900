import Documents
package import Model
package import StateStore

/// A conflict that was resolved by rule and that a person can resolve otherwise, for display.
package struct KeptConflict: Codable, Sendable, Hashable {
    package typealias Field = ConflictRecord.Field

    package var id: String
    /// `nil` if the document is unknown.
    package var document: String?
    /// The side that the kept bytes come from.
    package var side: Side?
    /// Milliseconds since 1970.
    package var at: Int64
    package var reason: Reported<Reason>
    /// The path in the state directory.
    package var file: String
    /// The hash of the kept bytes.
    package var hash: String
    package var size: Int64
    package var fields: [Field]
    /// If the conflicting fields are unknown: what the kept bytes change, as an RFC 6902 patch.
    package var patch: String?
    /// What the patch applies to: `base`, or `now`, the current content.
    package var against: String?

    package init(
        id: String,
        document: String?,
        side: Side?,
        at: Int64,
        reason: Reported<Reason>,
        file: String
    ) {
        self.id = id
        self.document = document
        self.side = side
        self.at = at
        self.reason = reason
        self.file = file
        hash = ""
        size = 0
        fields = []
    }

    /// How the conflict happened.
    package enum Reason: Fact {
        case settled(ChangeReason)
        /// The journal with its record was lost.
        case unknown
    }
}

/// Why a decision failed.
package enum DecisionFailure: Error, Sendable, Hashable {
    case unknown
    /// The prefix matches several IDs.
    case ambiguous([String])
    case impossible(UndecidableReason)
    case put(PutFailure, RelativePath, Side)
    /// A halted bridge would not sync it.
    case halted(Halt)
    /// A paused bridge writes nothing: since when, in milliseconds since 1970.
    case paused(since: Int64)
    case file(FileError)
    case journal(JournalError)
}

/// The result of resolving a conflict or of an undo.
package struct MadeEdit: Codable, Sendable, Hashable {
    package var document: String
    package var side: Side
    /// The hash of that side's current content; `nil` if it is absent.
    package var hash: String?
    /// `false`: the side had this content already.
    package var isWritten: Bool
    package var reason: Reported<ChangeReason>

    package init(document: String, side: Side, hash: String?, isWritten: Bool, reason: Reported<ChangeReason>)
    {
        self.document = document
        self.side = side
        self.hash = hash
        self.isWritten = isWritten
        self.reason = reason
    }
}

extension Engine {
    /// All conflicts, oldest first, with what is known of them.
    package func conflicts() throws(DecisionFailure) -> [KeptConflict] {
        try conflictCopies().map { copy in
            var shown = KeptConflict(
                id: copy.id,
                document: document(of: copy)?.description,
                side: copy.record?.side,
                at: copy.record?.at ?? copy.file.kept / 1_000_000,
                reason: .known(copy.record.map { .settled($0.reason) } ?? .unknown),
                file: copy.file.place.path.description
            )
            shown.size = copy.file.size
            let bytes = (try? contents(of: copy.file.place)) ?? []
            let digest = isTooLarge(copy) ? copy.record?.digest : nil
            shown.hash = (digest ?? Digest(of: bytes)).description
            shown.fields = copy.record?.fields ?? []
            if shown.fields.isEmpty { (shown.patch, shown.against) = patch(bytes, copy) }
            return shown
        }
    }

    struct ConflictCopy {
        var id: String
        var file: KeptFile
        var record: ConflictRecord?
    }

    func conflictCopies() throws(DecisionFailure) -> [ConflictCopy] {
        let files: [KeptFile]
        let records: [ConflictRecord]
        do { files = try state.keptFiles(in: Trash.conflicts) } catch { throw .file(error) }
        do { records = try journal.conflicts() } catch { throw .journal(error) }
        let known = Dictionary(records.map { ($0.id, $0) }) { $1 }
        return files.filter { !$0.name.hasSuffix(".new") && $0.name.dropFirst(12).first == "-" }.map { file in
            let id = String(file.name.prefix(12))
            return ConflictCopy(id: id, file: file, record: known[id])
        }
    }

    /// It is above the size limit for documents.
    func isTooLarge(_ copy: ConflictCopy) -> Bool { copy.file.size > Int64(settings.maxDocument) }

    func conflictCopy(_ id: String) throws(DecisionFailure) -> ConflictCopy {
        let all = try conflictCopies()
        let id = try chosen(id, among: all.map(\.id))
        guard let found = all.first(where: { $0.id == id }) else { throw .unknown }
        return found
    }

    /// Finds the ID with this prefix, if there is only one.
    func chosen(_ text: String, among ids: [String]) throws(DecisionFailure) -> String {
        if ids.contains(text) { return text }
        let found = text.utf8.count < 4 ? [] : ids.filter { $0.hasPrefix(text) }
        guard found.count < 2 else { throw .ambiguous(found) }
        guard let only = found.first else { throw .unknown }
        return only
    }

    /// If the journal is lost, the file's name may still identify the document.
    func document(of copy: ConflictCopy) -> RelativePath? {
        if let record = copy.record { return record.document }
        let name = copy.file.name.dropFirst(13)
        let known = records.keys.filter { $0.name == name }
        return known.count == 1 ? known.first : nil
    }

    private func patch(_ bytes: [UInt8], _ copy: ConflictCopy) -> (String?, against: String?) {
        if document(of: copy).map({ rule(for: $0).isAsset }) == true { return (nil, nil) }
        guard let kept = try? JSON(parsing: bytes, limits: .unbounded) else { return (nil, nil) }
        var (old, against) = (copy.record?.side.flatMap { copy.record?.base[$0] }, "base")
        if old == nil, let document = document(of: copy) {
            against = "now"
            let side = copy.record?.side ?? .group
            old = (try? contents(of: Location(side, document)))
        }
        guard let old, let before = try? JSON(parsing: old, limits: .unbounded) else { return (nil, nil) }
        let patch = JSONPatch.diff(from: before, to: kept).json.bytes
        return (String(decoding: patch, as: UTF8.self), against)
    }
}
