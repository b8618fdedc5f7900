import Model

/// How a race is mended: who has to do what instead.
package struct Advice: Fact {
    /// The name of an actor.
    package var actor: String
    package var remedy: Remedy
    /// Of a check of the user's, the step to look at first.
    package var step: Int?

    package init(actor: String, remedy: Remedy, step: Int? = nil) {
        (self.actor, self.remedy, self.step) = (actor, remedy, step)
    }

    package var text: String {
        guard remedy == .satisfyCheck else { return "\(actor) must \(remedy.text)" }
        let place =
            step.map { "step \($0), the last change of a program (\(actor)) before it" } ?? "the end state"
        return "\(remedy.text): look at \(place)"
    }
}

/// What a program or a bridge does instead of what caused an anomaly.
package enum Remedy: String, CaseIterable, Sendable {
    // For whoever saves, program or bridge.
    case renameNewFile, replaceInOneStep

    // For a program.
    case expectHash, readAfterSubscribing, readAgain, checkSave, saveThroughBridge

    // For a bridge.
    case leaveOpenFiles, examineDisplaced, keepSaves, mergeEdits, recordLast, beAlone, syncFirst,
        neverSwapBack
    case keepRunning, keepNew, mergeBeforeRest, keepOrder, compareAgain, beFaster, rememberDeletions,
        knowOwnWrites
    case notifyAfterRename, notifyOnce, notifyInOrder, debounce, notifyOfLast, answer, answerOnceWritten
    case reloadForNews, followClock, notifyOfAge, keepTaps

    // For whoever made the last change that a custom check saw.
    case satisfyCheck

    /// What follows "must"; of a check, what it says alone.
    package var text: String {
        switch self {
        case .renameNewFile: "write a new file and rename it over the document"
        case .replaceInOneStep: "rename the new file over the document, without removing the old one before"
        case .expectHash:
            "read the document again right before it saves, or save with `put --expect HASH`, which is refused "
                + "if the document has changed"
        case .readAfterSubscribing:
            "read once after it has subscribed, and wait for notices with a time limit"
        case .checkSave: "check the result of its save: this content was never seen in the container"
        case .saveThroughBridge:
            "save with `put --expect HASH`: where files are not exchanged, no bridge can keep what is saved "
                + "between its check and its rename"
        case .readAgain: "read the document itself each time, instead of what it has in memory"
        case .leaveOpenFiles:
            "leave a document alone while a program has it open for writing; no bridge needs to wait for a "
                + "program that renames a new file over the document"
        case .examineDisplaced:
            "exchange the two files and examine the one that it displaced, because a check before the rename "
                + "is too early"
        case .keepSaves:
            "merge what both sides changed, and exchange files instead of overwriting them, so that it can "
                + "examine a save that it displaces"
        case .mergeEdits:
            "merge what both sides changed, and keep what it does not know, instead of replacing it"
        case .recordLast:
            "record a document as in sync only after both files are written, because it can be killed before"
        case .beAlone: "be the only bridge between these containers"
        case .syncFirst: "sync the file and its directory before it records the document as in sync"
        case .neverSwapBack: "merge a save that it displaced, instead of swapping it back"
        case .keepRunning: "run as long as the programs do: it ended before them"
        case .mergeBeforeRest: "merge a save that it displaced before it rests"
        case .keepOrder: "never replace a content with an older one, nor with one that lacks the latest saves"
        case .compareAgain:
            "compare the contents of both sides before it rests: equal sizes and times prove nothing"
        case .beFaster: "bring changes sooner, or programs must read again on each notice (`subscribe`)"
        case .rememberDeletions:
            "remember what was in sync: a document that one side lacks since was deleted and is not new"
        case .keepNew: "delete only what was in sync and has been deleted on the other side: all else is new"
        case .knowOwnWrites:
            "recognize its own writes by their hash, and be the only bridge between these containers"
        case .notifyAfterRename: "send the notice after the rename that makes the new content visible"
        case .notifyOnce: "compare with the content of the last notice before it sends another one"
        case .notifyInOrder: "send notices in the order of the generations"
        case .debounce: "wait until the saves pause, and then send one notice"
        case .notifyOfLast: "send a notice after the last change, also after a restart"
        case .answer: "answer every request, also after a restart"
        case .answerOnceWritten: "answer a request to write only once the new content is in place"
        case .reloadForNews: "reload a widget only if what it shows has changed, and keep its slots for that"
        case .followClock:
            "notice that the clock was put back, and move all that it waits for by the same time"
        case .notifyOfAge: "notify when what a widget shows becomes stale, and not with the next change"
        case .keepTaps: "keep a tap on the disk until the app has acknowledged it"
        case .satisfyCheck: "find out who left the state that the check refuses"
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
        if remedy == .satisfyCheck {
            return Advice(
                actor: lane.map { history.lanes[$0].name } ?? "the programs",
                remedy: remedy,
                step: advisor.lastSave
            )
        }
        return Advice(actor: lane.map { history.lanes[$0].name } ?? advisor.bridge, remedy: remedy)
    }
}

/// Finds who has caused an anomaly.
private struct Advisor {
    let anomaly: Anomaly
    let history: History

    /// The name of the first bridge.
    var bridge: String { history.lanes.first { $0.kind == .agent }?.name ?? "the bridge" }

    /// Without a lane, it is for the bridge; a check of the user's, of which no change is known, for all.
    var remedy: (lane: Int?, Remedy) {
        switch anomaly.kind {
        case .tornRead: torn
        case .lostUpdate: lost
        case .nonMonotonicRead: goneBack
        case .resurrectedDeletion: resurrected
        case .staleRead:
            isNotified ? (anomaly.lane, .readAgain) : (nil, isSeenFromOutside ? .beFaster : .compareAgain)
        case .overtakenRead: (culprit, .mergeBeforeRest)
        case .dirtyRead: (culprit, .neverSwapBack)
        case .divergence: (nil, history.bridgeHasEnded ? .keepRunning : .compareAgain)
        case .pingPong: (anomaly.lane, .knowOwnWrites)
        case .duplicateReload: (notifier, hasOtherBridges ? .beAlone : .notifyOnce)
        case .outOfOrderReload: (notifier, hasOtherBridges ? .beAlone : .notifyInOrder)
        case .missedReload: (notifier, .notifyOfLast)
        case .prematureReload: (notifier, .notifyAfterRename)
        case .reloadStorm: (notifier, .debounce)
        case .frozenWidget: (anomaly.lane, isClockSet ? .followClock : .reloadForNews)
        case .staleAsFresh: (anomaly.lane, .notifyOfAge)
        case .lostTap: (nil, .keepTaps)
        case .deadlock: waiting
        case .ownCheck: (lastSave.map { history.steps[$0].lane }, .satisfyCheck)
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
        // Without a culprit nobody has displaced it; the last change may be the lost save itself.
        guard let number = anomaly.evidence.culprit, history.steps.indices.contains(number) else {
            return unseenLoss
        }
        let lane = history.steps[number].lane
        switch history.lanes[lane].kind {
        case .app, .widget: return (lane, .expectHash)
        case .fate: return (nil, .syncFirst)
        case .agent where history.steps[number].version == History.absent: return (lane, .keepNew)
        case .agent:
            let remedy = lostByBridge((number, lane))
            let cannotExamine = remedy == .examineDisplaced && !history.canExchange
            return cannotExamine ? (anomaly.lane, .saveThroughBridge) : (lane, remedy)
        }
    }

    /// The save was never seen in a container: it went to a file that had been displaced before, or nowhere.
    private var unseenLoss: (Int?, Remedy) {
        let edits = Set(anomaly.evidence.edits)
        let saves = history.calls.filter { $0.lane == anomaly.lane && $0.document == anomaly.document }
        let saved = saves.last { $0.edit.map(edits.contains) ?? false }
        switch saved?.name {
        case .operation(.truncateAndWrite)?, .operation(.writeInPlace)?: return (anomaly.lane, .renameNewFile)
        case .operation(.edit)?: return (nil, .answerOnceWritten)
        default:
            guard let saved, isDisplacing(during: saved) else { return (anomaly.lane, .checkSave) }
            return (nil, .examineDisplaced)
        }
    }

    /// Whether a bridge changed the document while it was saved.
    private func isDisplacing(during save: Call) -> Bool {
        let count = max(0, (save.last ?? history.steps.count) - save.first + 1)
        return history.steps.dropFirst(save.first).prefix(count).contains {
            $0.what == .changed && $0.document == save.document && $0.side == save.side
                && history.isAgent($0.lane)
        }
    }

    private func lostByBridge(_ change: (step: Int, lane: Int)) -> Remedy {
        if hasOtherBridges { return .beAlone }
        let earlier = history.steps[..<change.step]
        if earlier.contains(where: { $0.what == .died && history.isAgent($0.lane) }) { return .recordLast }
        if hasRead(change) { return .mergeEdits }
        // What a real bridge reads is seen only where its calls are controlled.
        return earlier.contains { $0.lane == change.lane && $0.isRead } ? .examineDisplaced : .keepSaves
    }

    /// Whether the bridge knew what it replaced.
    private func hasRead(_ change: (step: Int, lane: Int)) -> Bool {
        let replaced = history.steps[change.step]
        return history.steps[..<change.step].contains {
            $0.isRead && $0.lane == replaced.lane && $0.document == replaced.document
                && $0.side == replaced.side && $0.version == replaced.before
        }
    }

    private var goneBack: (Int?, Remedy) {
        if isNotified { return (anomaly.lane, .readAgain) }
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

    private var hasOtherBridges: Bool { history.lanes.count { $0.kind == .agent } > 1 }

    private var isClockSet: Bool { history.steps.contains { $0.what == .clockPutBack } }

    // MARK: Who

    private var culprit: Int? { anomaly.evidence.culpritLane ?? lastChange?.lane }

    /// Real programs do not report which reader this was, so the evidence names the change instead.
    private var isSeenFromOutside: Bool { anomaly.evidence.culprit != nil }

    /// A program reported this read itself, or is seen to make it, and its container had something newer.
    private var isNotified: Bool {
        guard !history.isAgent(anomaly.lane) else { return false }
        guard let culprit = anomaly.evidence.culprit else {
            return anomaly.kind == .staleRead && anomaly.evidence.culpritLane == anomaly.lane
        }
        return [.read, .shown].contains(history.steps[culprit].what)
    }

    private var notifier: Int? {
        history.steps[..<min(anomaly.steps.upperBound + 1, history.steps.count)].last {
            $0.what == .notified
        }?
        .lane
    }

    /// The last change before a check failed that is not a bridge's: what that brings, others have made.
    var lastSave: Int? {
        history.steps.indices.last { number in
            let step = history.steps[number]
            return number <= anomaly.steps.upperBound && step.what == .changed && !history.isAgent(step.lane)
        }
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

extension Step {
    fileprivate var isRead: Bool { what == .read || what == .fetched }
}
