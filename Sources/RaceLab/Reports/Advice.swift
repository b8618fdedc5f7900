import Model

/// How a race is mended: who has to do what instead.
package struct Advice: Fact {
    /// The name of an actor.
    package var actor: String
    package var remedy: Remedy

    package var text: String { "\(actor) must \(remedy.text)" }
}

/// What a program or a bridge does instead of what caused an anomaly.
package enum Remedy: String, CaseIterable, Sendable {
    // For whoever saves, program or bridge.
    case renameNewFile, replaceInOneStep

    // For a program.
    case expectHash, readAfterSubscribing

    // For a bridge.
    case leaveOpenFiles, examineDisplaced, mergeEdits, recordLast, beAlone, syncFirst, neverSwapBack
    case mergeBeforeRest, keepOrder, compareAgain, beFaster, rememberDeletions, knowOwnWrites
    case notifyAfterRename, notifyOnce, notifyInOrder, debounce, notifyOfLast, answer

    // For whoever made the last change that a custom check saw.
    case satisfyCheck

    /// What follows "must".
    package var text: String {
        switch self {
        case .renameNewFile: "write a new file and rename it over the document"
        case .replaceInOneStep: "rename the new file over the document, without removing the old one before"
        case .expectHash:
            "read the document again right before it saves, or save with `put --expect HASH`, which is refused "
                + "if the document has changed"
        case .readAfterSubscribing:
            "read once after it has subscribed, and wait for notices with a time limit"
        case .leaveOpenFiles:
            "leave a document alone while a program has it open for writing; no bridge needs to wait for a "
                + "program that renames a new file over the document"
        case .examineDisplaced:
            "exchange the two files and examine the one that it displaced, because a check before the rename "
                + "is too early"
        case .mergeEdits:
            "merge what both sides changed, and keep what it does not know, instead of replacing it"
        case .recordLast:
            "record a document as in sync only after both files are written, because it can be killed before"
        case .beAlone: "be the only bridge between these containers"
        case .syncFirst: "sync the file and its directory before it records the document as in sync"
        case .neverSwapBack: "merge a save that it displaced, instead of swapping it back"
        case .mergeBeforeRest: "merge a save that it displaced before it rests"
        case .keepOrder: "never replace a content with an older one, nor with one that lacks the latest saves"
        case .compareAgain:
            "compare the contents of both sides before it rests: equal sizes and times prove nothing"
        case .beFaster: "bring changes sooner, or programs must read again on each notice (`subscribe`)"
        case .rememberDeletions:
            "remember what was in sync: a document that one side lacks since was deleted and is not new"
        case .knowOwnWrites:
            "recognize its own writes by their hash, and be the only bridge between these containers"
        case .notifyAfterRename: "send the notice after the rename that makes the new content visible"
        case .notifyOnce: "compare with the content of the last notice before it sends another one"
        case .notifyInOrder: "send notices in the order of the generations"
        case .debounce: "wait until the saves pause, and then send one notice"
        case .notifyOfLast: "send a notice after the last change, also after a restart"
        case .answer: "answer every request, also after a restart"
        case .satisfyCheck: "leave a state that passes the check"
        }
    }
}

extension Anomaly {
    /// How to mend it.
    ///
    /// - Parameter history: the history that shows it.
    package func advice(in history: History) -> Advice {
        let advisor = Advisor(anomaly: self, history: history)
        let (lane, remedy) = advisor.remedy
        return Advice(actor: lane.map { history.lanes[$0].name } ?? advisor.bridge, remedy: remedy)
    }
}

/// Finds who has caused an anomaly.
private struct Advisor {
    let anomaly: Anomaly
    let history: History

    /// The name of the first bridge.
    var bridge: String { history.lanes.first { $0.kind == .agent }?.name ?? "the bridge" }

