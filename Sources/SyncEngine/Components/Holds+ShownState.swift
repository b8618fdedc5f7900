package import Model
import Reloads
import StateStore
import Stores

/// What a hold means for the widgets: they read the group's document, which they may not be able to show.
extension Holds {
    /// `nil`: a widget may be able to show the document.
    func shownState(of document: RelativePath) -> ShownState? { hindrance(of: document)?.shownState }

    private func hindrance(of document: RelativePath) -> Problem? {
        guard case .problem(let problem)? = found[document], self[document]?.isPending != true,
            problem.shownState != nil
        else { return nil }
        return problem
    }

    /// What that side has: the notices to widgets follow what the widgets read.
    func digest(of document: RelativePath, on side: Side, _ record: DocumentRecord?) -> Digest? {
        switch side == .group ? found[document] : nil {
        case .other(let digest): digest
        case .nothing: nil
        case .problem, nil: record?.sides[side].digest
        }
    }

    /// What widgets find in place of the document that was synced last.
    struct Shown: Sendable, Hashable {
        /// Why they cannot show it. A widget may show the reason as text, so another reason is another text.
        var hindrance: Problem?
        var content: GroupContent?
    }

    /// The documents of which widgets find something else than when this was last called, in order.
    /// `isSynced`: that is what was synced last.
    mutating func takeShownChanges() -> [(document: RelativePath, isSynced: Bool)] {
        takeNews().sorted().compactMap { document in
            var content = found[document]
            // Only the kind of hindrance matters to a widget.
            if case .problem? = content { content = nil }
            let new = Shown(hindrance: hindrance(of: document), content: content)
            guard new != shown[document] ?? Shown() else { return nil }
            shown[document] = new == Shown() ? nil : new
            return (document, new == Shown())
        }
    }
}

/// What the group has of a document, if not what was synced last.
package enum GroupContent: Sendable, Hashable {
    case nothing
    case other(Digest)
    case problem(Problem)
}

extension Observation {
    /// As what the group has; `nil`: what was synced last.
    func groupContent(_ record: DocumentRecord?) -> GroupContent? {
        switch self {
        case .absent: record == nil ? nil : .nothing
        case .unchanged: nil
        case .content(let snapshot):
            snapshot.digest == record?.sides.group.digest ? nil : .other(snapshot.digest)
        case .problem(let problem): .problem(problem)
        }
    }
}

extension Problem {
    /// `nil`: a widget may be able to show the document.
    var shownState: ShownState? {
        switch self {
        case .newerVersion: .incompatible
        case .unreadable: .locked
        case .store(let problem): problem.isRetried ? .locked : .error
        case .notRegular, .notJSON, .empty, .tooLarge, .unknownVersion, .untranslatable, .invalid: .error
        case .located(_, let problem): problem.shownState
        default: nil
        }
    }
}
