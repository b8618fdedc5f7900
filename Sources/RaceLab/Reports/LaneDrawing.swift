/// A run as an SVG picture: time goes to the right, and every actor has a lane.
package struct LaneDrawing {
    let picture: Picture
    let narrator: Narrator
    private let flows: [Flow]
    /// The horizontal centre of each step.
    private let places: [Int]
    let width: Int
    let height: Int
    /// The prefix of this drawing's identifiers, if a page has several drawings.
    let prefix: String

    private static let margin = 112
    private static let top = 30
    private static let lane = 70

    package init(_ picture: Picture, prefix: String = "") {
        self.picture = picture
        self.prefix = prefix
        narrator = Narrator(picture.history)
        flows = picture.history.flows
        var places: [Int] = []
        var place = Self.margin + 8
        for step in picture.history.steps {
            let half = step.what.isEvent ? 20 : 5
            places.append(place + half)
            place += 2 * half
        }
        self.places = places
        width = place + 24
        height = Self.top + Self.lane * picture.history.lanes.count + 10
    }

    var history: History { picture.history }

    /// As a separate file.
    package var svg: String {
        let title = "<title>\(picture.name.escaped)</title>"
        return drawing(isAlone: true, content: "<style>\(Self.style)</style>\(title)\(body)") + "\n"
    }

    /// For embedding in a page.
    var inline: String { drawing(isAlone: false, content: body) }

    private func drawing(isAlone: Bool, content: String) -> String {
        let space = isAlone ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
        let size = "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\""
        return "<svg\(space) class=\"race\" \(size) role=\"group\" aria-label=\"lanes\">\(content)</svg>"
    }

    private var body: String {
        let head =
            tip("tip") + tip("blame") + "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>"
        let marks = history.steps.indices.map { mark($0, at: (places[$0], middle(history.steps[$0].lane))) }
        let parts = [guilt(), lanes(), bars(), (flows + blames).map(arrow), marks, names()]
        return head + parts.joined().map { "\n\($0)" }.joined()
    }

    // MARK: Positions

    private func middle(_ lane: Int) -> Int { Self.top + Self.lane * lane + 38 }

    /// The horizontal extent of these steps, including their marks.
    private func stretch(_ steps: ClosedRange<Int>) -> (start: Int, width: Int) {
        guard !places.isEmpty else { return (0, 0) }
        let first = min(steps.lowerBound, places.count - 1)
        let last = min(steps.upperBound, places.count - 1)
        func margin(_ step: Int) -> Int { history.steps[step].what.isEvent ? 14 : 5 }
        let start = places[first] - margin(first)
        return (start, places[last] + margin(last) - start)
    }

    // MARK: Elements

    private func guilt() -> [String] {
        picture.anomalies.enumerated().map { number, anomaly in
            let (start, width) = stretch(anomaly.steps)
            let label = "<text x=\"\(start + 4)\" y=\"14\" class=\"fault\">\(anomaly.kind.rawValue)</text>"
            return "<g id=\"\(prefix)a\(number)\" class=\"guilt\"><title>\(anomaly.sentence.escaped)</title>"
                + "<rect x=\"\(start)\" y=\"2\" width=\"\(width)\" height=\"\(height - 4)\" rx=\"6\"/>"
                + (number == 0 ? label : "") + "</g>"
        }
    }

    private func lanes() -> [String] {
        history.lanes.indices.map { number in
            let y = middle(number)
            return "<line class=\"lane\" x1=\"\(Self.margin)\" x2=\"\(width - 12)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
    }

    /// Drawn on top: in a page they stay in place while the rest scrolls.
    private func names() -> [String] {
        let names = history.lanes.enumerated().map { number, lane in
            let y = middle(number)
            let version = lane.version.map { ", v\($0)" } ?? ""
            let kind = lane.engine?.rawValue.shortened(to: 17) ?? lane.kind.rawValue + version
            return "<text class=\"name\" x=\"12\" y=\"\(y)\">\(lane.name.shortened(to: 14).escaped)</text>"
                + "<text class=\"kind\" x=\"12\" y=\"\(y + 14)\">\(kind)</text>"
        }
        let sheet = "<rect class=\"ground\" y=\"22\" width=\"\(Self.margin - 6)\" height=\"\(height - 30)\"/>"
        return ["<g class=\"names\">\(sheet)"] + names + ["</g>"]
    }

    private func bars() -> [String] {
        let stretches = history.stretches
        return stretches.enumerated().map { number, one in
            let later = stretches[(number + 1)...].filter { $0.lane == one.lane }
            let next = later.map { places[$0.steps.lowerBound] }.min() ?? width
            return bar(history.calls[one.call], one.steps, room: next - places[one.steps.lowerBound])
        }
    }

    private func bar(_ call: Call, _ steps: ClosedRange<Int>, room: Int) -> String {
        let (start, width) = stretch(steps)
        let y = middle(call.lane)
        let name = narrator.words(call)
        let shown = room < 28 ? "" : name.shortened(to: room / 6)
        return "<g class=\"call \(call.result)\"><title>\(name.escaped)</title>"
            + "<rect x=\"\(start)\" y=\"\(y - 13)\" width=\"\(width)\" height=\"26\" rx=\"5\"/>"
            + "<text x=\"\(start + 1)\" y=\"\(y - 18)\">\(shown.escaped)</text></g>"
    }

    /// The flows from saves to the steps that displaced them.
    private var blames: [Flow] {
        picture.anomalies.compactMap { anomaly in
            guard let culprit = anomaly.evidence.culprit, let before = history.steps[culprit].before else {
                return nil
            }
            let step = history.steps[culprit]
            let victim = history.steps[..<culprit].lastIndex {
                $0.what == .changed && $0.version == before && $0.side == step.side
                    && $0.document == step.document
            }
            guard let victim, history.steps[victim].lane != step.lane else { return nil }
            return Flow(kind: .blame, from: victim, to: culprit)
        }
    }

    private func tip(_ name: String) -> String {
        "<marker id=\"\(prefix)\(name)\" class=\"\(name)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\""
            + " markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>"
    }

    private func arrow(_ flow: Flow) -> String {
        let (a, b) = (history.steps[flow.from], history.steps[flow.to])
        let (x1, x2) = (places[flow.from], places[flow.to])
        let isDown = b.lane >= a.lane
        let (y1, y2) = (middle(a.lane) + (isDown ? 9 : -9), middle(b.lane) + (isDown ? -10 : 10))
        let bend = (y1 + y2) / 2
        return
            "<path class=\"flow \(flow.kind.rawValue)\" d=\"M\(x1) \(y1)C\(x1) \(bend) \(x2) \(bend) \(x2) \(y2)\" "
            + "marker-end=\"url(#\(prefix)\(flow.kind == .blame ? "blame" : "tip"))\"/>"
    }
}

extension Duration {
    /// In milliseconds, with three decimals.
    var inWords: String {
        let thousandths = Int((self / .microseconds(1)).rounded())
        let digits = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits) ms"
    }
}

extension String {
    func shortened(to width: Int) -> String { count > width ? prefix(max(0, width - 1)) + "…" : self }
}
