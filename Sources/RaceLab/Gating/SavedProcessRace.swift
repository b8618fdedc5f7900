package import Documents
package import Model

/// A race of real programs that can be run again: the programs, the order of their calls, and the result.
///
/// It is stored as readable JSON, as `SavedSchedule` is, with the layer 2.
package struct SavedProcessRace: Sendable, Hashable {
    package static let layer = 2

    package var app: String?
    package var widget: String?
    package var bridge: String?
    /// Its name on a command line.
    package var profile: String?
    package var limit = Duration.seconds(10)
    package var patience = Duration.seconds(2)
    package var checks = OwnChecks()
    package var order: ProcessOrder
    package var steps: [String]
    package var end: Digest?
    /// The anomaly that it showed; `nil` if none.
    package var anomaly: AnomalyKind?

    package init(_ settings: ProcessSettings, _ report: ProcessReport) {
        app = settings.app
        widget = settings.widget
        bridge = settings.bridge
        profile = settings.profile?.name
        limit = settings.limit
        patience = settings.patience
        checks = settings.checks
        order = report.control.order
        steps = report.control.steps
        end = report.control.end
        anomaly = report.observation.judgement.anomalies.first?.kind
    }

    /// With one member per line, and one step.
    package var text: String {
        let programs = [("app", app), ("widget", widget), ("bridge", bridge), ("profile", profile)]
        let texts = programs + [("check", checks.check), ("always", checks.always)]
        var members = [("format", JSONText(SavedSchedule.format).description), ("layer", "\(Self.layer)")]
        members += texts.compactMap { name, text in text.map { (name, JSONText($0).description) } }
        members.append(("limitMs", "\(Int(limit / .milliseconds(1)))"))
        members.append(("patienceMs", "\(Int(patience / .milliseconds(1)))"))
        if !checks.isEmpty { members.append(("checkLimitMs", "\(Int(checks.limit / .milliseconds(1)))")) }
        let segments = order.segments.map { JSONText("\($0.lane.name) \($0.count)") }
        members.append(("schedule", JSONText(segments).description))
        if let kill = order.kill { members.append(("kill", "\(kill)")) }
        let lines = steps.map { "\n    \(JSONText($0))" }
        members.append(("steps", "[" + lines.joined(separator: ",") + "\n  ]"))
        if let end { members.append(("end", JSONText(end.description).description)) }
        if let anomaly { members.append(("anomaly", JSONText(anomaly.rawValue).description)) }
        return "{\n" + members.map { "  \(JSONText($0.0)): \($0.1)" }.joined(separator: ",\n") + "\n}\n"
    }

    /// A race of ten seconds can have a hundred thousand calls.
    private static let mostBytes = 64 << 20

    /// `nil` if the text is a schedule of another layer.
    package init?(text: String, file: String) throws(ProfileError) {
        let root = try YAMLField.root(of: text, file: file, mostBytes: Self.mostBytes)
        guard try root.members().first(where: { $0.0 == "layer" })?.1.text() == String(Self.layer) else {
            return nil
        }
        let fields = try root.fields([
            "format", "layer", "app", "widget", "bridge", "profile", "limitMs", "patienceMs", "check",
            "always", "checkLimitMs", "schedule", "kill", "steps", "end", "anomaly",
        ])
        guard let format = fields["format"], try format.count() == SavedSchedule.format else {
            throw root.fail("this program reads format \(SavedSchedule.format) of a saved schedule")
        }
        app = try fields["app"]?.text()
        widget = try fields["widget"]?.text()
        bridge = try fields["bridge"]?.text()
        profile = try fields["profile"]?.text()
        guard app != nil || widget != nil else { throw root.fail("neither `app` nor `widget` is there") }
        order = ProcessOrder(segments: try Self.segments(fields["schedule"]))
        order.kill = try fields["kill"]?.count()
        if let field = fields["limitMs"] { limit = .milliseconds(try field.count()) }
        if let field = fields["patienceMs"] { patience = .milliseconds(try field.count()) }
        checks.check = try fields["check"]?.text()
        checks.always = try fields["always"]?.text()
        if let field = fields["checkLimitMs"] { checks.limit = .milliseconds(try field.count()) }
        steps = []
        for step in try fields["steps"]?.list() ?? [] { steps.append(try step.text()) }
        let hash = try fields["end"]?.text()
        end = hash.flatMap { Digest($0) }
        anomaly = try fields["anomaly"]?.choice()
    }

    private static func segments(_ field: YAMLField?) throws(ProfileError) -> [StepChooser.Segment] {
        var segments: [StepChooser.Segment] = []
        for one in try field?.list() ?? [] {
            let words = try one.text().split(separator: " ")
            guard words.count == 2, let count = Int(words[1]), count > 0, let lane = RaceLane(name: words[0])
            else { throw one.fail("expected a program and its number of steps, such as `app 3`") }
            segments.append(StepChooser.Segment(lane, count))
        }
        return segments
    }
}

/// Whether a recorded race went the same way again.
package enum ProcessReplay: Sendable, Hashable {
    /// The same steps, the same files at the end, and the same find.
    case identical
    case different(ReplayDifference)

    package init(of saved: SavedProcessRace, _ now: ProcessReport) {
        self = ReplayDifference(saved, now).map { .different($0) } ?? .identical
    }

    package var text: String {
        switch self {
        case .identical: "identical"
        case .different(let difference): difference.text
        }
    }
}

/// What differs between a recorded race and the same order run again.
package enum ReplayDifference: Fact {
    /// `nil`: there is no such step.
    case step(Int, recorded: String?, now: String?)
    /// The steps are the same, and the files at the end are not.
    case end
    /// Steps and files are the same, and what was found is not; `nil`: nothing.
    case find(recorded: AnomalyKind?, now: AnomalyKind?)

    package init?(_ saved: SavedProcessRace, _ report: ProcessReport) {
        let now = report.control
        let kinds = report.observation.judgement.anomalies.map(\.kind)
        let places = 0..<max(saved.steps.count, now.steps.count)
        func step(_ steps: [String], _ index: Int) -> String? { index < steps.count ? steps[index] : nil }
        if let index = places.first(where: { step(saved.steps, $0) != step(now.steps, $0) }) {
            self = .step(index, recorded: step(saved.steps, index), now: step(now.steps, index))
        } else if saved.end != now.end {
            self = .end
        } else if saved.anomaly.map({ !kinds.contains($0) }) ?? !kinds.isEmpty {
            self = .find(recorded: saved.anomaly, now: kinds.first)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .step(let number, let recorded, let now):
            "differs from step \(number): recorded `\(recorded ?? "nothing")`, now `\(now ?? "nothing")`"
        case .end: "the same steps, but other files at the end"
        case .find(let recorded, let now):
            "the same steps and files at the end, but recorded \(recorded?.rawValue ?? "no anomaly"), "
                + "now \(now?.rawValue ?? "no anomaly")"
        }
    }
}
