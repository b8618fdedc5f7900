import Foundation
import FoundationXML
import Model
import RaceLab
import Testing

@Suite("A race as a page or a picture")
struct DrawingTests {
    private static let hostile = "<img src=x onerror=\"alert('&')\">"

    @Test("needs nothing but itself")
    func alone() throws {
        let picture = try lostTap()
        let page = HTMLReport([picture], summary: "one run").text
        for outside in ["http:", "https:", "src=", "@import", "<link", "url(http"] {
            #expect(!page.contains(outside), "\(outside)")
        }
        // A picture says once which language it is in.
        let svg = LaneDrawing(picture).svg
        #expect(
            svg.components(separatedBy: "http").count == 2
                && svg.contains("xmlns=\"http://www.w3.org/2000/svg\"")
        )
    }

    @Test("shows every step and every call, the fault and the flows, in well-formed XML")
    func drawn() throws {
        let picture = try lostTap()
        let elements = try #require(parsed(LaneDrawing(picture).svg))
        let classes = elements.named("g").compactMap { $0["class"] }
        #expect(classes.count { $0 == "step" } == picture.history.steps.count)
        #expect(classes.count { $0.hasPrefix("call ") } == picture.history.calls.count)
        #expect(classes.count { $0 == "guilt" } == 1)
        let flows = elements.named("path").compactMap { $0["class"] }.filter { $0.hasPrefix("flow ") }
        #expect(flows == ["flow read", "flow blame"])
        #expect(elements.named("circle").count { $0["class"] == "culprit" } == 1)
        let labels = elements.named("g").compactMap { $0["aria-label"] }
        #expect(labels.contains("step 3, 3.000 ms, app: B → C in app"))
    }

    @Test("says of every step what it changed, where a pointer or a key can find it")
    func details() throws {
        let picture = try lostTap()
        let page = HTMLReport([picture, picture], summary: "two").text
        for place in 0...1 {
            for step in picture.history.steps.indices {
                #expect(page.contains("id=\"p\(place)-s\(step)\" tabindex"))
                #expect(page.contains("<template id=\"p\(place)-d\(step)\">"))
            }
            #expect(
                page.contains("data-picture=\"\(place)\" data-number=\"0\" data-first=\"1\" data-last=\"3\"")
            )
            #expect(page.contains("<g id=\"p\(place)-a0\" class=\"guilt\">"))
        }
        #expect(
            page.contains(
                "<del>-   &quot;k1&quot;: &quot;i1&quot;</del>\n<ins>+   &quot;k2&quot;: &quot;i2&quot;</ins>"
            )
        )
        #expect(page.contains("prefers-color-scheme: dark"))
    }

    @Test("names the side of each write of the agent, in words and by its place")
    func sides() throws {
        let picture = try lostTap()
        let steps = picture.history.steps
        let svg = LaneDrawing(picture).svg
        let marks = svg.components(separatedBy: "<g class=\"step\"").dropFirst()
        #expect(marks.count == steps.count)
        var heights: [Int] = []
        for (step, mark) in zip(steps, marks) where step.lane == Story.agent && step.what == .changed {
            let side = try #require(step.side)
            #expect(mark.contains("class=\"side write\"") && mark.contains(">→ \(side.rawValue)</text>"))
            let height = mark.firstMatch(of: /<circle class="dot"[^>]* cy="([0-9]+)"/).flatMap { Int($0.1) }
            heights.append(try #require(height))
        }
        #expect(heights.count == 2 && heights[0] < heights[1], "app above group")
        // A program has one side, which stands below its name.
        #expect(marks.count { $0.contains("class=\"side") } == 2 && svg.contains("> in group</text>"))
    }

    @Test("prints what both sides have at the end, and whether that is the same")
    func end() throws {
        var history = try lostTap().history
        history.trash = [3, 2]
        let same = try picture(history)
        let page = HTMLReport([same], summary: "").text
        #expect(page.contains("<h3>At the end</h3>") && page.contains("✓ app and group have the same"))
        let names = page.matches(of: /<dt>([a-z ]+)<\/dt><dd><i class="chip"[^>]*>([A-Z])/)
        #expect(names.map { "\($0.1) \($0.2)" } == ["app C", "group C", "trash B"])
        let svg = LaneDrawing(same).svg
        #expect(svg.contains(">at the end</text>") && svg.contains(">= the same</text>"))
        history.rest?.versions[0].group = 2
        history.rest?.differences = [Rest.Difference(document: 0, reason: .values)]
        let split = try picture(history)
        let words = "✗ app and group differ: the values differ"
        #expect(HTMLReport([split], summary: "").text.contains(words))
        #expect(LaneDrawing(split).svg.contains(">≠ differ</text>"))
        history.rest = nil
        let open = try picture(history)
        #expect(HTMLReport([open], summary: "").text.contains("<h3>Last seen, not at rest</h3>"))
    }

    private func picture(_ history: History) throws -> Picture {
        let first = try lostTap()
        return Picture(try #require(first.saved), history, first.anomalies)
    }

    @Test("begins with the verdict and its steps, which need no drawing and no script")
    func first() throws {
        let page = HTMLReport([try lostTap()], summary: "one run").text
        let body = try #require(page.range(of: "<body>")).upperBound
        let order = [
            "<h2 class=\"verdict\"", "<ol class=\"guilty\"", "<div class=\"end\">", "<svg", "one run",
        ]
        let places = try order.map { try #require(page[body...].range(of: $0), "\($0)").lowerBound }
        #expect(places == places.sorted())
        let list = page[places[1]..<places[2]]
        let steps = list.matches(of: /data-step="([0-9]+)"/).map { String($0.1) }
        #expect(steps == ["1", "2", "3"] && list.contains("<li class=\"culprit\"><a href=\"#p0-s3\""))
    }

    @Test("lists of a long stretch its beginning and its end")
    func long() throws {
        var picture = try lostTap()
        let start = Step(.started, Story.agent, .milliseconds(9))
        picture.history.steps.insert(contentsOf: Array(repeating: start, count: 50), at: 2)
        picture.anomalies[0].steps = 1...53
        picture.anomalies[0].evidence.culprit = 53
        let page = HTMLReport([picture], summary: "").text
        let list = page.components(separatedBy: "<ol class=\"guilty\"").last?.components(separatedBy: "</ol>")
        let items = try #require(list?.first).components(separatedBy: "<li").count - 1
        #expect(items == 13 && list?.first?.contains("⋮ 41 more steps") == true)
    }

    @Test("takes nobody's name for markup")
    func hostile() throws {
        var picture = try lostTap(actor: Self.hostile)
        picture.name = Self.hostile
        picture.saved?.scenario.name = Self.hostile
        picture.saved?.scenario.about = Self.hostile
        let page = HTMLReport([picture], summary: Self.hostile).text
        #expect(!page.contains("<img"))
        #expect(page.contains("&lt;img src=x onerror=&quot;alert('&amp;')&quot;&gt;"))
        #expect(parsed(LaneDrawing(picture).svg) != nil)
        #expect(parsed(JUnitReport(picture).text) != nil)
    }

    @Test("shows bytes that are no document as they are")
    func torn() throws {
        var picture = try lostTap()
        let half = Array("{\"k1\":\"<".utf8)
        picture.history.versions[2].bytes = half
        picture.history.versions[2].isReadable = false
        let page = HTMLReport([picture], summary: "").text
        #expect(page.contains("<del>- {&quot;k1&quot;:&quot;&lt;</del>"))
    }
}

@Suite("A race for a build server")
struct JUnitReportTests {
    private func report(_ preset: String, ownEngine: Bool) throws -> ExplorationReport {
        let scenario = try #require(try Preset.scenario(preset))
        var explorer = Explorer(ownEngine ? scenario.withOwnEngine : scenario)
        return explorer.explore()
    }

    @Test("has a case for each kind, and fails those that were found")
    func failed() throws {
        let report = try report("stat-recheck", ownEngine: false)
        let elements = try #require(parsed(JUnitReport(report, seconds: 0.5).text))
        #expect(elements.named("testcase").count == AnomalyKind.allCases.count - 1)
        #expect(elements.named("failure").map { $0["type"] } == ["lost-update"])
        #expect(elements.named("testsuite")[0]["failures"] == "1")
        #expect(elements.named("testsuite")[0]["time"] == "0.5")
    }

    @Test("fails nothing where nothing was found")
    func passed() throws {
        let elements = try #require(
            parsed(JUnitReport(try report("stat-recheck", ownEngine: true), seconds: 0).text)
        )
        #expect(elements.named("failure").isEmpty && elements.named("error").isEmpty)
    }

    @Test("has an error where it could not be told, or what must be found was not")
    func undecided() throws {
        var stopped = ExplorationReport(scenario: try #require(try Preset.scenario("app-todo")), bound: 2)
        stopped.schedules = 1
        stopped.ending = .stopped
        let undecided = try #require(parsed(JUnitReport(stopped, seconds: 0).text))
        #expect(undecided.named("error").map { $0["message"] } == ["no verdict after 1 schedule"])
        var missing = try report("stat-recheck", ownEngine: true)
        missing.scenario.expected = .tornRead
        let errors = try #require(parsed(JUnitReport(missing, seconds: 0).text)).named("error")
        #expect(errors.map { $0["message"] } == ["expected torn-read, which no schedule showed"])
    }
}
