import Model

extension LaneDrawing {
    /// One step: an area for the pointer, and its shape.
    func mark(_ number: Int) -> String {
        let step = history.steps[number]
        let (x, y) = (layout.places[number], layout.y(step))
        let isCulprit = picture.anomalies.contains { $0.evidence.culprit == number }
        let ring = isCulprit ? "<circle class=\"culprit\" cx=\"\(x)\" cy=\"\(y)\" r=\"13\"/>" : ""
        let lane = history.lanes[step.lane].label
        let words =
            "step \(picture.number(of: number)), \(step.time.inWords), \(lane): \(narrator.words(step))"
            .escaped
        return
            "<g class=\"step\" id=\"\(prefix)s\(number)\" tabindex=\"-1\" role=\"img\" aria-label=\"\(words)\">"
            + "<title>\(words)</title>"
            + "<rect class=\"touch\" x=\"\(x - 5)\" y=\"\(y - 13)\" width=\"10\" height=\"26\"/>"
            + ring + shape(step, x, y) + side(of: step, x, y) + quoteText(number, x, y) + "</g>"
    }

    /// The marks that occur, for a legend.
    var marks: [StepMark] {
        let used = Set(history.steps.compactMap { StepMark($0.what) })
        return StepMark.allCases.filter(used.contains)
    }

    private func shape(_ step: Step, _ x: Int, _ y: Int) -> String {
        guard let mark = StepMark(step.what) else {
            return "<circle class=\"quiet\" cx=\"\(x)\" cy=\"\(y)\" r=\"1.8\"/>"
        }
        return shape(mark, step.version, x, y)
    }

    /// With the letter and the colour of the content.
    func shape(_ mark: StepMark, _ version: Int?, _ x: Int, _ y: Int) -> String {
        let place = narrator.place(version)
        let letter = place.map { _ in narrator.name(version) }
        return mark.svg(at: x, y, letter: letter, colour: place.map(Self.colour))
    }

    /// The name of the side, below each step of an actor that works on both, and of the document, if there
    /// are several.
    private func side(of step: Step, _ x: Int, _ y: Int) -> String {
        guard let side = step.track, step.what.isEvent else { return "" }
        let document = narrator.document(step.document)?.shortened(to: 9).escaped
        func label(_ words: String, at depth: Int, _ kind: String = "") -> String {
            "<text class=\"side\(kind)\" x=\"\(x)\" y=\"\(y + depth)\">\(words)</text>"
        }
        let isSplit = layout.lanes[step.lane].isSplit
        guard isSplit else { return document.map { label($0, at: 21) } ?? "" }
        let isWrite = step.what == .changed
        let place = label((isWrite ? "→ " : "") + side.rawValue, at: 21, isWrite ? " write" : "")
        return place + (document.map { label($0, at: 30) } ?? "")
    }

    /// What was shown, above its step.
    private func quoteText(_ number: Int, _ x: Int, _ y: Int) -> String {
        guard let words = narrator.quote(history.steps[number]) else { return "" }
        return "<text class=\"said\" x=\"\(x)\" y=\"\(y - 14)\">\(words.escaped)</text>"
    }

    /// The colour of the content at that place in the legend.
    static func colour(_ index: Int) -> String { colours[index % colours.count] }

    /// Light enough for dark letters, on light and dark pages.
    static let colours = [
        "#8ecae6", "#ffb703", "#95d5b2", "#cdb4db", "#f4a261", "#b5e48c", "#ffc8dd", "#a0c4ff", "#e9c46a",
        "#80ed99",
    ]
}
