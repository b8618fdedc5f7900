import Reconciliation

extension Checker {
    /// More reloads than this in `moment` is a storm.
    private static var mostReloads: Int { 3 }
    private static var moment: Duration { .milliseconds(20) }

    /// What one subscriber was told of one document, for one kind of widget.
    private struct Stream: Hashable {
        var lane: Int
        var document: Int
        var kind: Int
    }

    private struct Told {
        var step: Int
        var version: Int?
        var generation: Int64
    }

    mutating func checkReloads() {
        var held = history.start.map { Set([$0.group]) }
        var listening: [Int: Set<Int>] = [:]
        var streams: [Stream: [Told]] = [:]
        /// What a subscriber knows of a document.
        var known: [Stream: Int?] = [:]
        for (number, step) in history.steps.enumerated() {
            guard let document = step.document else {
                // Whoever starts again tells again.
                if step.what == .started { streams = [:] }
                continue
            }
            switch step.what {
            case .changed where step.side == .group: held[document].insert(step.version ?? History.absent)
            case .subscribed:
                listening[document, default: []].insert(step.lane)
                known[Stream(lane: step.lane, document: document, kind: 0)] = step.version
            case .told:
                judgement.reloads += 1
                for lane in listening[document, default: []].sorted() {
                    let stream = Stream(lane: lane, document: document, kind: step.kind)
                    let told = Told(step: number, version: step.version, generation: step.generation)
                    judge(told, stream, streams[stream, default: []], held[document])
                    streams[stream, default: []].append(told)
                    known[Stream(lane: lane, document: document, kind: 0)] = step.version
                }
            default: break
            }
        }
        for (stream, version) in known { judgeEnd(stream, version) }
    }

    private mutating func judge(_ told: Told, _ stream: Stream, _ before: [Told], _ held: Set<Int>) {
        if told.version.map({ !held.contains($0) }) ?? true {
            let words =
                "was told at step \(told.step) to reload what cannot be read in the group container yet"
            add(.prematureReload, stream, told.step...told.step, words, versions: [told.version])
        }
        if let last = before.last { judge(told, after: last, stream) }
        let now = history.steps[told.step].time
        let recent = before.filter { now - history.steps[$0.step].time < Self.moment }
        if recent.count == Self.mostReloads, let first = recent.first {
            let words = "was told to reload \(recent.count + 1) times within 20 ms"
            add(.reloadStorm, stream, first.step...told.step, words, versions: [], count: recent.count + 1)
        }
    }

    private mutating func judge(_ told: Told, after last: Told, _ stream: Stream) {
        let steps = last.step...told.step
        if last.version == told.version, told.version != nil {
            let words = "was told of the same content at step \(last.step) and again at step \(told.step)"
            add(.duplicateReload, stream, steps, words, versions: [told.version])
        }
        if told.generation < last.generation {
            let words =
                "was told of generation \(last.generation) at step \(last.step) and of \(told.generation) "
                + "after that"
            add(.outOfOrderReload, stream, steps, words, versions: [last.version, told.version])
        }
    }

    private mutating func judgeEnd(_ stream: Stream, _ version: Int?) {
        guard let rest = history.rest, rest.unrest == nil, !history.hasWidgetKinds,
            !rest.held.contains(stream.document)
        else { return }
        let there = rest.versions[stream.document].group
        guard there != version else { return }
        let last = history.steps.lastIndex {
            $0.what == .changed && $0.document == stream.document && $0.side == .group
        }
        let step = last ?? history.steps.count - 1
        add(
            .missedReload,
            stream,
            step...max(step, history.steps.count - 1),
            "was never told of what has been "
                + "in the group container since step \(step)",
            versions: [there]
        )
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
