import Documents

/// The details of a single step on a page: its description, and what it changed or read.
struct StepDetails {
    private let narrator: Narrator
    private let picture: Picture

    init(_ narrator: Narrator, _ picture: Picture) {
        self.narrator = narrator
        self.picture = picture
    }

    func html(_ number: Int) -> String {
        let step = narrator.history.steps[number]
        let lane = narrator.history.lanes[step.lane].label
        let call = step.call.map { " · \(narrator.words(narrator.history.calls[$0]))" } ?? ""
        let head =
            "<p><b>step \(picture.number(of: number))</b> · \(step.time.inWords) · <b>\(lane.escaped)</b>\(call.escaped)<br>"
            + "\(narrator.words(step).escaped)</p>"
        return head + content(step)
    }

    private func content(_ step: Step) -> String {
        guard step.what.isOfContent, let version = step.version else { return "" }
        // A change is compared with the version before it; a read shows the whole content.
        let before = step.what == .changed ? step.before : version
        return "<pre>\(lines(from: before, to: version).joined(separator: "\n"))</pre>"
    }

    private func lines(from old: Int?, to new: Int) -> [String] {
        let (old, new) = (old ?? History.absent, new)
        guard let mine = document(old), let its = document(new) else {
            // One of the contents is not valid JSON.
            return (old == new ? [] : whole(old).map { mark("del", "- ", $0) })
                + whole(new).map { old == new ? "  \($0.escaped)" : mark("ins", "+ ", $0) }
        }
        return TextDiff(from: mine.json, to: its.json).lines.map { line in
            switch line.kind {
            case .same: "  \(line.text.escaped)"
            case .gone: mark("del", "- ", line.text)
            case .come: mark("ins", "+ ", line.text)
            }
        }
    }

    private func mark(_ tag: String, _ sign: String, _ text: String) -> String {
        "<\(tag)>\(sign)\(text.escaped)</\(tag)>"
    }

    private func whole(_ version: Int) -> [String] {
        let bytes = narrator.history.versions[version].bytes
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.isEmpty
            ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private struct Document {
        /// `nil` if the document is absent.
        var json: JSON?
    }

    /// `nil` if it is not JSON.
    private func document(_ version: Int) -> Document? {
        if version == History.absent { return Document(json: nil) }
        return (try? JSON(parsing: narrator.history.versions[version].bytes)).map { Document(json: $0) }
    }
}
