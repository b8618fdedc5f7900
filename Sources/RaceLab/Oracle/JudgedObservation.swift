import Documents
import Model

/// What an observed history shows, with the changes given to who made them.
struct JudgedObservation {
    private(set) var history: History
    private(set) var judgement = Judgement()
    /// What cannot be decided.
    private(set) var doubts: [ObservationDoubt] = []
    /// The kinds that were not judged, and why not.
    private(set) var skipped: [AnomalyKind: SkipReason] = [:]

    private let attribution: Attribution
    private let patience: Duration
    private let isSame: (_ document: Int, Int, Int) -> Bool
    /// Kinds that reads of programs leave open.
    private var open: Set<AnomalyKind> = []
    private var authors: [Int: ChangeAuthor] = [:]
    private var contents: WholeContents
    /// Why it is not seen which processes of a side displaced what others of it had saved.
    private var blindness: SkipReason?
    /// Whether programs read a document while it was written in place is not seen.
    private var isBlindToReads = false

    /// The longest time for which a bridge may bring a content that the other side has left.
    private static let mostLag = Duration.milliseconds(200)

    /// - Parameters:
    ///   - patience: how long a change may take to reach the other side.
    ///   - isSame: whether two versions of a document are equal by value.
    init(
        _ observed: History,
        _ evidence: Evidence,
        patience: Duration,
        rule: @escaping (_ document: Int) -> DocumentRule? = { _ in nil },
        isSame: @escaping (_ document: Int, Int, Int) -> Bool
    ) {
        let writes = UnfinishedWrites(observed, evidence)
        history = writes.history
        (self.patience, self.isSame) = (patience, isSame)
        let done = DoneCheck(
            Attribution(
                history: history,
                evidence: evidence,
                values: ContentValues(history, rule: rule),
                lag: min(patience, Self.mostLag)
            )
        )
        attribution = done.attribution
        doubts = done.doubts
        authors = attribution.authors()
        contents = WholeContents(attribution, authors)
        giveToAuthors()
        let found = judgeSightings(history, evidence.bridgeTime, patience: patience, isSame: isSame)
        judgement = found
        judgement.anomalies = []
        for anomaly in found.anomalies where isOfReader(anomaly) { judgement.anomalies.append(anomaly) }
        judgeReportedReads()
        judgeSeenReads()
        judgeContents()
        for step in writes.unclear { doubtWrite(at: step) }
        doubtReplaced()
        dropConsequences()
        dropUnread()
        doubts = ObservationDoubt.grouped(doubts)
        judgement.anomalies.sort { ($0.steps.upperBound, $0.kind) < ($1.steps.upperBound, $1.kind) }
        skip()
    }

    private var evidence: Evidence { attribution.evidence }
    private var values: ContentValues { attribution.values }

    /// The bridge's changes are steps of its lane, and no saves; a program may save on the other side, too.
    private mutating func giveToAuthors() {
        for (step, author) in authors {
            switch author {
            case .bridge:
                history.steps[step].lane = ObservedHistory.Lane.bridge.rawValue
                history.steps[step].call = nil
            case .program:
                guard let call = evidence.writers[step] else { break }
                let lane = ObservedHistory.Lane(evidence.calls[call].player).rawValue
                history.steps[step].lane = lane
                if let save = history.steps[step].call { history.calls[save].lane = lane }
            case .unknown: break
            }
        }
        for step in rewrites.ofBridge { history.steps[step].lane = ObservedHistory.Lane.bridge.rawValue }
    }

    private var rewrites: RewriteCheck {
        RewriteCheck(history: history, evidence: evidence, authors: authors)
    }

    private mutating func doubt(_ doubt: ObservationDoubt) {
        if !doubts.contains(doubt) { doubts.append(doubt) }
    }

    // MARK: Reads

    /// Whether a program could have read what the lab read there.
    private mutating func isOfReader(_ anomaly: Anomaly) -> Bool {
        switch anomaly.kind {
        case .dirtyRead, .overtakenRead: return false
        case .tornRead: return isTorn(anomaly)
        case .nonMonotonicRead:
            // The program of that side knows what it does there.
            guard let culprit = anomaly.evidence.culprit, let author = authors[culprit],
                let side = anomaly.side
            else { return true }
            if author == .unknown, evidence.moved.contains(culprit) {
                doubt(.unclearAbsence(history.documents[anomaly.document], side, step: culprit))
                return false
            }
            let mayBeReturn =
                author == .unknown && mayBeReturn(at: culprit, side)
                || author == .bridge && isBusy(side.other, anomaly.document, at: culprit)
            guard mayBeReturn else { return author != .program }
            doubt(.unclearReturn(history.documents[anomaly.document], side, step: culprit))
            return false
        case .reloadStorm: return isStorm(anomaly)
        case .duplicateReload: return isRepeated(anomaly)
        default: return true
        }
    }

