/// A run as text: time goes down, and every actor has a column.
///
/// It fits the given size: less important steps are left out first, and replaced by `⋮`.
package struct SwimLanes {
    package struct Line: Hashable, Sendable {
        package var text: String
        /// The line is part of the anomaly's steps.
        package var isGuilty = false
        fileprivate var step: Int?
    }

    package private(set) var lines: [Line] = []

    private let narrator: Narrator
    private let anomaly: Anomaly?
    private let width: Int
    /// The steps that must be shown.
    private let needed: Set<Int>
    private var rows: [Row] = []
    /// By lane: the first and the last step of each call.
    private var calls: [[ClosedRange<Int>]]

    /// One step, or above it the name of the call that starts with it.
    private struct Row {
        var step: Int
        var lane: Int
        var text: String
        var isHead = false
        /// Rows with a lower rank are more important.
        var rank = 0
    }

    package init(_ history: History, anomaly: Anomaly? = nil, width: Int = 80, height: Int = 40) {
        narrator = Narrator(history)
        self.anomaly = anomaly
        self.width = width
        needed = anomaly.map { Set($0.marked).union(history.reads(deciding: $0)) } ?? []
        calls = history.lanes.map { _ in [] }
        for stretch in history.stretches { calls[stretch.lane].append(stretch.steps) }
        makeRows()
        let everything = legend(of: narrator.contents, atMost: height / 4)
        let drawn = drawn(fitting: height - 1 - everything.count)
        let shown = Set(drawn.compactMap(\.step).flatMap { narrator.contents(of: history.steps[$0]) })
        lines = [head] + drawn + legend(of: narrator.contents.filter(shown.contains), atMost: height / 4)
    }

    private var history: History { narrator.history }

    // MARK: Columns

    private static var margin: Int { 14 }
    private static var narrowest: Int { 14 }

    private var column: Int { max(1, (width - Self.margin) / max(1, history.lanes.count)) }
    /// With many actors, each line names its actor.
    private var isNarrow: Bool { column < Self.narrowest }

    private var head: Line {
        if isNarrow { return Line(text: "  step     ms  actor and action") }
        let cells = history.lanes.map { lane in
            let version = lane.version.map { " (v\($0))" } ?? ""
            return "\(lane.label)\(version)".fitted(to: column - 1) + " "
        }
        return Line(text: ("  step     ms  " + cells.joined()).withoutEnd)
    }

    private func cells(_ row: Row, _ mark: String) -> String {
        let cells = history.lanes.indices.map { lane in
            let open = calls[lane].first { $0.contains(row.step) }
            if lane != row.lane {
                // The call is in progress while another actor has a step.
                let isOpen = open.map { $0.lowerBound < row.step } ?? false
                return (isOpen ? "│" : "").fitted(to: column)
            }
            let bar =
                row.isHead
                ? "┌" : open == nil || open?.count == 1 ? "·" : open?.upperBound == row.step ? "└" : "│"
            let text = "\(bar) \(row.text)".shortened(to: column - 1 - mark.count)
            return (text + mark).fitted(to: column)
        }
        return cells.joined()
    }

    // MARK: Rows

    private mutating func makeRows() {
        let heads = Dictionary(history.stretches.map { ($0.steps.lowerBound, $0) }) { first, _ in first }
        for (number, step) in history.steps.enumerated() {
            var text = narrator.words(step)
            if text.count + 3 > column, !isNarrow { text = text.replacing(" in ", with: " ") }
            let rank = rank(number)
            if let head = heads[number], head.lane == step.lane {
                let name = narrator.words(history.calls[head.call])
                if head.steps.count == 1, text.count + name.count + 6 <= column || history.isAgent(step.lane)
                {
                    if !history.isAgent(step.lane) { text = "\(name): \(text)" }
                } else {
                    let rank = history.isAgent(step.lane) ? max(3, rank) : min(2, rank)
                    rows.append(Row(step: number, lane: step.lane, text: name, isHead: true, rank: rank))
                }
            }
            rows.append(Row(step: number, lane: step.lane, text: text, rank: rank))
        }
    }

    /// Lower is more important.
    private func rank(_ step: Int) -> Int {
        guard let anomaly else { return history.steps[step].what.isEvent ? 1 : 4 }
        if needed.contains(step) { return 0 }
        if history.steps[step].what.isEvent { return anomaly.steps.contains(step) ? 1 : 2 }
        // Steps close to the anomaly may have caused it.
        let isClose = anomaly.steps.lowerBound - 2...anomaly.steps.upperBound + 2 ~= step
        return isClose ? 4 : 5
    }

    /// The most important rows.
    private func drawn(fitting height: Int) -> [Line] {
        for rank in stride(from: 4, through: 1, by: -1) {
            let lines = drawn { $0.rank <= rank }
            if lines.count <= height { return lines }
        }
        let lines = drawn { $0.rank <= 1 }
        let first = (height - 1) / 2
        let ends = lines.prefix(first) + [Line(text: "     ⋮")] + lines.suffix(height - 1 - first)
        let decisive = drawn { $0.rank == 0 }
        return needed.isSubset(of: ends.compactMap(\.step)) || decisive.count > height
            ? Array(ends) : decisive
    }

    private func drawn(_ isShown: (Row) -> Bool) -> [Line] {
        var lines: [Line] = []
        var left = 0
        var clock = ""
        for row in rows {
            guard isShown(row) else {
                if !row.isHead { left += 1 }
                continue
            }
            if left > 0 {
                lines.append(Line(text: "\(mark(row.step - 1))    ⋮", isGuilty: isGuilty(row.step - 1)))
            }
            left = 0
            let time = row.isHead ? "" : history.steps[row.step].time.inMilliseconds
            lines.append(line(row, time == clock ? "" : time))
            if !row.isHead { clock = time }
        }
        if left > 0 { lines.append(Line(text: "     ⋮")) }
        return lines
    }

    private func isGuilty(_ step: Int) -> Bool { anomaly?.steps.contains(step) ?? false }
    private func mark(_ step: Int) -> String { isGuilty(step) ? "┃" : " " }

    private func line(_ row: Row, _ clock: String) -> Line {
        let number = row.isHead ? "" : "\(row.step)"
        let start = "\(mark(row.step))\(number.inFront(5)) \(clock.inFront(6)) "
        let isCulprit = !row.isHead && anomaly?.evidence.culprit == row.step
        let end =
            isNarrow
            ? "\(history.lanes[row.lane].label): \(row.text)\(isCulprit ? " ◀" : "")"
            : cells(row, isCulprit ? " ◀" : "")
        let text = (start + end).fitted(to: width).withoutEnd
        return Line(text: text, isGuilty: isGuilty(row.step), step: row.step)
    }

    // MARK: Legend

    /// The meaning of the letters.
    private func legend(of used: [Int], atMost height: Int) -> [Line] {
        guard !used.isEmpty else { return [] }
        var lines = [""]
        for content in used {
            let text = "\(narrator.name(content)) \(narrator.origin(content))"
            if lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = text
            } else if lines[lines.count - 1].count + text.count + 5 <= width - 2 {
                lines[lines.count - 1] += ", \(text)"
            } else {
                lines.append(text)
            }
        }
        if lines.count > height { lines = lines.prefix(height - 1) + ["…"] }
        return lines.map { Line(text: "  \($0)") }
    }
}

