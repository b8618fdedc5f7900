import Model

// The sentences about anomalous reads.
extension Checker {
    private func anomaly(
        _ kind: AnomalyKind,
        _ step: Step,
        _ steps: ClosedRange<Int>,
        _ evidence: Anomaly.Evidence,
        _ sentence: String
    ) -> Anomaly {
        Anomaly(
            kind: kind,
            document: step.document ?? 0,
            side: step.side,
            lane: step.lane,
            steps: steps,
            evidence: evidence,
            sentence: sentence
        )
    }

    private func reader(_ number: Int, _ step: Step) -> String {
        "\(name(step.lane)) read \(path(step.document ?? 0)) in \(step.side?.rawValue ?? "") at step \(number)"
    }

    func torn(_ number: Int, _ step: Step, _ version: Int, _ resemblance: Resemblance) -> Anomaly {
        let bytes = history.versions[version].bytes
        let offset = resemblance.offset
        var evidence = Anomaly.Evidence()
        evidence.offset = offset
        evidence.versions = [version] + resemblance.versions
        let made = history.steps[..<number].lastIndex {
            $0.what == .changed && $0.document == step.document && $0.side == step.side
        }
        evidence.culprit = made
        evidence.culpritLane = made.map { history.steps[$0].lane }
        let part =
            bytes.count == offset
            ? "only its first \(offset) bytes" : "bytes that belong to it up to byte \(offset)"
        let what = bytes.isEmpty ? "an empty file" : part
        return anomaly(
            .tornRead,
            step,
            (made ?? number)...number,
            evidence,
            "\(reader(number, step)) and got \(what): nobody ever wrote that as a whole."
        )
    }

    func stale(_ missing: [(edit: Int, saved: Int)], _ number: Int, _ step: Step) -> Anomaly {
        var evidence = Anomaly.Evidence()
        let oldest = missing.map(\.saved).min() ?? number
        evidence.edits = missing.map(\.edit)
        evidence.ageInVersions = missing.count
        evidence.age = step.time - history.steps[oldest].time
        evidence.versions = [step.version].compactMap(\.self)
        let milliseconds = (evidence.age ?? .zero) / .milliseconds(1)
        return anomaly(
            .staleRead,
            step,
            oldest...number,
            evidence,
            "\(reader(number, step)) and did not get \(words(missing[0].edit)), saved at step \(oldest), "
                + "\(Int(milliseconds)) ms before, although the bridge had nothing left to do."
        )
    }

    func overtaken(_ edit: Int, _ displaced: Int, _ back: Int, _ number: Int, _ step: Step) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.edits = [edit]
        evidence.culprit = displaced
        evidence.culpritLane = history.steps[displaced].lane
        evidence.age = history.steps[back].time - history.steps[displaced].time
        return anomaly(
            .overtakenRead,
            step,
            displaced...back,
            evidence,
            "\(reader(number, step)) without \(words(edit)), which an exchange displaced at step \(displaced) "
                + "and which came back only at step \(back), after the bridge had rested."
        )
    }

    func goneBack(_ previous: (version: Int, step: Int), _ lost: [Int], _ number: Int, _ step: Step)
        -> Anomaly
    {
        var evidence = Anomaly.Evidence()
        evidence.edits = lost
        evidence.versions = [previous.version, step.version].compactMap(\.self)
        let what =
            lost.first.map { "without \(words($0)), which it had seen" }
            ?? "and found nothing, where it had found it"
        return anomaly(
            .nonMonotonicRead,
            step,
            previous.step...number,
            evidence,
            "\(reader(number, step)) \(what) at step \(previous.step)."
        )
    }

    func dirty(_ number: Int, _ step: Step, _ taken: ClosedRange<Int>) -> Anomaly {
        var evidence = Anomaly.Evidence()
        evidence.versions = [step.version].compactMap(\.self)
        evidence.culprit = taken.upperBound
        evidence.culpritLane = history.steps[taken.upperBound].lane
        return anomaly(
            .dirtyRead,
            step,
            taken,
            evidence,
            "\(reader(number, step)) what \(name(history.steps[taken.lowerBound].lane)) had put there at step "
                + "\(taken.lowerBound) and took back at step \(taken.upperBound)."
        )
    }
}
