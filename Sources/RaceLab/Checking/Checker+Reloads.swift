import Model

/// The notices to one subscriber about one document, for one widget kind.
private struct Stream: Hashable {
    var lane: Int
    var document: Int
    var kind: Int
}

private struct Sent {
    var step: Int
    var version: Int?
    var generation: Int64
}

private struct Subscriber: Hashable {
    var lane: Int
    var document: Int
}

/// The last version that a subscriber was notified of, by widget kind; before that, the initial one.
private struct Knowledge {
    var last: Int?
    let found: Int?
    var notified: [String: Int?] = [:]

    init(_ found: Int?) {
        last = found
        self.found = found
    }

    /// For a widget that displays everything, whatever its kind.
    func version(_ kind: String) -> Int? { kind.isEmpty ? last : notified[kind] ?? found }
    var versions: [Int?] { [last, found] + notified.sorted { $0.key < $1.key }.map(\.value) }
}

extension Checker {
    /// More reloads than this within `moment` are a storm.
    private static var mostReloads: Int { 3 }
    static var moment: Duration { .milliseconds(20) }

    mutating func checkReloads() {
        var held = history.start.map { Set([$0.group]) }
        var listening: [Int: Set<Int>] = [:]
        var streams: [Stream: [Sent]] = [:]
        var known: [Subscriber: Knowledge] = [:]
        for (number, step) in history.steps.enumerated() {
            guard let document = step.document else {
                // A restarted agent notifies again.
                if step.what == .started, history.isAgent(step.lane) { streams = [:] }
                // A killed program subscribes to nothing.
                if step.what == .died {
                    for place in listening.keys { listening[place]?.remove(step.lane) }
                    streams = streams.filter { $0.key.lane != step.lane }
                    known = known.filter { $0.key.lane != step.lane }
                }
                continue
            }
            switch step.what {
            case .changed where step.side == .group: held[document].insert(step.version ?? History.absent)
            case .subscribed:
                listening[document, default: []].insert(step.lane)
                known[Subscriber(lane: step.lane, document: document)] = Knowledge(step.version)
            case .notified:
                judgement.reloads += 1
                for lane in listening[document, default: []].sorted() {
                    let stream = Stream(lane: lane, document: document, kind: step.kind)
                    let notice = Sent(step: number, version: step.version, generation: step.generation)
                    judge(notice, stream, streams[stream, default: []], held[document])
                    streams[stream, default: []].append(notice)
                    record(step, in: &known[Subscriber(lane: lane, document: document)])
                }
            default: break
            }
        }
        for (subscriber, knowledge) in known { judgeEnd(subscriber, knowledge) }
    }

    private func record(_ step: Step, in known: inout Knowledge?) {
        known?.last = step.version
        if history.kinds.indices.contains(step.kind) {
            known?.notified[history.kinds[step.kind]] = .some(step.version)
        }
    }

    private mutating func judge(_ notice: Sent, _ stream: Stream, _ before: [Sent], _ held: Set<Int>) {
        if notice.version.map({ !held.contains($0) }) ?? true {
            let words =
                "was told at step \(notice.step) to reload what cannot be read in the group container yet"
            add(.prematureReload, stream, notice.step...notice.step, words, versions: [notice.version])
        }
        if let last = before.last { judge(notice, after: last, stream) }
        let now = history.steps[notice.step].time
        let moment = isPlaced(stream.kind) ? ScenarioWidget.moment : Self.moment
        let recent = before.filter { now - history.steps[$0.step].time < moment }
        if recent.count == Self.mostReloads, let first = recent.first {
            let words =
                "was told to reload \(recent.count + 1) times within \(Int(moment / .milliseconds(1))) ms"
            add(.reloadStorm, stream, first.step...notice.step, words, versions: [], count: recent.count + 1)
        }
    }

    private func isPlaced(_ kind: Int) -> Bool {
        history.kinds.indices.contains(kind) && history.widgets.has(history.kinds[kind])
    }

    private mutating func judge(_ notice: Sent, after last: Sent, _ stream: Stream) {
        let steps = last.step...notice.step
        if last.version == notice.version, notice.version != nil {
            let words = "was told of the same content at step \(last.step) and again at step \(notice.step)"
            add(.duplicateReload, stream, steps, words, versions: [notice.version])
        }
        if notice.generation < last.generation {
            let words =
                "was told of generation \(last.generation) at step \(last.step) and of \(notice.generation) "
                + "after that"
            add(.outOfOrderReload, stream, steps, words, versions: [last.version, notice.version])
        }
    }

    /// A widget of some kind displays an old state, because no notice was sent.
    private mutating func judgeEnd(_ subscriber: Subscriber, _ known: Knowledge) {
        let document = subscriber.document
        guard let rest = history.rest, rest.unrest == nil, !history.hasWidgetKinds,
            !rest.held.contains(document)
        else { return }
        let there = rest.versions[document].group
        func shown(_ version: Int?) -> [String] { isShown(document, version ?? History.absent, there) }
        let missed = Set(known.versions.flatMap(shown)).filter { shown(known.version($0)).contains($0) }
        let last = history.steps.lastIndex {
            $0.what == .changed && $0.document == document && $0.side == .group
        }
        let step = last ?? history.steps.count - 1
        for kind in missed.sorted() where !history.widgets.has(kind) {
            let what = kind.isEmpty ? "what" : "what \(kind) shows and"
            add(
                .missedReload,
                Stream(lane: subscriber.lane, document: document, kind: 0),
                step...max(step, history.steps.count - 1),
                "was never told of \(what) has been in the group container since step \(step)",
                versions: [there]
            )
        }
    }

    private mutating func add(
        _ kind: AnomalyKind,
        _ stream: Stream,
        _ steps: ClosedRange<Int>,
        _ words: String,
        versions: [Int?],
        count: Int? = nil
    ) {
        var evidence = Anomaly.Evidence()
        evidence.versions = versions.compactMap(\.self)
        evidence.count = count
        judgement.anomalies.append(
            Anomaly(
                kind: kind,
                document: stream.document,
                side: .group,
                lane: stream.lane,
                steps: steps,
                evidence: evidence,
                sentence: "\(name(stream.lane)) \(words): \(path(stream.document))."
            )
        )
    }
}
