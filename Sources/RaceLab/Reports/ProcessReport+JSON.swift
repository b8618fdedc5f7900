package import Documents
import Model

extension ProcessReport {
    package var json: JSONText {
        [
            "format": JSONText(1),
            "seed": JSONText(String(seed)),
            "verdict": JSONText(verdict.word),
            "moves": JSONText(moves.map { JSONText($0.text) }),
            "gates": JSONText(gates.map { JSONText($0) }),
            "control": control.json,
            "shrinking": shrinking.map {
                ["repeatable": JSONText($0.isRepeatable), "replays": JSONText($0.replays)]
            } ?? .null,
            "replay": JSONText(replay?.text),
            "observation": observation.json,
        ]
    }

    /// A race that differs from the recorded one cannot prove that an anomaly is gone.
    package var verdict: RaceVerdict {
        difference != nil && observation.verdict == .clean ? .unknown : observation.verdict
    }

    /// How it differs from the recorded race; `nil` if it does not, or is no replay.
    package var difference: String? {
        guard case .different(let difference) = replay else { return nil }
        return difference.text
    }

    /// `app 2, widget 1, app 1`: the programs, with how many gates each passed in a row.
    package var gateWords: String {
        var schedule = Schedule()
        let names = Array(Set(gates)).sorted()
        for name in gates { schedule.append(names.firstIndex(of: name) ?? 0) }
        return schedule.segments.map { "\(names[$0.lane]) \($0.count)" }.joined(separator: ", ")
    }
}

extension ControlReport {
    package var json: JSONText {
        [
            "used": JSONText(kind.rawValue),
            "refusal": JSONText(refusal?.text),
            "schedule": JSONText(order.segments.map { JSONText("\($0.lane.name) \($0.count)") }),
            "steps": JSONText(steps.map { JSONText($0) }),
            "escapes": JSONText(escapes.map { JSONText($0.text) }),
            "trace": JSONText(kind == .calls ? trace : nil),
            "end": JSONText(end?.description),
        ]
    }
}
