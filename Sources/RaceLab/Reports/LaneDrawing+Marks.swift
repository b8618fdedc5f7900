extension LaneDrawing {
    /// One step: an area for the pointer, and its shape.
    func mark(_ number: Int, at place: (x: Int, y: Int)) -> String {
        let step = history.steps[number]
        let (x, y) = place
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
            + ring + shape(step, x, y) + "</g>"
    }

    private func shape(_ step: Step, _ x: Int, _ y: Int) -> String {
        switch step.what {
        case .died, .lostPower:
            path("death", "M\(x - 7) \(y - 7)L\(x + 7) \(y + 7)M\(x + 7) \(y - 7)L\(x - 7) \(y + 7)")
        case .started: path("birth", "M\(x - 4) \(y - 6)L\(x + 6) \(y)L\(x - 4) \(y + 6)z")
        case .failed: "<text class=\"letter none\" x=\"\(x)\" y=\"\(y + 4)\">!</text>"
        case .changed, .read, .told, .subscribed, .agreed: dot(step, x, y)
        case .called, .hinted, .idle, .waited, .shown:
            "<circle class=\"quiet\" cx=\"\(x)\" cy=\"\(y)\" r=\"1.8\"/>"
        }
    }

    private func path(_ name: String, _ curve: String, _ rest: String = "") -> String {
        "<path class=\"\(name)\" d=\"\(curve)\"\(rest)/>"
    }

    /// A circle for a write, a square for a read, a diamond for a notice.
    private func dot(_ step: Step, _ x: Int, _ y: Int) -> String {
        let place = narrator.place(step.version)
        let colour = " fill=\"\(place.map { Self.colours[$0 % Self.colours.count] } ?? "none")\""
        let round = "cx=\"\(x)\" cy=\"\(y)\"\(colour)/>"
        let outline =
            switch step.what {
            case .read:
                "<rect class=\"dot\" x=\"\(x - 8)\" y=\"\(y - 8)\" width=\"16\" height=\"16\" rx=\"2\"\(colour)/>"
            case .told, .subscribed:
                path("dot", "M\(x) \(y - 11)L\(x + 10) \(y)L\(x) \(y + 11)L\(x - 10) \(y)z", colour)
            case .agreed: "<circle class=\"dot record\" r=\"8\" \(round)"
            default: "<circle class=\"dot\" r=\"10\" \(round)"
            }
        let letter = place == nil ? "∅" : narrator.name(step.version)
        let ink = place == nil ? "letter none" : "letter"
        return outline + "<text class=\"\(ink)\" x=\"\(x)\" y=\"\(y + 4)\">\(letter)</text>"
    }

    /// Light enough for dark letters, on light and dark pages.
    static let colours = [
        "#8ecae6", "#ffb703", "#95d5b2", "#cdb4db", "#f4a261", "#b5e48c", "#ffc8dd", "#a0c4ff", "#e9c46a",
        "#80ed99",
    ]
}
