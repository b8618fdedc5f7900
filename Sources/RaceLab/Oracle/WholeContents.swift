import Model

/// Whether a content that is no JSON was written as a whole, or is the part of a write.
struct WholeContents {
    let attribution: Attribution
    let authors: [Int: ChangeAuthor]
    private let changes: DocumentSteps
    private var known: [DocumentVersion: Answer] = [:]

    enum Answer {
        case whole, part
        /// A bridge wrote it as a whole, and it is no part of anything that was there.
        case invented
        /// It is not seen who wrote it, or whether its writer had come to its end.
        case unclear
    }

    init(_ attribution: Attribution, _ authors: [Int: ChangeAuthor]) {
        self.attribution = attribution
        self.authors = authors
        changes = DocumentSteps(attribution.history, isWhole: attribution.values.isWhole)
    }

    private var history: History { attribution.history }
    private var evidence: Evidence { attribution.evidence }

    /// What a bridge brings is whole if it was so where it came from.
    mutating func answer(_ version: Int, _ document: Int) -> Answer {
        let content = DocumentVersion(document: document, version: version)
        if let answer = known[content] { return answer }
        let answers = Side.allCases.flatMap { side in
            changes.to(content, on: side).map { self.answer($0, side, content) }
        }
        var answer = [.whole, .unclear, .invented].first(where: answers.contains) ?? Answer.part
        if answer == .invented, isMade(of: content) { answer = .part }
        known[content] = answer
        return answer
    }

    /// - Parameter number: of a change to that content.
    private func answer(_ number: Int, _ side: Side, _ content: DocumentVersion) -> Answer {
        guard let author = authors[number] else { return .part }
        if author == .bridge { return mayBeInvented(number, side, content) ? .invented : .part }
        if evidence.programs[side].reportsSaves { return evidence.isReported(number) ? .whole : .part }
        if author == .unknown, attribution.mayBeCopied(number) { return .part }
        if evidence.renamed.contains(number) { return .whole }
        let next = changes.wholeAfter[number]
        let before = changes.wholeBefore[number] ?? history.start[content.document][side]
        let isPart = attribution.isFragment(
            history.versions[content.version].bytes,
            of: next ?? before,
            over: before
        )
        if isPart { return .part }
        return author == .program && (next != nil || hasEnded(side)) ? .whole : .unclear
    }

    /// Whether a bridge had it from nowhere, unless it is a part of something, and wrote all that it wanted.
    private func mayBeInvented(_ number: Int, _ side: Side, _ content: DocumentVersion) -> Bool {
        let isCopy =
            history.start[content.document][side.other] == content.version
            || changes.to(content, on: side.other).first.map { $0 < number } ?? false
        let isComplete =
            evidence.renamed.contains(number) || history.rest != nil || changes.wholeAfter[number] != nil
        return isComplete && !isCopy
    }

    /// Whether it is made of parts of what was there.
    private func isMade(of content: DocumentVersion) -> Bool {
        let others = changes.versions[content.document].subtracting([content.version, History.absent])
        return Fragment.isMade(
            history.versions[content.version].bytes,
            of: others.map { history.versions[$0].bytes }
        )
    }

    /// Whether its program has written all that it wanted.
    private func hasEnded(_ side: Side) -> Bool {
        evidence.programs[side].over != nil && !evidence.programs[side].hasFailed
    }
}

/// One content of one document.
private struct DocumentVersion: Hashable {
    var document: Int
    var version: Int
}

/// The changes of each document, such that no question about one of them goes through all steps.
private struct DocumentSteps {
    /// What each document had, on either side.
    private(set) var versions: [Set<Int>]
    /// The last whole content of the same side before a change, and the first one after it; or an absence.
    private(set) var wholeBefore: [Int: Int] = [:]
    private(set) var wholeAfter: [Int: Int] = [:]
    private var changes: [DocumentVersion: BothSides<[Int]>] = [:]

    init(_ history: History, isWhole: (Int) -> Bool) {
        versions = history.start.map { [$0.app, $0.group] }
        var last = history.start.map { _ in BothSides<Int?>(app: nil, group: nil) }
        /// The contents after the last whole one.
        var open = history.start.map { _ in BothSides<[Int]>(app: [], group: []) }
        for (number, step) in history.steps.enumerated() where step.what == .changed {
            guard let document = step.document, let side = step.side, let version = step.version else {
                continue
            }
            versions[document].insert(version)
            let content = DocumentVersion(document: document, version: version)
            changes[content, default: BothSides(app: [], group: [])][side].append(number)
            wholeBefore[number] = last[document][side]
            if version == History.absent || isWhole(version) {
                for one in open[document][side] { wholeAfter[one] = version }
                open[document][side] = []
                last[document][side] = version
            }
            open[document][side].append(number)
        }
    }

    /// The changes to a content, in order.
    func to(_ content: DocumentVersion, on side: Side) -> [Int] { changes[content]?[side] ?? [] }
}
