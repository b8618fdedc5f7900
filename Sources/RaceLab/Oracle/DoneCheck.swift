import Model

/// Finds programs that saved although they had reported `done`. That line of such a program is no evidence.
///
/// Where the lab sees system calls, it knows whose saves are. Elsewhere: what the other side never had, the
/// bridge cannot have brought.
struct DoneCheck {
    /// With what is left of the evidence.
    let attribution: Attribution
    private(set) var doubts: [ObservationDoubt] = []

    init(_ given: Attribution) {
        var evidence = given.evidence
        for side in Side.allCases {
            let program = evidence.programs[side]
            guard program.isDone, let over = program.over else { continue }
            // Without the program's word, by the contents alone.
            evidence.programs[side].over = nil
            evidence.programs[side].reportsSaves = false
            let authors = given.with(evidence).authors()
            let saves = given.history.steps.indices.filter { number in
                let step = given.history.steps[number]
                return step.what == .changed && step.side == side && step.time > over
                    && step.time <= program.gone ?? step.time && authors[number] == .program
                    && given.values.isWhole(step.version ?? History.absent)
                    && (!evidence.seesCalls
                        || evidence.writers[number] != nil && !given.evidence.isReported(number))
            }
            evidence.programs[side] = program
            guard let save = saves.first, let document = given.history.steps[save].document else { continue }
            evidence.programs[side].over = program.gone
            doubts.append(.changedAfterDone(side, given.history.documents[document], step: save))
        }
        attribution = given.with(evidence)
    }
}

extension Attribution {
    fileprivate func with(_ evidence: Evidence) -> Attribution {
        Attribution(history: history, evidence: evidence, values: values, lag: lag)
    }
}
