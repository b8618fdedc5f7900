import BridgeRuntime
import Documents
import Presentation
import Reloads

/// What a bar shows, in no bar's format yet.
struct BarLine: Hashable, Sendable {
    var text: String
    var tooltip: String
    /// By which a bar chooses colours.
    var state: ShownState
    /// From 0 to 100.
    var percentage: Int?
}

/// Makes the lines of one kind of widget.
struct BarPainter: Sendable {
    var rule: DocumentRule
    var template: BarTemplate

    func line(of shown: Shown) -> BarLine {
        let (state, remark) = (shown.state.shown, shown.text)
        guard let document = shown.document else { return failure(state, remark ?? "") }
        return BarLine(
            text: template.line.text(of: document),
            tooltip: tooltip(state, remark),
            state: state,
            percentage: template.percentage.flatMap { Double($0.text(of: document)) }.map {
                Int(min(max($0, 0), 100))
            }
        )
    }

    func failure(_ state: ShownState, _ text: String) -> BarLine {
        BarLine(text: text, tooltip: tooltip(state, text), state: state)
    }

    private func tooltip(_ state: ShownState, _ remark: String?) -> String {
        "\(rule.path): \(state.rawValue)" + (remark.map { ", \($0)" } ?? "")
    }
}
