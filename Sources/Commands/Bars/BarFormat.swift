import Documents
import Model
import Reloads

/// The protocols of bars: what a program prints for them, a line for each update.
enum BarFormat: String, CaseIterable, Sendable {
    case waybar, eww, i3blocks, polybar, template

    /// One line, without its end.
    func line(_ line: BarLine) -> String {
        let (text, tooltip) = (line.text.onOneLine, line.tooltip.onOneLine)
        let state = JSONText(line.state.rawValue)
        let percentage = line.percentage.map { [("percentage", JSONText($0))] } ?? []
        switch self {
        // waybar-custom(5), `return-type: json`. The text is Pango markup.
        case .waybar:
            let members: [(String, JSONText)] = [
                ("text", JSONText(text.pangoEscaped)), ("tooltip", JSONText(tooltip.pangoEscaped)),
                ("class", state), ("alt", state),
            ]
            return JSONText(object: members + percentage).description
        // The value of a `deflisten` variable, whose JSON is read in expressions.
        case .eww:
            let members = [("text", JSONText(text)), ("tooltip", JSONText(tooltip)), ("class", state)]
            return JSONText(object: members + percentage).description
        // i3blocks(1), `interval=persist` and `format=json`: keys of the i3bar protocol. Without
        // `markup=pango` the text is plain. A key with an underscore is the program's own.
        case .i3blocks:
            let members: [(String, JSONText)] = [
                ("full_text", JSONText(text)), ("short_text", JSONText(text)),
                ("urgent", JSONText(line.state == .error)), ("_class", state),
            ]
            return JSONText(object: members).description
        // `custom/script` with `tail`. `%{` begins a formatting tag, and there is no escape: a space of no
        // width keeps the two apart.
        case .polybar: return text.replacing("%{", with: "%\u{200B}{")
        case .template: return text
        }
    }
}

extension String {
    /// A bar takes every line for an update.
    fileprivate var onOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }

    /// For Pango markup.
    fileprivate var pangoEscaped: String {
        var result = ""
        for character in unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
