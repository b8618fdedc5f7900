import Model

// What both sides have at the end, to the right of the lanes.
extension LaneDrawing {
    static let endWidth = 168
    private static let row = 22
    private static let mostDocuments = 4
    private static let mostKept = 3

    /// Its rows, from top to bottom.
    private var endRows: [EndRow] {
        let shown = end.documents.prefix(Self.mostDocuments)
        var rows = [EndRow(text: end.isAtRest ? "at the end" : "last seen", name: "name")]
        for document in shown {
            rows.append(EndRow(text: document.path.description.shortened(to: 24), name: "document"))
            rows += Side.allCases.map { EndRow(text: $0.rawValue, version: document.sides[$0]) }
            let verdict = (document.agrees ? "= " : "≠ ") + document.inShort
            rows.append(EndRow(text: verdict, name: document.agrees ? "document" : "fault"))
        }
        let rest = end.documents.count - shown.count
        if rest > 0 { rows.append(EndRow(text: "and \(rest) more")) }
        for (name, kept) in end.kept {
            let named = kept.filter { narrator.place($0) != nil }
            rows += named.prefix(Self.mostKept).map { EndRow(text: name, version: $0) }
            if named.count > Self.mostKept {
                rows.append(EndRow(text: "\(name): \(named.count - Self.mostKept) more"))
            }
        }
        return rows
    }

    var endHeight: Int { 20 + Self.row * endRows.count + 10 }

    func endPanel() -> [String] {
        let x = layout.end + 24
        let line = "<line class=\"close\" x1=\"\(x - 10)\" x2=\"\(x - 10)\" y1=\"8\" y2=\"\(height - 8)\"/>"
        let rows = endRows.enumerated().map { number, row in
            let y = 24 + Self.row * number
            return content(row, x, y)
                + "<text class=\"\(row.name)\" x=\"\(x)\" y=\"\(y)\">\(row.text.escaped)</text>"
        }
        return ["<g class=\"end\">\(line)"] + rows + ["</g>"]
    }

    private func content(_ row: EndRow, _ x: Int, _ y: Int) -> String {
        guard let version = row.version else { return "" }
        return shape(.written, version, x + 96, y - 4)
    }
}

private struct EndRow {
    var text: String
    var name = "where"
    /// The content that is there.
    var version: Int?
}
