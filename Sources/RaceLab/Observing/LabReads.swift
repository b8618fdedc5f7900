import Model

/// What other programs can notice of the lab's own reads, and so whether they can change what happens.
package enum LabReads: Sendable, Hashable {
    /// The reads raise no event.
    case silent
    /// The reads raise events, as any program's reads do, and no program listens for those.
    case unheard
    /// A bridge listens for them, by the name of its program. It made no use of them in this run: no program
    /// saved where the bridge may have written before.
    case unused(by: [String])
    /// These programs listen for them, by name: a bridge may have taken the lab for the app that has seen the
    /// document.
    case heard(by: [String])

    package var word: String {
        switch self {
        case .silent: "silent"
        case .unheard: "unheard"
        case .unused: "unused"
        case .heard: "heard"
        }
    }

    var isHeard: Bool { if case .heard = self { true } else { false } }

    mutating func add(listeners: [String]) {
        switch self {
        case .silent: break
        case .unheard, .unused: if !listeners.isEmpty { self = .heard(by: listeners) }
        case .heard(let known): self = .heard(by: Set(known).union(listeners).sorted())
        }
    }

    /// Only of the bridge's own watching program is it known what it does with what it hears.
    func judged(_ history: History, isSame: (Int, Int, Int) -> Bool) -> LabReads {
        guard case .heard(let programs) = self, programs == ["widgetbridge-watch"] else { return self }
        return SavesOverBridge.happened(in: history, isSame) ? self : .unused(by: programs)
    }
}

/// Who changed a document, as far as its contents show.
private struct SavesOverBridge {
    private var held: BothSides<Int>
    /// What the bridge may bring to a side: the contents of the other side since this side's last change.
    private var brought: BothSides<Set<Int>>
    /// Before the start, the bridge may have written the document.
    private let wasThere: BothSides<Bool>
    private var isSaved = BothSides(app: false, group: false)

    init(start: BothSides<Int>) {
        held = start
        brought = BothSides { [start[$0.other]] }
        wasThere = start.map { $0 != History.absent }
    }

    /// Whether a program may have saved or deleted a document where a bridge may have written it before. Only
    /// for such a save does a bridge ask whether what it had written was read.
    ///
    /// - Parameter isSame: whether two versions of a document, the app's and the group's, are equal by value.
    static func happened(in history: History, _ isSame: (Int, Int, Int) -> Bool) -> Bool {
        var documents = history.start.map(SavesOverBridge.init)
        return history.steps.contains { step in
            guard step.what == .changed, let document = step.document, let side = step.side,
                let version = step.version
            else { return false }
            return documents[document].change(side, to: version) { isSame(document, $0.app, $0.group) }
        }
    }

    /// Whether that may have happened by now.
    private mutating func change(_ side: Side, to version: Int, isSame: (BothSides<Int>) -> Bool) -> Bool {
        held[side] = version
        if !brought[side].contains(version), !isSame(held) { isSaved[side] = true }
        brought[side] = [held[side.other]]
        brought[side.other].insert(version)
        return isSaved[side] && (wasThere[side] || isSaved[side.other])
    }
}
