import Documents
import Model
import Testing

@testable import RaceLab

@Suite("A race of real programs that was saved")
struct SavedProcessRaceTests {
    private func report(_ segments: [StepChooser.Segment], kill: Int? = nil) -> ProcessReport {
        var control = ControlReport()
        control.kind = .calls
        control.order = ProcessOrder(segments: segments, kill: kill)
        control.steps = ["app open app/a \"b\".json", "widget sleep"]
        control.end = Digest(of: [1])
        let observation = ObservationReport(
            history: History(),
            judgement: Judgement(),
            latencies: Latencies(),
            duration: .zero,
            changes: 1,
            looks: 1,
            noticed: [],
            unseenReloads: 0
        )
        return ProcessReport(seed: 7, observation: observation, moves: [], gates: [], control: control)
    }

    private func segments(_ names: String...) -> [StepChooser.Segment] {
        names.compactMap { RaceLane(name: $0) }.map { StepChooser.Segment($0, 2) }
    }

    @Test("is read as it was written", arguments: [nil, 12])
    func roundTrip(kill: Int?) throws {
        var settings = ProcessSettings(program: "/bin/widgetbridge")
        settings.app = "printf '\"' > a\n"
        settings.bridge = "null"
        settings.limit = .seconds(3)
        settings.checks.check = "cmp \"$WIDGETBRIDGE_APP/a\" b"
        settings.checks.limit = .milliseconds(300)
        let saved = SavedProcessRace(settings, report(segments("app", "widget.2"), kill: kill))
        #expect(try SavedProcessRace(text: saved.text, file: "race.json") == saved)
        #expect(saved.widget == nil && saved.bridge == "null" && saved.order.kill == kill)
    }

    @Test("is read however many steps it has")
    func long() throws {
        var settings = ProcessSettings(program: "/bin/widgetbridge")
        settings.app = "true"
        let names = (0..<50_000).flatMap { _ in ["app", "widget"] }
        let saved = SavedProcessRace(
            settings,
            report(names.compactMap { RaceLane(name: $0) }.map { .init($0, 2) })
        )
        #expect(try SavedProcessRace(text: saved.text, file: "race.json") == saved)
    }

    @Test("is no schedule of a scenario, and the other way round")
    func layers() throws {
        let scenario = try #require(try Preset.scenario("stat-recheck"))
        let schedule = SavedSchedule(scenario: scenario, schedule: Schedule())
        #expect(try SavedProcessRace(text: schedule.text, file: "race.json") == nil)
    }

    @Test(
        "is refused where a line of it cannot be followed",
        arguments: [
            #"{"layer": 2, "format": 1}"#, #"{"layer": 2, "format": 2, "app": "true"}"#,
            #"{"layer": 2, "format": 1, "app": "true", "schedule": ["app"]}"#,
            #"{"layer": 2, "format": 1, "app": "true", "schedule": ["apple 2"]}"#,
            #"{"layer": 2, "format": 1, "app": "true", "schedule": ["app 0"]}"#,
            #"{"layer": 2, "format": 1, "app": "true", "speed": 3}"#,
        ]
    )
    func refused(text: String) {
        #expect(throws: ProfileError.self) { try SavedProcessRace(text: text, file: "race.json") }
    }

    @Test("differs at the first step that is another, or at its end")
    func differences() {
        let settings = ProcessSettings(program: "/bin/widgetbridge")
        let report = report([])
        let saved = SavedProcessRace(settings, report)
        #expect(ProcessReplay(of: saved, report) == .identical)
        var now = report
        now.control.end = Digest(of: [2])
        #expect(ProcessReplay(of: saved, now) == .different(.end))
        now.control.steps.removeLast()
        let difference = ReplayDifference.step(1, recorded: "widget sleep", now: nil)
        #expect(ProcessReplay(of: saved, now) == .different(difference))
    }

    @Test("differs where the same steps do not show the same find")
    func otherFind() {
        let report = report([])
        var saved = SavedProcessRace(ProcessSettings(program: "/bin/widgetbridge"), report)
        saved.anomaly = .tornRead
        let difference = ReplayDifference.find(recorded: .tornRead, now: nil)
        #expect(ProcessReplay(of: saved, report) == .different(difference))
    }

    @Test("is shrunk to the switches that it needs, and without a kill")
    func shrunk() {
        let long = segments("bridge", "app", "widget", "app", "bridge", "widget", "app", "bridge", "app")
        // Shown whenever the widget comes between two turns of the app.
        func isFound(_ order: ProcessOrder) -> Bool {
            let lanes = order.segments.map(\.lane.player)
            let first = lanes.firstIndex(of: .app) ?? lanes.endIndex
            let then = lanes[first...].firstIndex(of: .widget) ?? lanes.endIndex
            return lanes[then...].contains(.app)
        }
        var shrinker = ProcessShrinker(
            report(long, kill: 3),
            isFound: { isFound($0.control.order) },
            run: { self.report($0.segments, kill: $0.kill) }
        )
        let shrunk = shrinker.shrink()
        #expect(shrunk.control.order.segments.map(\.lane.player) == [.app, .widget, .app])
        #expect(shrunk.control.order.kill == nil && shrunk.shrinking?.isRepeatable == true)
    }

    @Test("is left as it is where the same order does not show it again")
    func unrepeatable() {
        let found = report(segments("app", "widget", "app"), kill: 3)
        var shrinker = ProcessShrinker(found, isFound: { _ in false }, run: { _ in found })
        let shrunk = shrinker.shrink()
        #expect(shrunk.control.order == found.control.order)
        #expect(shrunk.shrinking == ProcessShrinking(replays: 1, isRepeatable: false))
    }

    @Test("is left as it is, and not called unrepeatable, where the user asks to stop")
    func cutShort() {
        let found = report(segments("app", "widget", "app"), kill: 3)
        var isAsked = false
        var shrinker = ProcessShrinker(
            found,
            isFound: { _ in true },
            isHurried: { isAsked },
            run: { _ in
                isAsked = true
                return self.report([], kill: nil)
            }
        )
        let shrunk = shrinker.shrink()
        #expect(shrunk.control.order == found.control.order && shrunk.shrinking?.isCutShort == true)
    }
}
