import Model

/// Whether a content that is no JSON was written as a whole, or is the part of a write.
struct WholeContents {
    let attribution: Attribution
    let authors: [Int: ChangeAuthor]

    enum Answer {
        case whole, part
        /// It is not seen who wrote it, or whether its writer had come to its end.
        case unclear
    }

    private var history: History { attribution.history }
    private var evidence: Evidence { attribution.evidence }

    /// What a bridge brings is whole if it was so where it came from.
    func answer(_ version: Int, _ document: Int) -> Answer {
        var answer = Answer.part
        for (number, step) in history.steps.enumerated()
        where step.what == .changed && step.version == version && step.document == document {
            switch self.answer(number, step) {
            case .whole: return .whole
            case .unclear: answer = .unclear
            case .part: break
            }
        }
        return answer
    }

    /// - Parameter number: of a change to that content.
    private func answer(_ number: Int, _ step: Step) -> Answer {
        guard let side = step.side, let document = step.document, let version = step.version,
            let author = authors[number], author != .bridge
        else { return .part }
        if evidence.programs[side].tellsSaves { return evidence.isTold(number) ? .whole : .part }
        if author == .unknown, attribution.mayBeCopied(number) { return .part }
        if evidence.renamed.contains(number) { return .whole }
        let next = whole(document, side, history.steps[(number + 1)...])
        let before =
            whole(document, side, history.steps[..<number].reversed()) ?? history.start[document][side]
        let isPart = attribution.isFragment(
            history.versions[version].bytes,
            of: next ?? before,
            over: before
        )
        if isPart { return .part }
        return author == .program && (next != nil || hasEnded(side)) ? .whole : .unclear
    }

    /// The first content among these steps that is whole, or an absence.
    private func whole(_ document: Int, _ side: Side, _ steps: some Sequence<Step>) -> Int? {
        steps.first { step in
            step.what == .changed && step.document == document && step.side == side
                && (step.version == History.absent || attribution.values.isWhole(step.version ?? 0))
        }?
        .version
    }

    /// Whether its program has written all that it wanted.
    private func hasEnded(_ side: Side) -> Bool {
        evidence.programs[side].over != nil && !evidence.programs[side].hasFailed
    }
}