    private mutating func isTorn(_ anomaly: Anomaly) -> Bool {
        guard let side = anomaly.side else { return true }
        let change = history.steps[...anomaly.steps.upperBound].lastIndex {
            $0.what == .changed && $0.document == anomaly.document && $0.side == side
        }
        let answer = contents.answer(anomaly.evidence.versions.first ?? History.absent, anomaly.document)
        if answer == .whole { return false }
        if answer == .invented {
            let path = history.documents[anomaly.document]
            doubt(.inventedContent(path, side, step: change ?? anomaly.steps.upperBound))
            return false
        }
        if anomaly.lane == ObservedHistory.Lane.reader.rawValue {
            // What a program reports of its reads is better than what the lab reads in its stead.
            if evidence.programs[side].reportsReads { return false }
            if let change, authors[change] == .program { return false }
            if let change, evidence.locked.contains(change) {
                let path = history.documents[anomaly.document]
                if !evidence.seesCalls { doubt(.lockedHalf(path, side, step: change)) }
                return false
            }
            let isKnown = change.map { authors[$0] == .bridge } ?? true
            if answer == .part, isKnown { return true }
        } else if answer == .part {
            return true
        }
        doubt(.unclearTorn(history.documents[anomaly.document], side, step: anomaly.steps.upperBound))
        return false
    }

    /// Whether the program of that side may have put the content back. If nothing is known of programs, the
    /// other side gets it, too, or others than the bridge made changes there shortly before.
    private func mayBeReturn(at number: Int, _ side: Side) -> Bool {
        let step = history.steps[number]
        if step.version == History.absent { return false }
        if let isThere = evidence.programs[side].isThere { return isThere }
        func isChange(_ number: Int, _ side: Side) -> Bool {
            let change = history.steps[number]
            return change.what == .changed && change.document == step.document && change.side == side
        }
        let recent = history.steps.indices[..<number].reversed().prefix {
            step.time - history.steps[$0].time < attribution.lag
        }
        return recent.contains { isChange($0, side) && authors[$0] != .bridge }
            || history.steps.indices[number...].contains {
                isChange($0, side.other) && history.steps[$0].version == step.version
            }
    }

    /// Whether its program saves so often at about that step that the lab may have missed that it put an
    /// older content back for a moment.
    private func isBusy(_ side: Side, _ document: Int, at number: Int) -> Bool {
        let busy = BusySide(history: history, values: values, time: attribution.lag)
        return busy.changes(document, side, at: number, by: authors)
    }

    /// The lab, or a subscriber, may come late to notices that were sent one after the other.
    private func isStorm(_ anomaly: Anomaly) -> Bool {
        let notices = anomaly.steps.filter { history.steps[$0].what == .notified }
        guard let first = notices.first.flatMap({ evidence.sent[$0] }),
            let last = notices.last.flatMap({ evidence.sent[$0] })
        else { return true }
        return last.upperBound - first.lowerBound < Checker.moment
    }

    private mutating func isRepeated(_ anomaly: Anomaly) -> Bool {
        let isGuess = [anomaly.steps.lowerBound, anomaly.steps.upperBound].contains {
            evidence.guessed[$0] != nil
        }
        let check = NoticeCheck(history: history, evidence: evidence)
        if !isGuess || check.isRepeated(anomaly.steps.upperBound) { return true }
        let path = history.documents[anomaly.document]
        doubt(.unclearNotice(path, step: anomaly.steps.upperBound))
        return false
    }

    private mutating func judgeReportedReads() {
        let found = ReportedReadCheck(history: history, evidence: evidence).findings()
        judgement.anomalies += found.anomalies
        open = found.open
    }

    /// What the programs themselves read is better than what the lab read in their stead.
    private mutating func judgeSeenReads() {
        var check = SeenReadCheck(contents: contents)
        let found = check.findings()
        let seen = found.anomalies.map(\.evidence.versions)
        judgement.anomalies.removeAll { $0.kind == .tornRead && seen.contains($0.evidence.versions) }
        judgement.anomalies += found.anomalies
        let held = HeldFileCheck(history: history, evidence: evidence, patience: patience)
        judgement.anomalies += held.anomalies()
        for one in found.doubts { doubt(one) }
        isBlindToReads =
            !evidence.seesAllCalls
            && history.steps.indices.contains { number in
                let step = history.steps[number]
                guard step.what == .changed, let side = step.side, step.version != History.absent else {
                    return false
                }
                let program = evidence.programs[side]
                return program.isThere != false && !program.reportsReads && !evidence.renamed.contains(number)
            }
    }

    /// Where a bridge swaps contents without end, a reader finds older ones: that is no find of its own.
    private mutating func dropConsequences() {
        let swapped = Set(judgement.anomalies.filter { $0.kind == .pingPong }.map(\.document))
        judgement.anomalies.removeAll { $0.kind == .nonMonotonicRead && swapped.contains($0.document) }
    }

