/// How a drawing marks a step: each with a shape of its own, so that no colour is needed to distinguish them.
enum StepMark: CaseIterable {
    case written, read, fetched, notified, recorded, shown, stopped, continued, killed, started, failed

    /// `nil`: a step that only takes its turn, drawn as a small dot.
    init?(_ what: Step.What) {
        switch what {
        case .changed, .rewritten: self = .written
        case .read: self = .read
        case .fetched: self = .fetched
        case .notified, .subscribed, .aged: self = .notified
        case .agreed: self = .recorded
        case .shown: self = .shown
        case .stopped: self = .stopped
        case .continued: self = .continued
        case .died, .lostPower: self = .killed
        case .started: self = .started
        case .failed: self = .failed
        case .called, .hinted, .idle, .waited, .clockPutBack, .tapped, .handled: return nil
        }
    }

    /// For a legend.
    var words: String {
        switch self {
        case .written: "written"
        case .read: "read"
        case .fetched: "read, seen by its system call"
        case .notified: "notified"
        case .recorded: "recorded as in sync"
        case .shown: "shown to a person"
        case .stopped: "stopped by the lab"
        case .continued: "goes on"
        case .killed: "killed"
        case .started: "started"
        case .failed: "a call failed"
        }
    }

    /// It names a content, by a letter.
    private var hasLetter: Bool {
        switch self {
        case .written, .read, .fetched, .notified, .recorded: true
        default: false
        }
    }

    /// - Parameters:
    ///   - letter: of the content; `nil` if the document is absent.
    ///   - colour: of the content.
    func svg(at x: Int, _ y: Int, letter: String?, colour: String?) -> String {
        let shape = shape(x, y, fill: " fill=\"\(colour ?? "none")\"")
        guard hasLetter else { return shape }
        let ink = letter == nil ? "letter none" : "letter"
        return shape + "<text class=\"\(ink)\" x=\"\(x)\" y=\"\(y + 4)\">\(letter ?? "∅")</text>"
    }

    private func shape(_ x: Int, _ y: Int, fill: String) -> String {
        switch self {
        case .written: circle("dot", x, y, radius: 10, fill)
        case .recorded:
            circle("ring", x, y, radius: 11, "") + circle("dot", x, y, radius: 8, fill)
        case .read: box("dot", x, y, (16, 16), "rx=\"2\"\(fill)")
        case .fetched:
            box("dot", x, y, (16, 16), "rx=\"2\"\(fill)") + path("pen", "M\(x - 8) \(y + 11)h16")
        case .notified:
            path("dot", "M\(x) \(y - 11)L\(x + 10) \(y)L\(x) \(y + 11)L\(x - 10) \(y)z", fill)
        case .shown:
            box("screen", x, y, (20, 14), "rx=\"2\"")
                + path("pen", "M\(x - 5) \(y - 2)h10M\(x - 5) \(y + 2)h6")
        case .stopped: path("pause", "M\(x - 3) \(y - 7)v14M\(x + 3) \(y - 7)v14")
        case .continued: path("onward", "M\(x - 4) \(y - 6)L\(x + 5) \(y)L\(x - 4) \(y + 6)")
        case .killed:
            path("death", "M\(x - 7) \(y - 7)L\(x + 7) \(y + 7)M\(x + 7) \(y - 7)L\(x - 7) \(y + 7)")
        case .started: path("birth", "M\(x - 4) \(y - 6)L\(x + 6) \(y)L\(x - 4) \(y + 6)z")
        case .failed: "<text class=\"letter none\" x=\"\(x)\" y=\"\(y + 4)\">!</text>"
        }
    }

    private func circle(_ name: String, _ x: Int, _ y: Int, radius: Int, _ rest: String) -> String {
        "<circle class=\"\(name)\" r=\"\(radius)\" cx=\"\(x)\" cy=\"\(y)\"\(rest)/>"
    }

    private func box(_ name: String, _ x: Int, _ y: Int, _ size: (width: Int, height: Int), _ rest: String)
        -> String
    {
        let place = "x=\"\(x - size.width / 2)\" y=\"\(y - size.height / 2)\""
        return "<rect class=\"\(name)\" \(place) width=\"\(size.width)\" height=\"\(size.height)\" \(rest)/>"
    }

    private func path(_ name: String, _ curve: String, _ rest: String = "") -> String {
        "<path class=\"\(name)\" d=\"\(curve)\"\(rest)/>"
    }
}
