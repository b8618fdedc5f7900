import Documents

extension TextPrinter {
    /// The changed lines with their context; empty if there are no changes.
    func text(_ diff: TextDiff) -> String {
        let hunks = diff.hunks(context: 3).map { $0.map(line).joined() }
        return hunks.joined(separator: "…\n")
    }

    private func line(_ line: TextDiff.Line) -> String {
        let text = line.text.withoutControls
        return switch line.kind {
        case .same: "  \(text)\n"
        case .gone: coloured("- \(text)", .red) + "\n"
        case .come: coloured("+ \(text)", .green) + "\n"
        }
    }
}
