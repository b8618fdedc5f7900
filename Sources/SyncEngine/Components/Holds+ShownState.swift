import Model
import Reloads
import Stores

/// What a hold means for the widgets: they read the group's document, which they may not be able to show.
extension Holds {
    /// `nil`: a widget may be able to show the document.
    func shownState(of document: RelativePath) -> ShownState? {
        guard let hold = self[document], !hold.isPending else { return nil }
        return hold.group?.shownState
    }

    /// The documents whose state is another one than when this was last called, in order.
    mutating func takeShownChanges() -> [(document: RelativePath, state: ShownState?)] {
        takeNews().sorted().compactMap { document in
            let state = shownState(of: document)
            guard state != shown[document] else { return nil }
            shown[document] = state
            return (document, state)
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