    /// What a document held that could not be read is not known.
    private mutating func dropUnread() {
        let unread = evidence.unread
        judgement.anomalies.removeAll { unread.contains($0.document) }
    }

    /// Nobody knows whether it was half a write, which a bridge must not bring.
    private mutating func doubtWrite(at number: Int) {
        let step = history.steps[number]
        guard let document = step.document, let side = step.side else { return }
        doubt(.unclearWrite(history.documents[document], side, step: number))
    }

    /// What a program wrote into a file that had lost its name changed no document.
    private mutating func doubtReplaced() {
        guard evidence.seesCalls else {
            for one in evidence.replacedWrites { doubtReplaced(one.document, one.side, step: one.number) }
            return
        }
        let seen = Set(evidence.writers.values)
        for (number, call) in evidence.calls.enumerated()
        where call.player != .bridge && !seen.contains(number) {
            for (document, path) in history.documents.enumerated() {
                for side in Side.allCases where call.step.call.isIntoReplaced(path, on: side) {
                    doubtReplaced(document, side, step: call.number)
                }
            }
        }
    }

    private mutating func doubtReplaced(_ document: Int, _ side: Side, step: Int) {
        judgement.anomalies.removeAll { $0.kind == .lostUpdate && $0.document == document }
        doubt(.wroteReplaced(history.documents[document], side, step: step))
    }

    // MARK: Contents

    private mutating func judgeContents() {
        let losses = LossCheck(history: history, evidence: evidence, values: values)
        let deletions = DeletionCheck(history: history, evidence: evidence)
        for document in history.documents.indices {
            let changes = DocumentChanges(document, history, authors, values)
            let found = losses.findings(changes)
            let deleted = deletions.findings(changes)
            judgement.anomalies += found.anomalies + deleted.anomalies
            for one in found.doubts + deleted.doubts { doubt(one) }
            blindness = blindness ?? found.blindness
            judgement.anomalies += BlinkCheck(history: history, evidence: evidence).anomalies(
                document,
                authors
            )
            let rewritten = rewrites.findings(document)
            judgement.anomalies += rewritten.anomalies
            if hasUnclearPingPong(changes) || rewritten.isUnclear {
                doubt(.unclearPingPong(history.documents[document]))
            }
        }
    }

    /// One content comes again and again, and either the bridge or a program brings it.
    private func hasUnclearPingPong(_ all: DocumentChanges) -> Bool {
        var counts: [Int: Int] = [:]
        for change in all.changes {
            switch change.author {
            case .program: counts = [:]
            case .bridge: break
            case .unknown: counts[change.after * 2 + (change.side == .app ? 0 : 1), default: 0] += 1
            }
        }
        return counts.values.contains { $0 > 2 }
    }

    // MARK: Skipped kinds

    /// Whether the same values are there in another order.
    private func isReordering(_ step: Step) -> Bool {
        guard step.what == .changed, let document = step.document, let before = step.before,
            let after = step.version, values.isWhole(before), values.isWhole(after)
        else { return false }
        return values.isSame(document, before, after) && !isSame(document, before, after)
    }

    private mutating func skip() {
        for kind in [AnomalyKind.overtakenRead, .dirtyRead] { skipped[kind] = .insideBridge }
        skipped[.deadlock] = .waitsUnseen
        for kind in AnomalyKind.allCases where kind.isOfPlacedWidgets { skipped[kind] = .widgetsUnseen }
        let saves = history.steps.indices.filter { authors[$0] == .program }
        if saves.allSatisfy({ history.steps[$0].version == History.absent }) {
            skipped[.lostUpdate] = .nothingSaved
        }
        if isBlindToReads { skipped[.tornRead] = .readersUnseen }
        if let blindness {
            skipped[.lostUpdate] = blindness
        } else if history.steps.contains(where: isReordering) {
            skipped[.lostUpdate] = .orderUnjudged
        }
        if saves.allSatisfy({ history.steps[$0].version != History.absent }) {
            let isDeleted = history.steps.contains { $0.what == .changed && $0.version == History.absent }
            skipped[.resurrectedDeletion] = isDeleted ? .deleterUnseen : .nothingDeleted
        }
        if history.hasWidgetKinds { skipped[.missedReload] = .widgetKinds }
        if !history.steps.contains(where: { $0.what == .notified || $0.what == .subscribed }) {
            for kind in AnomalyKind.allCases where kind.isOfReloads { skipped[kind] = .noReloads }
        }
        if history.rest == nil {
            for kind in [AnomalyKind.lostUpdate, .resurrectedDeletion, .divergence, .missedReload] {
                skipped[kind] = .neverAtRest
            }
        }
        if UnshownCheck(history: history, evidence: evidence, authors: authors).isOpen {
            skipped[.staleRead] = .shownUnseen
        }
        for kind in open { skipped[kind] = .readsUnseen }
        for doubt in doubts { if let kind = doubt.kind { skipped[kind] = .undecided } }
        for kind in judgement.kinds { skipped[kind] = nil }
    }
}
