/// The meaning of letters and shapes, below a drawing that stands alone.
struct LaneKey {
    private let drawing: LaneDrawing
    private let rows: [[Item]]

    private struct Item {
        let mark: StepMark
        let version: Int?
        let words: String
        let x: Int
    }

    private static let row = 24
    private static let letter = 6

    init(_ drawing: LaneDrawing) {
        self.drawing = drawing
        let narrator = drawing.narrator
        let contents = narrator.contents.map { (StepMark.written, Optional($0), narrator.origin($0)) }
        let shapes = drawing.marks.map { ($0, Int?.none, $0.words) }
        rows = [contents, shapes].flatMap { Self.wrapped($0, to: drawing.width) }
    }

    private static func wrapped(_ items: [(StepMark, Int?, String)], to width: Int) -> [[Item]] {
        var rows: [[Item]] = []
        var x = width
        for (mark, version, words) in items {
            let space = 40 + words.count * letter
            if x + space > width {
                rows.append([])
                x = 12
            }
            rows[rows.count - 1].append(Item(mark: mark, version: version, words: words, x: x))
            x += space
        }
        return rows
    }

    var height: Int { rows.count * Self.row + 8 }

    var svg: String {
        let lines = rows.enumerated().map { number, row -> String in
            let y = drawing.height + Self.row * number + Self.row / 2
            return row.map { "\n\(item($0, y))" }.joined()
        }
        return "<g class=\"keys\">\(lines.joined())\n</g>"
    }

    private func item(_ item: Item, _ y: Int) -> String {
        let shape =
            item.version.map { drawing.shape(item.mark, $0, item.x + 12, y) }
            ?? item.mark.svg(at: item.x + 12, y, letter: " ", colour: nil)
        return shape
            + "<text class=\"where\" x=\"\(item.x + 28)\" y=\"\(y + 4)\">\(item.words.escaped)</text>"
    }
}
