package import Documents
import Model

/// A reproducible run: the scenario, the actor of each step, and the result.
///
/// It is stored as readable JSON: `"schedule": ["widget 8", "agent 1", "app 8"]`.
package struct SavedSchedule: Sendable, Hashable {
    /// Incremented when the meaning of an old file would change.
    package static let format = 1

    /// The layer: 0 simulated, 1 real files, 2 real processes.
    package var layer: Int
    package var scenario: Scenario
    package var schedule: Schedule
    /// The hash of its trace; `nil` if there is none, as for layers above 0.
    package var trace: String?
    /// The anomaly that it shows; `nil` if none.
    package var anomaly: AnomalyKind?

    package init(
        layer: Int = 0,
        scenario: Scenario,
        schedule: Schedule,
        trace: String? = nil,
        anomaly: AnomalyKind? = nil
    ) {
        self.layer = layer
        self.scenario = scenario
        self.schedule = schedule
        self.trace = trace
        self.anomaly = anomaly
    }

    /// With one member per line.
    package var text: String {
        let lines = members.map { "  \(JSONText($0.0)): \($0.1)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    package var json: JSONText { JSONText(object: members) }

    private var members: [(String, JSONText)] {
        let lanes = scenario.actors.map(\.name)
        let segments = schedule.segments.map { JSONText("\(lanes[$0.lane]) \($0.count)") }
        return [
            ("format", JSONText(Self.format)),
            ("layer", JSONText(layer)),
            ("scenario", scenario.json),
            ("hash", JSONText(scenario.hash.description)),
            ("schedule", JSONText(segments)),
            ("faults", JSONText(String(schedule.faults))),
            ("trace", JSONText(trace)),
            ("anomaly", JSONText(anomaly?.rawValue)),
        ]
    }

    package init(text: String, file: String) throws(ProfileError) {
        let root = try YAMLField.root(of: text, file: file)
        let fields = try root.fields([
            "format", "layer", "scenario", "hash", "schedule", "faults", "trace", "anomaly",
        ])
        guard let format = fields["format"] else {
            throw root.fail("`format` is missing: this is not a saved schedule")
        }
        let number = try format.count()
        guard number == Self.format else {
            throw format.fail("format \(number) is not supported; this program reads format \(Self.format)")
        }
        guard let inner = fields["scenario"] else { throw root.fail("`scenario` is missing") }
        scenario = try Scenario(inner, isSaved: true)
        if let hash = fields["hash"], try hash.text() != scenario.hash.description {
            throw hash.fail("the scenario differs from the one that this hash was made of")
        }
        layer = try fields["layer"].map { field throws(ProfileError) in try field.layer() } ?? 0
        schedule = Schedule(
            segments: try Self.segments(fields["schedule"], scenario),
            faults: try fields["faults"].map { field throws(ProfileError) in try field.number() } ?? 0
        )
        trace = try fields["trace"].flatMap { field throws(ProfileError) in try field.optionalText() }
        if let field = fields["anomaly"], try field.optionalText() != nil { anomaly = try field.choice() }
    }

    private static func segments(
        _ field: YAMLField?,
        _ scenario: Scenario
    ) throws(ProfileError) -> [Schedule.Segment] {
        var segments: [Schedule.Segment] = []
        for one in try field?.list() ?? [] {
            let text = try one.text()
            // The name may have spaces.
            guard let space = text.lastIndex(of: " "), let count = Int(text[text.index(after: space)...]),
                count > 0, let lane = scenario.actors.firstIndex(where: { $0.name == text[..<space] })
            else { throw one.fail("expected an actor and its number of steps, such as `app 3`") }
            segments.append(Schedule.Segment(lane: lane, count: count))
        }
        return segments
    }
}

extension YAMLField {
    fileprivate func layer() throws(ProfileError) -> Int {
        let number = try count()
        if number > 1 { throw fail("expected 0, the simulated disk, or 1, real files; found \(number)") }
        return number
    }

    fileprivate func number() throws(ProfileError) -> UInt64 {
        let text = try text()
        guard let number = UInt64(text) else { throw fail("expected a whole number, found `\(text)`") }
        return number
    }

    /// `null` becomes `nil`.
    fileprivate func optionalText() throws(ProfileError) -> String? {
        let text = try text()
        return text == "null" ? nil : text
    }
}
