/// Makes a run smaller while it shows the same anomaly: fewer actors, fewer operations, no tail, fewer
/// switches, fewer steps, no faults, smaller documents. No change adds steps.
struct Shrinker {
    private var best: SavedSchedule
    private var finding: Finding
    private let check: ((Run) -> String?)?
    private let backendKind: RaceBackendKind
    private let isHurried: () -> Bool
    private var replays = 0
    /// Of the best run.
    private var steps: Int

    /// The limit of runs for shrinking.
    private static var mostReplays: Int { 2_000 }

    init(_ finding: Finding, _ options: ExploreOptions) {
        self.finding = finding
        check = options.check
        backendKind = options.backendKind
        isHurried = options.isHurried
        best = finding.saved
        steps = finding.history.steps.count
    }

    mutating func shrink() -> Finding {
        // With fewer operations, an actor might wait for another reason.
        if finding.anomaly.kind != .deadlock {
            dropActors()
            dropOperations()
        }
        cutTail()
        joinSegments()
        dropSteps()
        dropFaults()
        dropPayload()
        let run = Run.replay(best.scenario, best.schedule, on: backendKind)
        best.trace = run.history.trace
        if let anomaly = anomaly(in: run) { finding.anomaly = anomaly }
        finding.saved = best
        finding.history = run.history
        finding.replays = replays
        return finding
    }

    private func anomaly(in run: Run) -> Anomaly? {
        if finding.anomaly.kind == .ownCheck, let sentence = check?(run) {
            return .refused(sentence, run.history)
        }
        return run.judgement.anomalies.first { $0.isLike(finding.anomaly) }
    }

    /// Accepts a smaller run if it still shows the anomaly, in no more steps.
    ///
    /// - Parameter isShorter: only in fewer steps.
    private mutating func accept(
        isShorter: Bool = false,
        _ change: (inout SavedSchedule) -> Void
    ) -> Bool {
        guard replays < Self.mostReplays, !isHurried() else { return false }
        var smaller = best
        change(&smaller)
        guard smaller != best else { return false }
        replays += 1
        let run = Run.replay(smaller.scenario, smaller.schedule, on: backendKind)
        let count = run.history.steps.count
        guard count < steps || count == steps && !isShorter, anomaly(in: run) != nil else { return false }
        (best, steps) = (smaller, count)
        return true
    }

    // MARK: Operations

    private mutating func dropActors() {
        for lane in best.scenario.actors.indices.reversed() {
            let isNeeded = best.scenario.actors.count { $0.kind == .agent } == 1
            if best.scenario.actors[lane].kind == .agent, isNeeded { continue }
            _ = accept { saved in
                saved.scenario.actors.remove(at: lane)
                saved.schedule.forget(lane)
            }
        }
    }

    private mutating func dropOperations() {
        for lane in best.scenario.actors.indices {
            for number in best.scenario.actors[lane].operations.indices.reversed() {
                _ = accept { $0.scenario.actors[lane].operations.remove(at: number) }
            }
        }
        for index in best.scenario.documents.indices.reversed() where best.scenario.documents.count > 1 {
            let path = best.scenario.documents[index].path
            let isUsed = best.scenario.actors.contains { $0.operations.contains { $0.document == path } }
            if !isUsed { _ = accept { $0.scenario.documents.remove(at: index) } }
        }
    }

    // MARK: Order

    /// Drops the segments after the anomaly; the rule applies there.
    private mutating func cutTail() {
        var length = best.schedule.segments.count / 2
        while length > 0 {
            if !accept({ $0.schedule.segments.removeLast(min(length, $0.schedule.segments.count)) }) {
                length /= 2
            }
            length = min(length, best.schedule.segments.count)
        }
        // Shortens the last segment as far as possible.
        while let last = best.schedule.segments.last, last.count > 1 {
            let index = best.schedule.segments.count - 1
            let isHalved = accept { $0.schedule.segments[index].count /= 2 }
            if !isHalved { break }
        }
    }

    private mutating func joinSegments() {
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            var index = best.schedule.segments.count - 1
            while index >= 0 {
                if accept({
                    $0.schedule.segments.remove(at: index); $0.schedule.join()
                })
                    || (index + 1 < best.schedule.segments.count
                        && accept({
                            $0.schedule.segments.swapAt(index, index + 1); $0.schedule.join()
                        })
                        && best.schedule.segments.count <= index)
                {
                    isSmaller = true
                }
                index = min(index, best.schedule.segments.count) - 1
            }
        }
    }

    /// Who goes on elsewhere may have less to do.
    private mutating func dropSteps() {
        for index in best.schedule.segments.indices {
            let count = best.schedule.segments[index].count
            for less in 1...3 where count > less && index < best.schedule.segments.count {
                _ = accept(isShorter: true) { $0.schedule.segments[index].count = count - less }
            }
        }
    }

    // MARK: Documents

    private mutating func dropFaults() {
        _ = accept { $0.scenario.machine.faults = 0 }
        _ = accept { $0.schedule.faults = 0 }
    }

    private mutating func dropPayload() {
        for index in best.scenario.documents.indices {
            _ = accept { $0.scenario.documents[index].padding = 0 }
        }
    }
}

/// The same finding, shrunk as far as possible.
func shrunk(_ finding: Finding, _ options: ExploreOptions) -> Finding {
    var shrinker = Shrinker(finding, options)
    return shrinker.shrink()
}

extension Schedule {
    mutating func join() { segments = segments.joined }

    /// The following lanes move up.
    mutating func forget(_ lane: Int) {
        segments.removeAll { $0.lane == lane }
        for index in segments.indices where segments[index].lane > lane { segments[index].lane -= 1 }
        join()
    }
}

extension [Schedule.Segment] {
    /// Joins neighbouring segments of the same lane.
    fileprivate var joined: [Schedule.Segment] {
        reduce(into: []) { result, segment in
            if result.last?.lane == segment.lane {
                result[result.count - 1].count += segment.count
            } else {
                result.append(segment)
            }
        }
    }
}
