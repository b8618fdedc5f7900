import Documents
import Model

/// The changes of one document, each with its author and what the content says before and after it.
struct DocumentChanges {
    struct Change {
        var step: Int
        var side: Side
        var author: ChangeAuthor
        /// The contents of that side; a content that is not whole is left out.
        var before: Int
        var after: Int
    }

    let document: Int
    let changes: [Change]
    /// What each side had at the end: its last content that was whole, or none.
    let end: BothSides<Int>

    init(_ document: Int, _ history: History, _ authors: [Int: ChangeAuthor], _ values: ContentValues) {
        self.document = document
        var holding = history.start[document]
        var changes: [Change] = []
        for (number, step) in history.steps.enumerated()
        where step.what == .changed && step.document == document {
            guard let side = step.side, let version = step.version,
                version == History.absent || values.isWhole(version)
            else { continue }
            changes.append(
                Change(
                    step: number,
                    side: side,
                    author: authors[number] ?? .unknown,
                    before: holding[side],
                    after: version
                )
            )
            holding[side] = version
        }
        self.changes = changes
        end = holding
    }

    /// What a side had before the content that a change replaced.
    func contents(of side: Side, before change: Change, from start: [BothSides<Int>]) -> [Int] {
        let earlier = changes.filter { $0.side == side && $0.step < change.step }.dropLast()
        let contents = [start[document][side]] + earlier.map(\.after)
        return contents.filter { $0 != History.absent && $0 != change.before }
    }
}
