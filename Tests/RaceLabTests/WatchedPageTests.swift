import Model
import Testing

@testable import RaceLab

@Suite("What was watched as a page")
struct WatchedPageTests {
    /// So many saves of the app's, each of which crosses, is told of and read.
    private func watched(_ saves: Int) throws -> ObservationReport {
        var story = Story()
        var before = story.version()
        story.subscribes(before)
        for edit in 1...saves {
            let version = story.version(edit)
            story.saves(Story.app, edit, version, over: before)
            story.brings(.group, version, over: before)
            story.tells(version, generation: Int64(edit))
            story.reads(Story.widget, version)
            before = version
        }
        story.rests(app: before, group: before)
        return ObservationReport(
            history: story.history,
            judgement: judge(story.history),
            latencies: Latencies(of: story.history) { $1 == $2 },
            duration: .seconds(1),
            changes: 2 * saves,
            looks: saves,
            noticed: [],
            unseenReloads: 0,
            reloads: saves
        )
    }

    private func page(_ observation: ObservationReport) -> String {
        HTMLReport(observation, name: "race", about: "seed 3", summary: observation.summary).text
    }

    @Test("has the percentiles and a histogram of every stretch of the way")
    func latencies() throws {
        let page = page(try watched(3))
        #expect(page.contains("<tr><th>write to visible</th><td>1.000 ms</td>"))
        #expect(page.contains("<th>samples</th>") && page.contains("<tr><th>visible to read</th>"))
        for stretch in [
            "writeToVisible", "visibleToNotified", "notifiedToRead", "visibleToRead", "writeToRead",
        ] {
            #expect(page.contains("<table id=\"\(stretch)\"><tr><th>up to "), "\(stretch)")
        }
        #expect(page.contains("<td>3</td><td class=\"bar\"><i style=\"width:100%\"></i></td>"))
        #expect(page.contains("<p>seed 3</p>") && page.contains("6 changes, 3 looks, 3 reloads"))
        #expect(!page.contains("race replay"))
    }

    @Test("says beside the verdict that it is in doubt, if it is")
    func doubt() throws {
        var observation = try watched(1)
        #expect(page(observation).contains("<p class=\"clean\">No anomaly.</p>"))
        observation.noticed = [.interrupted]
        #expect(page(observation).contains("<p class=\"clean\">No anomaly. The verdict is in doubt.</p>"))
    }

    @Test("and the other reports name the copies of what lost a conflict")
    func copies() throws {
        var observation = try watched(1)
        #expect(!JUnitReport(observation, name: "race").text.contains("<system-out>"))
        observation.copies = ["58c0-a.json"]
        let words = "1 conflict copy kept by the bridge: 58c0-a.json"
        #expect(JUnitReport(observation, name: "race").text.contains("<system-out>\(words)</system-out>"))
        #expect("\(observation.json)".contains(#""conflictCopies":["58c0-a.json"]"#))
    }

    @Test("pass nothing that only a scenario shows")
    func placedWidgets() throws {
        var sight = try Sight("{}")
        sight.sees(.app, #"{"n":1}"#)
        let kinds = sight.judged().skipped.filter { $0.value == .widgetsUnseen }
        #expect(Set(kinds.keys) == [.frozenWidget, .staleAsFresh, .lostTap])
        var observation = try watched(1)
        observation.skipped = kinds
        let report = JUnitReport(observation, name: "race").text
        for kind in kinds.keys {
            let skipped = "name=\"\(kind.rawValue)\">\n      <skipped message=\"which widgets"
            #expect(report.contains(skipped), "\(kind)")
        }
    }

    @Test("draws what the lab did to programs, what these read, and what a person saw, with a legend")
    func acts() throws {
        var observed = ObservedHistory()
        let path = try #require(RelativePath("a.json"))
        observed.begin(path, BothSides { _ in Array("{}".utf8) })
        observed.record(.stopped(.app), at: .milliseconds(1))
        observed.record(Sight.reading("group/a.json"), at: .milliseconds(2))
        observed.record(Sight.reading("group/a.json"), at: .milliseconds(2))
        observed.record(Sight.reading("group/.other"), at: .milliseconds(2))
        observed.heard(.read(path, Digest(of: Array("{}".utf8))), from: .group, at: .milliseconds(3))
        observed.heard(.shown("<12 left>"), from: .group, at: .milliseconds(3))
        observed.record(.continued(.app), at: .milliseconds(4))
        observed.record(.killed(.bridge), at: .milliseconds(5))
        observed.record(.started(.bridge), at: .milliseconds(6))
        let history = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        #expect(
            history.steps.map(\.what) == [.stopped, .fetched, .read, .shown, .continued, .died, .started]
        )
        var observation = try watched(1)
        observation.history = history
        observation.judgement.anomalies = []
        let page = page(observation)
        for words in [
            "stopped by the lab", "goes on", "killed", "started", "read, seen by its system call", "read",
            "shown to a person",
        ] { #expect(page.contains("</svg> \(words)</li>"), "\(words)") }
        #expect(!page.contains("</svg> recorded as in sync</li>"))
        #expect(page.contains(">“&lt;12 left&gt;”</text>") && page.contains("<line class=\"halt\""))
        let svg = LaneDrawing(try #require(observation.pictures(named: "race").first)).svg
        #expect(svg.contains(">shown to a person</text>") && parsed(svg) != nil)
    }

    @Test("draws of a long time what shows an anomaly, and calls its steps by their numbers")
    func part() throws {
        var observation = try watched(500)
        let last = observation.history.steps.count - 1
        observation.judgement.anomalies = [
            Anomaly(
                kind: .staleRead,
                document: 0,
                side: .group,
                lane: Story.widget,
                steps: 1_001...1_900,
                evidence: Anomaly.Evidence(),
                sentence: "It is old."
            )
        ]
        let picture = try #require(observation.pictures(named: "race").first)
        #expect(picture.history.steps.count == 242)
        #expect(picture.anomalies.map(\.steps) == [20...221])
        let page = page(observation)
        #expect(page.contains("step 1001, ") && page.contains("<td>1900</td>"))
        #expect(!page.contains("<b>step \(last)</b>"))
        #expect(picture.history.calls.allSatisfy { $0.first < 242 && ($0.last ?? 0) < 242 })
    }
}