    /// Without a lane, it is for the bridge.
    var remedy: (lane: Int?, Remedy) {
        switch anomaly.kind {
        case .tornRead: torn
        case .lostUpdate: lost
        case .nonMonotonicRead: goneBack
        case .resurrectedDeletion: resurrected
        case .staleRead: (nil, isSeenFromOutside ? .beFaster : .compareAgain)
        case .overtakenRead: (culprit, .mergeBeforeRest)
        case .dirtyRead: (culprit, .neverSwapBack)
        case .divergence: (nil, .compareAgain)
        case .pingPong: (anomaly.lane, .knowOwnWrites)
        case .duplicateReload: (notifier, .notifyOnce)
        case .outOfOrderReload: (notifier, .notifyInOrder)
        case .missedReload: (notifier, .notifyOfLast)
        case .prematureReload: (notifier, .notifyAfterRename)
        case .reloadStorm: (notifier, .debounce)
        case .deadlock: waiting
        case .ownCheck: (lastChange?.lane, .satisfyCheck)
        }
    }

    private var torn: (Int?, Remedy) {
        let version = anomaly.evidence.versions.first
        let author = history.steps.first { $0.what == .changed && $0.version == version }?.lane
        guard let author else { return (culprit, .renameNewFile) }
        let isCarried = !history.isAgent(author) && culprit.map(history.isAgent) == true
        return isCarried ? (culprit, .leaveOpenFiles) : (author, .renameNewFile)
    }

    private var lost: (Int?, Remedy) {
        guard let culprit, let change = lastChange else { return unseenLoss }
        switch history.lanes[culprit].kind {
        case .app, .widget: return (culprit, .expectHash)
        case .fate: return (nil, .syncFirst)
        case .agent: return (culprit, lostByBridge(change))
        }
    }

    /// The save was never seen in a container: it went to a file that had been displaced before.
    private var unseenLoss: (Int?, Remedy) {
        let isInPlace = history.calls.contains { call in
            call.lane == anomaly.lane
                && [.operation(.truncateAndWrite), .operation(.writeInPlace)].contains(call.name)
        }
        return isInPlace ? (anomaly.lane, .renameNewFile) : (nil, .examineDisplaced)
    }

    private func lostByBridge(_ change: (step: Int, lane: Int)) -> Remedy {
        if history.lanes.count(where: { $0.kind == .agent }) > 1 { return .beAlone }
        if history.steps[..<change.step].contains(where: { $0.what == .died }) { return .recordLast }
        return hasRead(change) ? .mergeEdits : .examineDisplaced
    }

    /// Whether the bridge knew what it replaced.
    private func hasRead(_ change: (step: Int, lane: Int)) -> Bool {
        let replaced = history.steps[change.step]
        return history.steps[..<change.step].contains {
            $0.what == .read && $0.lane == replaced.lane && $0.document == replaced.document
                && $0.side == replaced.side && $0.version == replaced.before
        }
    }

    private var goneBack: (Int?, Remedy) {
        guard let change = lastChange else { return (nil, .keepOrder) }
        if history.steps[change.step].version == History.absent { return (change.lane, .replaceInOneStep) }
        let isByBridge = history.isAgent(change.lane) || isSeenFromOutside
        return isByBridge ? (nil, .keepOrder) : (change.lane, .expectHash)
    }

    private var resurrected: (Int?, Remedy) {
        guard let lane = lastChange?.lane, !history.isAgent(lane) else {
            return (nil, .rememberDeletions)
        }
        return (lane, .expectHash)
    }

    private var waiting: (Int?, Remedy) {
        let wait = history.rest?.waits.first { $0.lane == anomaly.lane }
        return wait?.verb == .readOnNotice ? (anomaly.lane, .readAfterSubscribing) : (nil, .answer)
    }

    // MARK: Who

    private var culprit: Int? { anomaly.evidence.culpritLane ?? lastChange?.lane }

    /// Real programs do not tell which reader this was, so the evidence names the change instead.
    private var isSeenFromOutside: Bool { anomaly.evidence.culprit != nil }

    private var notifier: Int? {
        history.steps[..<min(anomaly.steps.upperBound + 1, history.steps.count)].last { $0.what == .told }?
            .lane
    }

    /// The step that the evidence names, or the last one of the anomaly that changed its document.
    private var lastChange: (step: Int, lane: Int)? {
        let named = anomaly.evidence.culprit
        let found = history.steps.indices.last { number in
            let step = history.steps[number]
            return anomaly.steps.contains(number) && step.what == .changed
                && step.document == anomaly.document && (anomaly.side == nil || step.side == anomaly.side)
        }
        guard let number = named ?? found, history.steps.indices.contains(number) else { return nil }
        return (number, history.steps[number].lane)
    }
}
