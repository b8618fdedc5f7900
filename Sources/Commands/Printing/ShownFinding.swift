import Doctor
import Documents
import Model

/// A finding of `doctor` in words.
struct ShownFinding: Hashable {
    var severity: Finding.Severity
    /// For programs: what kind of finding it is.
    var rule: String
    var place: String
    var what: String
    var advice: String
    /// The place in parts.
    var side: String?
    var file: String?
    var line: Int?
    var key: String?

    /// - Parameter hint: builds commands for the bridge of the finding.
    init(_ finding: Finding, _ hint: CommandHint) {
        severity = finding.severity
        rule = finding.reason.code
        let prose = finding.reason.prose(hint)
        (what, advice) = (prose.what, prose.advice)
        switch finding.place {
        case .machine: place = "this machine"
        case .bridge: place = "the bridge"
        case .path(let path): (place, file) = (path, path)
        case .document(let name): (place, file) = (name, name)
        case .container(let side, let path, let key):
            place = "\(side.rawValue):\(path)" + (key.map { " `\($0)`" } ?? "")
            (self.side, file, self.key) = (side.rawValue, path, key)
        case .profile(let line, let file):
            place = "\(file):\(line)"
            (self.file, self.line) = (file, line)
        }
    }

    var json: JSONText {
        [
            "severity": JSONText(severity.rawValue), "rule": JSONText(rule), "place": JSONText(place),
            "side": JSONText(side), "file": JSONText(file), "line": JSONText(line), "key": JSONText(key),
            "what": JSONText(what), "advice": JSONText(advice),
        ]
    }
}

/// Formats the findings of `doctor` for people.
struct FindingsPrinter {
    let printer: TextPrinter

    func text(_ all: [Report.Of<[ShownFinding]>]) -> String {
        all.map { printer.heading($0.bridge) + text($0.value) }.joined(separator: "\n")
    }

    /// The counts first, because a list may be long; then each finding with its place, why, and what to do.
    private func text(_ findings: [ShownFinding]) -> String {
        let counts = Finding.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : printer.counted(count, severity.rawValue)
        }
        let head = counts.isEmpty ? "nothing is wrong" : counts.joined(separator: ", ")
        let lines = [head] + findings.flatMap { [""] + paragraph(of: $0) }
        return lines.map { "\($0)\n" }.joined()
    }

    private func paragraph(of finding: ShownFinding) -> [String] {
        let severity = Layout.Part(text: finding.severity.rawValue) {
            printer.coloured($0, finding.severity.colour)
        }
        let head = printer.wrapped(severity.text.padded(to: 10), finding.place.withoutControls)
        return printer.layout.styled(head, [severity])
            + printer.wrapped(String(repeating: " ", count: 10), finding.what.withoutControls)
            + printer.wrapped("        → ", finding.advice.withoutControls)
    }
}

extension Finding.Severity {
    fileprivate var colour: Colour? {
        switch self {
        case .error: .red
        case .warning: .yellow
        case .note: nil
        }
    }
}
