import BridgeRuntime
import Documents

/// The state of what a bar shows, by which it chooses colours.
enum BarState: String, Hashable, Sendable {
    case fresh, stale, error, nodata
    /// There is a document, and it cannot be read.
    case locked
    /// The document's version is newer than the profile knows.
    case incompatible
}

/// What a bar shows, in no bar's format yet.
struct BarLine: Hashable, Sendable {
    var text: String
    var tooltip: String
    var state: BarState
    /// From 0 to 100.
    var percentage: Int?
}

/// Makes the lines of one kind of widget.
struct BarPainter: Sendable {
    var rule: DocumentRule
    var template: BarTemplate

    func line(of shown: ShownDocument) -> BarLine {
        switch shown.state {
        case .noData(let text): return failure(.nodata, text ?? "no data")
        case .error(let text): return failure(.error, text)
        case .incompatible(let version):
            return failure(.incompatible, "version \(version) is newer than the profile's newest")
        case .fresh: return line(of: shown.document, .fresh, nil)
        case .stale: return line(of: shown.document, .stale, rule.errors.first { $0.name == "stale" }?.text)
        }
    }

    func failure(_ state: BarState, _ text: String) -> BarLine {
        BarLine(text: text, tooltip: tooltip(state, text), state: state)
    }

    private func line(of document: JSON?, _ state: BarState, _ remark: String?) -> BarLine {
        guard let document else { return failure(.nodata, "no data") }
        return BarLine(
            text: template.line.text(of: document),
            tooltip: tooltip(state, remark),
            state: state,
            percentage: template.percentage.flatMap { Double($0.text(of: document)) }.map {
                Int(min(max($0, 0), 100))
            }
        )
    }

    private func tooltip(_ state: BarState, _ remark: String?) -> String {
        "\(rule.path): \(state.rawValue)" + (remark.map { ", \($0)" } ?? "")
    }
}
