import Documents
package import Model
import Replica
package import StateStore

/// One document as `status` shows it.
package struct DocumentRow: Sendable, Hashable {
    package enum State: String, Sendable { case synced, pending, held }
    package var name: String
    package var state: State
    package var side: Side?
    package var reason: Reason?
    package var versions: BothSides<Int?>
    package var generation: Int64
    package var hashes: BothSides<Digest?>
    /// Conflicts that were resolved by rule and that a person has not resolved.
    package var conflicts: [OpenConflict] = []
    /// The locations of its views.
    package var views: [View] = []

    package struct View: Sendable, Hashable {
        package var name: String
        package var side: Side
    }

    /// Why it is not in sync.
    package enum Reason: Fact {
        case held(Problem)
        case view(ViewProblem)
        /// It is missing in this container, with so many others that the bridge is halted.
        case gone(Side)
        /// Its program has saved it in a file that the bridge has replaced, and keeps that open.
        case keptOpen
        /// The same, and the program has closed it since.
        case savedLate

        package var text: String {
            switch self {
            case .held(let problem): problem.text
            case .view(let problem): problem.text
            case .gone(let side): "missing from the \(side.rawValue) container"
            case .keptOpen:
                "saved in a file that was replaced meanwhile: it is read once the program closes it"
            case .savedLate: "saved in a file that was replaced meanwhile: the next sync merges it"
            }
        }
    }

    /// The reason why the document is held, or will be.
    package var problem: ProblemKind? { heldFor?.kind }

    package var isNewerVersion: Bool { heldFor?.isNewerVersion ?? false }

    private var heldFor: Problem? { if case .held(let problem) = reason { problem } else { nil } }
}

package struct OpenConflict: Sendable, Hashable {
    package var id: String
    /// The side whose document is kept; the other side's value wins.
    package var kept: Side?

    package init(_ entry: ConflictRecord.Entry) { (id, kept) = (entry.id, entry.side) }

    package var words: String {
        guard let kept else { return "the losing document is kept" }
        return "\(kept.other.rawValue)'s value wins, \(kept.rawValue)'s document is kept"
    }
}

extension DocumentRow {
    /// A row for something that is not a document of the journal, or for a directory with unknown documents.
    init(held name: String, on side: Side, _ problem: Problem) {
        self.init(
            name: name,
            state: .held,
            side: side,
            reason: .held(problem),
            versions: BothSides(app: nil, group: nil),
            generation: 0,
            hashes: BothSides(app: nil, group: nil)
        )
    }
}

extension Engine {
    /// All known documents, in order of their names.
    package func rows() -> [DocumentRow] {
        let waiting = Set(debounceQueue.waiting + writers.waiting).union(lossGuard.heldBack)
        let paths = Set(records.keys).union(holds.documents).union(waiting).sorted()
        let unnamable = Side.allCases.flatMap { side in
            scanner.unnamable[side].map { DocumentRow(held: $0, on: side, .unnamable) }
        }
        return paths.map { row($0, isWaiting: waiting.contains($0)) } + unnamable
            + viewPublisher.misnamedRows(rules) + beneathUnlisted(scanner.unlisted)
    }

    private func beneathUnlisted(_ directories: [Location: FileError]) -> [DocumentRow] {
        directories.sorted { ($0.key.root.rawValue, $0.key.path) < ($1.key.root.rawValue, $1.key.path) }
            .map { place, error in
                DocumentRow(held: "\(place.path)/", on: place.side ?? .app, .unreadable(error))
            }
    }

    package func row(_ path: RelativePath) -> DocumentRow? {
        if let misnamed = viewPublisher.misnamedRow(path, rules) { return misnamed }
        let isPending = lossGuard.heldBack.contains(path) || writers.waiting.contains(path)
        guard records[path] != nil || holds[path] != nil || isPending else { return nil }
        let isWaiting = isPending || debounceQueue.isQueued(path) || debounceQueue.isScheduled(path)
        return row(path, isWaiting: isWaiting)
    }

    private func row(_ path: RelativePath, isWaiting: Bool) -> DocumentRow {
        let record = records[path]
        let hold = holds[path]
        let viewProblem = hold == nil ? viewPublisher.problem(of: path) : nil
        let isHeld = hold.map { !$0.isPending } ?? (viewProblem != nil)
        let lost = lossGuard.lostSide(of: path)
        let saved = writers.displacedFiles.saved(of: path)
        let isPending = hold != nil || lost != nil || isWaiting || saved != nil
        return DocumentRow(
            name: path.description,
            state: isHeld ? .held : (isPending ? .pending : .synced),
            side: hold?.side ?? viewProblem?.side ?? lost ?? saved?.side,
            reason: hold.map { .held($0.problem.located(at: replicas[$0.side].address(of: path))) }
                ?? viewProblem.map { .view($0.reason) }
                ?? lost.map { .gone($0) } ?? saved.map { $0.save == .open ? .keptOpen : .savedLate },
            versions: BothSides { record?.sides[$0].version },
            generation: record?.generation ?? 0,
            hashes: BothSides { record?.sides[$0].digest },
            conflicts: conflictLog.open(of: path),
            views: rule(for: path).views.map { DocumentRow.View(name: $0.path, side: Side($0.container)) }
        )
    }

    /// How documents are replaced: as configured, unless a file system cannot do it.
    package var commitInUse: String {
        let isExchanging = replicas.app.exchanges && replicas.group.exchanges
        return isExchanging ? settings.commit.rawValue : CommitMode.rename.rawValue
    }

    /// Held documents, without pending ones.
    package var heldDocuments: [DocumentRow] { rows().filter { $0.state == .held } }

    /// The held ones among these documents, and those in a directory that cannot be listed.
    package func heldDocuments(among documents: Set<RelativePath>?) -> [DocumentRow] {
        guard let documents else { return heldDocuments }
        let held = documents.sorted().compactMap { row($0) }.filter { $0.state == .held }
        let beneath = scanner.unlisted.filter { place, _ in documents.contains { $0.isInside(place.path) } }
        return held + beneathUnlisted(beneath)
    }

    /// All files in the containers are known.
    package var isAllListed: Bool { scanner.isComplete }
}
