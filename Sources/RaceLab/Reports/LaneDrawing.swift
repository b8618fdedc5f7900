import Model

/// A run as an SVG picture: time goes to the right, and every actor has a lane.
package struct LaneDrawing {
    let picture: Picture
    let narrator: Narrator
    private let flows: [Flow]
    let layout: LaneLayout
    let end: EndState
    /// The prefix of this drawing's identifiers, if a page has several drawings.
    let prefix: String

    package init(_ picture: Picture, prefix: String = "") {
        self.picture = picture
        self.prefix = prefix
        end = picture.end
        narrator = Narrator(picture.history, end: end.documents.map(\.sides))
        flows = picture.history.flows
        layout = LaneLayout(narrator)
    }

    var width: Int { layout.end + Self.endWidth }
    var height: Int { max(layout.bottom + 10, endHeight) }
    private var places: [Int] { layout.places }
    var history: History { picture.history }

    /// As a separate file.
    package var svg: String {
        let title = "<title>\(picture.name.escaped)</title>"
        let key = LaneKey(self)
        let content = "<style>\(Self.style)</style>\(title)\(body(key: key))"
        return drawing(isAlone: true, height: height + key.height, content: content) + "\n"
    }

    /// For embedding in a page.
    var inline: String { drawing(isAlone: false, height: height, content: body()) }

    private func drawing(isAlone: Bool, height: Int, content: String) -> String {
        let space = isAlone ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
        let size = "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\""
        return "<svg\(space) class=\"race\" \(size) role=\"group\" aria-label=\"lanes\">\(content)</svg>"
    }

    private func body(key: LaneKey? = nil) -> String {
        let ground = "width=\"\(width)\" height=\"\(height + (key?.height ?? 0))\""
        let head = tip("tip") + tip("blame") + "<rect class=\"ground\" \(ground)/>" + (key?.svg ?? "")
        let marks = history.steps.indices.map(mark)
        let parts = [
            guilt(), lanes(), stops(), bars(), (flows + blames).map(arrow), marks, endPanel(), names(),
        ]
        return head + parts.joined().map { "\n\($0)" }.joined()
    }

    // MARK: Positions

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
        layout.lanes.flatMap { lane in
            Set(Side.allCases.map { lane.y($0) }).sorted().map { y in
                "<line class=\"lane\" x1=\"\(LaneLayout.margin)\" x2=\"\(layout.end)\" y1=\"\(y)\" y2=\"\(y)\"/>"
            }
        }
    }

    /// From where the lab stopped a program to where it let it go on.
    private func stops() -> [String] {
        var (lines, since): ([String], [Int: Int]) = ([], [:])
        func line(_ lane: Int, to end: Int) {
            let (start, y) = (since.removeValue(forKey: lane) ?? LaneLayout.margin, layout.lanes[lane].y(nil))
            lines.append("<line class=\"halt\" x1=\"\(start)\" x2=\"\(end)\" y1=\"\(y)\" y2=\"\(y)\"/>")
        }
        for (number, step) in history.steps.enumerated() {
            if step.what == .stopped { since[step.lane] = places[number] }
            // It may have been stopped before the part that is drawn.
            if step.what == .continued { line(step.lane, to: places[number]) }
        }
        for lane in since.keys.sorted() { line(lane, to: layout.end) }
        return lines
    }

    /// Drawn on top: in a page they stay in place while the rest scrolls.
    private func names() -> [String] {
        let names = history.lanes.enumerated().map { number, lane in
            let y = layout.lanes[number].y(nil) - (layout.lanes[number].isSplit ? 3 : 0)
            let version = lane.version.map { ", v\($0)" } ?? ""
            let side = lane.kind == .app || lane.kind == .widget ? " in \(lane.side.rawValue)" : ""
            let kind = lane.name == lane.kind.rawValue && !side.isEmpty ? "" : lane.kind.rawValue
            let about = lane.about ?? lane.engine?.rawValue.shortened(to: 17) ?? "\(kind)\(side)\(version)"
            return "<text class=\"name\" x=\"12\" y=\"\(y)\">\(lane.name.shortened(to: 14).escaped)</text>"
                + "<text class=\"kind\" x=\"12\" y=\"\(y + 14)\">\(about)</text>" + tracks(number)
        }
        let sheet =
            "<rect class=\"ground\" y=\"22\" width=\"\(LaneLayout.margin - 6)\" height=\"\(height - 30)\"/>"
        return ["<g class=\"names\">\(sheet)"] + names + ["</g>"]
    }

    /// The sides of an actor that works on both.
    private func tracks(_ lane: Int) -> String {
        guard layout.lanes[lane].isSplit else { return "" }
        return Side.allCases.map { side in
            let y = layout.lanes[lane].y(side) + 4
            return
                "<text class=\"kind track\" x=\"\(LaneLayout.margin - 8)\" y=\"\(y)\">\(side.rawValue)</text>"
        }.joined()
    }

    private func bars() -> [String] {
        let stretches = history.stretches
        return stretches.enumerated().map { number, one in
            let later = stretches[(number + 1)...].filter { $0.lane == one.lane }
            let next = later.map { places[$0.steps.lowerBound] }.min() ?? layout.end
            return bar(history.calls[one.call], one.steps, room: next - places[one.steps.lowerBound])
        }
    }

    private func bar(_ call: Call, _ steps: ClosedRange<Int>, room: Int) -> String {
        let (start, width) = stretch(steps)
        let extent = layout.lanes[call.lane].extent
        let (top, tall) = (extent.lowerBound, extent.count - 1)
        let name = narrator.words(call)
        let shown = room < 28 ? "" : name.shortened(to: room / 6)
        return "<g class=\"call \(call.result)\"><title>\(name.escaped)</title>"
            + "<rect x=\"\(start)\" y=\"\(top)\" width=\"\(width)\" height=\"\(tall)\" rx=\"5\"/>"
            + "<text x=\"\(start + 1)\" y=\"\(top - 5)\">\(shown.escaped)</text></g>"
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
        let (y1, y2) = (layout.y(a) + (isDown ? 9 : -9), layout.y(b) + (isDown ? -10 : 10))
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
