extension Evidence {
    /// The lanes of the steps that processes made beside others of their program.
    var lanes: [Int: RaceLane] {
        let steps = [writers, rewriters, fetches].joined().map { ($0.key, calls[$0.value].step.lane) }
        return Dictionary(steps.filter { $0.1.number > 0 }) { first, _ in first }
    }
}

extension ObservationReport {
    /// The history for a drawing: each process that ran beside others of its program has a lane of its own.
    package var drawn: History {
        var drawn = history
        var places: [RaceLane: Int] = [:]
        for lane in Set(lanes.values).sorted() {
            var one = history.lanes[ObservedHistory.Lane(lane.player).rawValue]
            one.name += ".\(lane.number + 1)"
            one.about = "a process of it"
            places[lane] = drawn.lanes.count
            drawn.lanes.append(one)
        }
        for (number, lane) in lanes {
            guard let place = places[lane] else { continue }
            drawn.steps[number].lane = place
            if let call = drawn.steps[number].call { drawn.calls[call].lane = place }
        }
        return drawn
    }
}
