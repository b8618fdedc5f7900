import ArgumentParser

extension ManualPage {
    /// The page in the markup of man(7).
    var roff: String {
        var writer = RoffWriter()
        let version = WidgetBridgeCommand.configuration.version
        let title = name.rawValue.uppercased()
        writer.request(".TH \(title) \(name.section) \"\(Self.date)\" \"widgetbridge \(version)\"")
        // No hyphenation: a command that is broken at a hyphen cannot be copied.
        writer.request(".nh\n.ad l")
        writer.write([ManualSection("NAME", [.text("\(name.rawValue) - \(abstract)")])] + sections)
        return writer.lines.joined(separator: "\n") + "\n"
    }
}

private struct RoffWriter {
    private(set) var lines: [String] = []
    /// After a heading a paragraph needs no macro.
    private var isBehindHeading = true

    private static let width = 78

    mutating func request(_ line: String) { lines.append(line) }

    mutating func write(_ sections: [ManualSection]) {
        for section in sections {
            heading(".SH", section.title)
            for block in section.blocks { write(block) }
        }
    }

    private mutating func write(_ block: ManualBlock) {
        switch block {
        case .heading(let title): heading(".SS", title)
        case .text(let text):
            if !isBehindHeading { request(".PP") }
            lines += Self.filled(text)
            isBehindHeading = false
        case .code(let text):
            if !isBehindHeading { request(".PP") }
            request(".RS 4")
            code(text)
            request(".RE")
            isBehindHeading = false
        case .terms(let terms):
            for term in terms {
                request(".TP")
                request(Self.guarded(Self.marked(term.tag)))
                lines += Self.filled(term.text)
            }
            isBehindHeading = false
        }
    }

    private mutating func heading(_ macro: String, _ title: String) {
        request("\(macro) \(Self.marked(title))")
        isBehindHeading = true
    }

    private mutating func code(_ text: String) {
        request(".EX")
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
            Self.guarded(Self.escaped(String($0)))
        }
        request(".EE")
    }

    /// Each sentence begins on a new line, so that troff recognizes its end.
    private static func filled(_ text: String) -> [String] {
        var lines: [String] = []
        for word in marked(text).split(separator: " ") {
            if let line = lines.last, !line.hasSuffix("."), line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(guarded(String(word)))
            }
        }
        return lines
    }

    /// Escapes a full stop at the beginning of a line, which would be a request.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    private static func marked(_ text: String) -> String {
        var roff = ""
        var isCode = false
        for character in text {
            switch character {
            case "`":
                isCode.toggle()
                roff += isCode ? "\\fB" : "\\fR"
            case "<" where !isCode: roff += "\\fI"
            case ">" where !isCode: roff += "\\fR"
            default: roff += escaped(String(character))
            }
        }
        return roff
    }

    /// Escapes ASCII characters that troff would replace with others, so that text can be copied.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\(rs"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(hexadecimal(scalar.value))]"
            }
        }
        .joined()
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
