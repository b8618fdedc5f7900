/// A run as a picture in SVG: time goes to the right, and every actor has a lane.
package struct LaneDrawing {
    private let picture: Picture
    let narrator: Narrator
    private let flows: [Flow]
    /// The middle of each step.
    private let places: [Int]
    let width: Int
    let height: Int
    /// What the identifiers of this drawing begin with, where there are several on a page.
    private let prefix: String

    private static let margin = 112
    private static let top = 34
    private static let lane = 66

    package init(_ picture: Picture, prefix: String = "") {
        self.picture = picture
        self.prefix = prefix
        narrator = Narrator(picture.history)
        flows = picture.history.flows
        var places: [Int] = []
        var place = Self.margin + 8
        for step in picture.history.steps {
            let half = step.what.isEvent ? 15 : 4
            places.append(place + half)
            place += 2 * half
        }
        self.places = places
        width = place + 24
        height = Self.top + Self.lane * picture.history.lanes.count + 10
    }

    private var history: History { picture.history }

    /// A file of its own.
    package var svg: String {
        let title = "<title>\(picture.saved.scenario.name.escaped)</title>"
        return drawing(isAlone: true, content: "<style>\(Self.style)</style>\(title)\(body)") + "\n"
    }

    /// To stand in a page.
    var inline: String { drawing(isAlone: false, content: body) }

    private func drawing(isAlone: Bool, content: String) -> String {
        let space = isAlone ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
        let size = "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\""
        return "<svg\(space) class=\"race\" \(size) role=\"group\" aria-label=\"lanes\">\(content)</svg>"
    }

    private var body: String {
        let head =
            "<defs><marker id=\"\(prefix)tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
            + "markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" class=\"tip\"/></marker></defs>"
            + "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>"
        let parts = [
            guilt(), lanes(), history.stretches.map(bar), flows.map(arrow), history.steps.indices.map(mark),
        ]
        return head + parts.joined().map { "\n\($0)" }.joined()
    }

    // MARK: Where

    private func middle(_ lane: Int) -> Int { Self.top + Self.lane * lane + 38 }

    private func stretch(_ steps: ClosedRange<Int>, _ margin: Int) -> (start: Int, width: Int) {
        guard !places.isEmpty else { return (0, 0) }
        let last = places.count - 1
        let (a, b) = (places[min(steps.lowerBound, last)], places[min(steps.upperBound, last)])
        return (a - margin, b - a + 2 * margin)
    }

    // MARK: What

    private func guilt() -> [String] {
        picture.anomalies.enumerated().map { number, anomaly in
            let (start, width) = stretch(anomaly.steps, 14)
            let label = "<text x=\"\(start + 4)\" y=\"14\" class=\"fault\">\(anomaly.kind.rawValue)</text>"
            return "<g id=\"\(prefix)a\(number)\" class=\"guilt\"><title>\(anomaly.sentence.escaped)</title>"
                + "<rect x=\"\(start)\" y=\"2\" width=\"\(width)\" height=\"\(height - 4)\" rx=\"6\"/>"
                + (number == 0 ? label : "") + "</g>"
        }
    }

    private func lanes() -> [String] {
        history.lanes.enumerated().map { number, lane in
            let y = middle(number)
            let version = lane.version.map { ", v\($0)" } ?? ""
            return "<line class=\"lane\" x1=\"\(Self.margin)\" x2=\"\(width - 12)\" y1=\"\(y)\" y2=\"\(y)\"/>"
                + "<text class=\"name\" x=\"12\" y=\"\(y)\">\(lane.name.shortened(to: 14).escaped)</text>"
                + "<text class=\"kind\" x=\"12\" y=\"\(y + 14)\">\(lane.kind.rawValue)\(version)</text>"
        }
    }

    private func bar(_ number: Int, _ lane: Int, _ steps: ClosedRange<Int>) -> String {
        let call = history.calls[number]
        let (start, width) = stretch(steps, 12)
        let y = middle(lane)
        let name = narrator.words(call)
        return "<g class=\"call \(call.result)\"><title>\(name.escaped)</title>"
            + "<rect x=\"\(start)\" y=\"\(y - 12)\" width=\"\(width)\" height=\"24\" rx=\"5\"/>"
            + "<text x=\"\(start + 2)\" y=\"\(y - 16)\">\(name.shortened(to: max(1, width / 6)).escaped)</text></g>"
    }

    private func arrow(_ flow: Flow) -> String {
        let (a, b) = (history.steps[flow.from], history.steps[flow.to])
        let (x1, x2) = (places[flow.from], places[flow.to])
        let isDown = b.lane >= a.lane
        let (y1, y2) = (middle(a.lane) + (isDown ? 9 : -9), middle(b.lane) + (isDown ? -10 : 10))
        let bend = (y1 + y2) / 2
        return
            "<path class=\"flow \(flow.kind.rawValue)\" d=\"M\(x1) \(y1)C\(x1) \(bend) \(x2) \(bend) \(x2) \(y2)\" "
            + "marker-end=\"url(#\(prefix)tip)\"/>"
    }

    private func mark(_ number: Int) -> String {
        let step = history.steps[number]
        let (x, y) = (places[number], middle(step.lane))
        let isCulprit = picture.anomalies.contains { $0.evidence.culprit == number }
        let ring = isCulprit ? "<circle class=\"culprit\" cx=\"\(x)\" cy=\"\(y)\" r=\"12\"/>" : ""
        let words =
            "step \(number), \(step.time.inWords), \(history.lanes[step.lane].name): \(narrator.words(step))"
        return
            "<g class=\"step \(step.what)\" id=\"\(prefix)s\(number)\" data-step=\"\(number)\" tabindex=\"-1\" "
            + "role=\"img\" aria-label=\"\(words.escaped)\"><title>\(words.escaped)</title>"
            + "<rect class=\"touch\" x=\"\(x - 4)\" y=\"\(y - 12)\" width=\"8\" height=\"24\"/>"
            + ring + shape(step, x, y) + "</g>"
    }

    private func shape(_ step: Step, _ x: Int, _ y: Int) -> String {
        switch step.what {
        case .died, .lostPower:
            "<path class=\"death\" d=\"M\(x - 7) \(y - 7)L\(x + 7) \(y + 7)M\(x + 7) \(y - 7)L\(x - 7) \(y + 7)\"/>"
        case .started: "<path class=\"birth\" d=\"M\(x - 4) \(y - 6)L\(x + 6) \(y)L\(x - 4) \(y + 6)z\"/>"
        case .failed: "<text class=\"letter\" x=\"\(x)\" y=\"\(y + 4)\">!</text>"
        case .changed, .read, .told, .subscribed, .agreed: dot(step, x, y)
        case .called, .hinted, .idle, .waited: "<circle class=\"quiet\" cx=\"\(x)\" cy=\"\(y)\" r=\"1.6\"/>"
        }
    }

    /// Round where it was written, square where it was read, pointed where it was told.
    private func dot(_ step: Step, _ x: Int, _ y: Int) -> String {
        let place = narrator.place(step.version)
        let colour = place.map { "fill=\"\(Self.colours[$0 % Self.colours.count])\"" } ?? "fill=\"none\""
        let outline =
            switch step.what {
            case .read:
                "<rect class=\"dot\" x=\"\(x - 7)\" y=\"\(y - 7)\" width=\"14\" height=\"14\" rx=\"2\" \(colour)/>"
            case .told, .subscribed:
                "<path class=\"dot\" d=\"M\(x) \(y - 10)L\(x + 9) \(y)L\(x) \(y + 10)L\(x - 9) \(y)z\" \(colour)/>"
            case .agreed: "<circle class=\"dot record\" cx=\"\(x)\" cy=\"\(y)\" r=\"7\" \(colour)/>"
            default: "<circle class=\"dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"9\" \(colour)/>"
            }
        let letter = place == nil ? "∅" : narrator.name(step.version)
        let ink = place == nil ? "letter none" : "letter"
        return outline + "<text class=\"\(ink)\" x=\"\(x)\" y=\"\(y + 4)\">\(letter)</text>"
    }

    /// Light enough for dark letters, on a light page and on a dark one.
    static let colours = [
        "#8ecae6", "#ffb703", "#95d5b2", "#cdb4db", "#f4a261", "#b5e48c", "#ffc8dd", "#a0c4ff", "#e9c46a",
        "#80ed99",
    ]
}

extension Duration {
    /// In milliseconds, with three places behind the point.
    var inWords: String {
        let thousandths = Int((self / .microseconds(1)).rounded())
        let digits = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits) ms"
    }
}

extension String {
    func shortened(to width: Int) -> String { count > width ? prefix(max(0, width - 1)) + "…" : self }
}
