import Model

/// What both sides have at the end of a run, and what the bridge keeps of the rest.
struct EndState: Sendable {
    enum Agreement: Sendable {
        case identical
        /// Equal by value, in other bytes.
        case equal
        /// The bridge holds the document, and reports that.
        case held
        case different(Inequality)
        /// The run did not come to rest, and the bytes differ.
        case open
    }

    struct Document: Sendable {
        let path: RelativePath
        let sides: BothSides<Int>
        let agreement: Agreement
        /// Something happened to it.
        let isTouched: Bool

        var agrees: Bool {
            switch agreement {
            case .identical, .equal: true
            case .held, .different, .open: false
            }
        }

        var words: String {
            switch agreement {
            case .identical: "app and group have the same"
            case .equal: "app and group have equal values, in other bytes"
            case .held: "app and group differ, and the bridge holds the document"
            case .different(let reason): "app and group differ: \(reason.text)"
            case .open: "app and group differ, and were not at rest"
            }
        }

        /// For a narrow column.
        var inShort: String {
            switch agreement {
            case .identical: "the same"
            case .equal: "equal values"
            case .held: "differ, held"
            case .different, .open: "differ"
            }
        }
    }

    /// The documents that differ first, then those that changed.
    let documents: [Document]
    /// By name, the contents that it keeps, as far as they occurred in the run; what is unknown is left out.
    let kept: [(name: String, versions: [Int])]
    let isAtRest: Bool

    init(_ history: History) {
        let versions = history.rest?.versions ?? Self.last(history)
        let rest = history.rest
        let touched = Set(history.steps.lazy.filter { $0.what == .changed }.compactMap(\.document))
        let all = versions.indices.map { number in
            Document(
                path: history.documents[number],
                sides: versions[number],
                agreement: Self.agreement(number, versions[number], rest),
                isTouched: touched.contains(number)
            )
        }
        documents =
            all.filter { !$0.agrees } + all.filter { $0.agrees && $0.isTouched }
            + all.filter { $0.agrees && !$0.isTouched }
        isAtRest = rest != nil && rest?.unrest == nil
        let seen = Set(history.start.flatMap { [$0.app, $0.group] } + history.steps.compactMap(\.version))
        func known(_ kept: [Int]) -> [Int] {
            Set(kept).intersection(seen).subtracting([History.absent]).sorted()
        }
        kept = [("trash", history.trash), ("conflict copy", history.copies)].compactMap { name, kept in
            kept.map { (name, known($0)) }
        }
    }

    /// Without a rest: what was there after the last change.
    private static func last(_ history: History) -> [BothSides<Int>] {
        var versions = history.start
        for step in history.steps where step.what == .changed {
            guard let document = step.document, let side = step.side, let version = step.version else {
                continue
            }
            versions[document][side] = version
        }
        return versions
    }

    private static func agreement(_ document: Int, _ sides: BothSides<Int>, _ rest: Rest?) -> Agreement {
        if sides.app == sides.group { return .identical }
        guard let rest, rest.unrest == nil else { return .open }
        if rest.held.contains(document) { return .held }
        let difference = rest.differences.first { $0.document == document }
        return difference.map { .different($0.reason) } ?? .equal
    }
}
