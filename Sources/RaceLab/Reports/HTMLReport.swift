/// All findings as one page, which needs no other file, no network, and no script.
package struct HTMLReport {
    private let pictures: [Picture]
    private let name: String
    private var by = "real programs"
    private var about = ""
    private let summary: String
    /// Finding nothing proves nothing.
    private var isInDoubt = false
    /// The latencies of an observation.
    private var latencies = ""

    package init(_ pictures: [Picture], summary: String) {
        self.pictures = pictures
        self.summary = summary
        isInDoubt = pictures.contains { $0.verdict == .unknown }
        let scenario = pictures.first?.saved?.scenario
        name = scenario?.name ?? ""
        by = scenario.map(\.engineText) ?? ""
        about = scenario?.about ?? ""
    }

    /// - Parameter about: what the lab did, and why the observation may be incomplete.
    package init(_ observation: ObservationReport, name: String, about: String, summary: String) {
        pictures = observation.pictures(named: name)
        self.name = name
        self.about = about
        self.summary = summary
        isInDoubt = observation.verdict == .unknown
        latencies = LatencyTables(observation.latencies).html
    }

    package var text: String {
        let name = name.escaped
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(name), \(by.escaped)</title>
            <style>
            \(Self.style)
            \(LaneDrawing.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(name) <small>\(by.escaped)</small></h1>
            \(list)
            </header>
            <main>
            \(parts.joined(separator: "\n"))
            </main>
            <aside id="detail" aria-live="polite" hidden></aside>
            <footer><kbd>←</kbd> <kbd>→</kbd> step by step · <kbd>↑</kbd> <kbd>↓</kbd> the important steps ·
            <kbd>n</kbd> <kbd>p</kbd> next and previous anomaly · <kbd>Esc</kbd> close</footer>
            <script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
    }

    /// Anomalies first: nobody has to scroll to them.
    private var parts: [String] {
        let sections = pictures.enumerated().map(section)
        let run = """
            <section id="run" aria-label="the run">\(isClean ? "" : "\n<h2>The run</h2>")
            <p>\(about.escaped)</p>
            <p class="summary">\(summary.escaped)</p>
            </section>
            """
        return isClean ? [run, latencies] + sections : sections + [latencies, run]
    }

    private var isClean: Bool { pictures.allSatisfy(\.anomalies.isEmpty) }

    /// What was found; one anomaly alone needs no list.
    private var list: String {
        if isClean {
            let doubt = isInDoubt ? " The verdict is in doubt." : ""
            return "<p class=\"clean\">No anomaly.\(doubt)</p>"
        }
        let items = pictures.enumerated().flatMap { place, picture in
            picture.anomalies.indices.map { number in
                "<li><a href=\"#p\(place)-v\(number)\">\(picture.anomalies[number].kind.rawValue)</a></li>"
            }
        }
        if items.count == 1 { return "" }
        return "<nav aria-label=\"anomalies\"><ul>\(items.joined(separator: "\n"))</ul></nav>"
    }

    private func section(_ index: Int, _ picture: Picture) -> String {
        let drawing = LaneDrawing(picture, prefix: "p\(index)-")
        let details = StepDetails(drawing.narrator, picture)
        let templates = picture.history.steps.indices.map {
            "<template id=\"p\(index)-d\($0)\">\(details.html($0))</template>"
        }
        let calm = picture.saved == nil ? "last observed state" : "one run"
        let title = picture.anomalies.first?.kind.rawValue ?? calm
        let guilty = GuiltySteps(picture: picture, narrator: drawing.narrator, prefix: "p\(index)-")
        return """
            <section id="p\(index)" data-prefix="p\(index)-" aria-label="\(title)">
            \(picture.anomalies.isEmpty ? "<h2>\(title)</h2>" : verdicts(index, picture))
            <div class="facts">
            \(picture.anomalies.first.map(guilty.html) ?? "")
            \(EndList(end: picture.end, narrator: drawing.narrator).html)
            </div>
            <p class="size">\(picture.size.map { "\($0.escaped)" } ?? "")</p>
            <div class="scroll">\(drawing.inline)</div>
            \(legend(drawing))
            <details><summary>Every step</summary>
            \(table(drawing.narrator, picture))
            </details>
            \(schedule(picture))
            \(templates.joined(separator: "\n"))
            </section>
            """
    }

    private func verdicts(_ index: Int, _ picture: Picture) -> String {
        picture.anomalies.enumerated().map { number, anomaly in
            let steps = "data-first=\"\(anomaly.steps.lowerBound)\" data-last=\"\(anomaly.steps.upperBound)\""
            let element = number == 0 ? "h2" : "p"
            return
                "<\(element) class=\"verdict\" id=\"p\(index)-v\(number)\"><a href=\"#p\(index)-a\(number)\" "
                + "data-picture=\"\(index)\" data-number=\"\(number)\" \(steps)>"
                + "<b>\(anomaly.kind.rawValue)</b> \(anomaly.sentence.escaped)</a></\(element)>"
                + "\n<p class=\"size\">mend: \(anomaly.advice(in: picture.history).text.escaped)</p>"
        }.joined(separator: "\n")
    }

    private func schedule(_ picture: Picture) -> String {
        guard let saved = picture.saved else { return "" }
        return "<details><summary>The schedule, for <code>widgetbridge race replay</code></summary>\n"
            + "<pre>\(saved.text.escaped)</pre></details>"
    }

    /// The letters, and the shapes that occur.
    private func legend(_ drawing: LaneDrawing) -> String {
        let narrator = drawing.narrator
        let items = narrator.contents.map { content in
            "<li>\(Chip(narrator, content).html) \(narrator.origin(content).escaped) "
                + "\(Chip.code(narrator.history.versions[content]))</li>"
        }
        let shapes = drawing.marks.map { mark in
            "<li><svg class=\"race key\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">"
                + "\(mark.svg(at: 12, 12, letter: " ", colour: nil))</svg> \(mark.words)</li>"
        }
        return
            "<ul class=\"legend\">\(items.joined())</ul><ul class=\"legend shapes\">\(shapes.joined())</ul>"
    }

    private func table(_ narrator: Narrator, _ picture: Picture) -> String {
        let rows = narrator.history.steps.enumerated().map { number, step in
            let lane = narrator.history.lanes[step.lane].label.escaped
            return
                "<tr data-step=\"\(number)\"><td>\(picture.number(of: number))</td><td>\(step.time.inWords)</td><td>\(lane)</td>"
                + "<td>\(narrator.words(step).escaped)</td></tr>"
        }
        return "<table><thead><tr><th>step</th><th>time</th><th>actor</th><th>action</th></tr></thead>"
            + "<tbody>\(rows.joined(separator: "\n"))</tbody></table>"
    }
}