extension History {
    /// The calls with their steps.
    var stretches: [(call: Int, lane: Int, steps: ClosedRange<Int>)] {
        var found: [Int: ClosedRange<Int>] = [:]
        for (number, step) in steps.enumerated() {
            guard let call = step.call else { continue }
            found[call] = (found[call]?.lowerBound ?? number)...number
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, calls[$0.key].lane, $0.value) }
    }

    /// The reads that decided what the actors did who have a part in it: what each had read of the document
    /// last, before its step.
    func reads(deciding anomaly: Anomaly) -> Set<Int> {
        let reads = anomaly.marked.compactMap { act -> Int? in
            guard steps.indices.contains(act), steps[act].what == .changed else { return nil }
            return steps[..<act].lastIndex { step in
                [.read, .fetched].contains(step.what) && step.lane == steps[act].lane
                    && step.document == steps[act].document
            }
        }
        return Set(reads)
    }
}

extension Anomaly {
    /// The first and the last of its steps, and the culprit.
    fileprivate var marked: [Int] {
        [steps.lowerBound, steps.upperBound] + [evidence.culprit].compactMap(\.self)
    }
}

extension Duration {
    /// With one decimal, to fit the column.
    fileprivate var inMilliseconds: String {
        let tenths = (self / .microseconds(100)).rounded()
        return "\(Int(tenths) / 10).\(Int(tenths) % 10)"
    }
}

extension String {
    fileprivate func inFront(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// Exactly this wide: cut, or padded with spaces.
    fileprivate func fitted(to width: Int) -> String {
        if count > width { return prefix(max(0, width - 1)) + "…" }
        return self + String(repeating: " ", count: width - count)
    }

    fileprivate var withoutEnd: String {
        var result = self
        while result.last == " " { result.removeLast() }
        return result
    }
}
