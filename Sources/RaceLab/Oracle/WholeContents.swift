import Model

/// Whether a content that is no JSON was written as a whole, or is the part of a write.
struct WholeContents {
    let attribution: Attribution
    let authors: [Int: ChangeAuthor]

    enum Answer {
        case whole, part
        /// A bridge wrote it as a whole, and it is no part of anything that was there.
        case invented
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
            case .invented: if answer == .part { answer = .invented }
            case .part: break
            }
        }
        return answer
    }

    /// - Parameter number: of a change to that content.
    private func answer(_ number: Int, _ step: Step) -> Answer {
        guard let side = step.side, let document = step.document, let version = step.version,
            let author = authors[number]
        else { return .part }
        if author == .bridge { return isInvented(number, document, side, version) ? .invented : .part }
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

    /// Whether a bridge wrote at that step what it had from nowhere, and all that it wanted to write.
    private func isInvented(_ number: Int, _ document: Int, _ side: Side, _ version: Int) -> Bool {
        let changes = history.steps.indices.filter {
            history.steps[$0].what == .changed && history.steps[$0].document == document
        }
        let isCopy =
            history.start[document][side.other] == version
            || changes.contains {
                $0 < number && history.steps[$0].side == side.other && history.steps[$0].version == version
            }
        let isComplete =
            evidence.renamed.contains(number) || history.rest != nil
            || whole(document, side, history.steps[(number + 1)...]) != nil
        guard isComplete, !isCopy else { return false }
        let start = Side.allCases.map { history.start[document][$0] }
        let others = Set(start + changes.compactMap { history.steps[$0].version })
            .subtracting([version, History.absent])
        let bytes = history.versions[version].bytes
        return !Fragment.isMade(bytes, of: others.map { history.versions[$0].bytes })
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
