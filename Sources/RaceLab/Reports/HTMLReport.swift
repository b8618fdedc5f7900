/// All findings as one page, which needs no other file, no network, and no script.
package struct HTMLReport {
    private let pictures: [Picture]
    private let name: String
    private var by = ""
    private var about = ""
    private let summary: String
    /// The latencies of an observation.
    private var latencies = ""

    package init(_ pictures: [Picture], summary: String) {
        self.pictures = pictures
        self.summary = summary
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
            <title>\(name): race</title>
            <style>
            \(Self.style)
            \(LaneDrawing.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(name) <small>\(by.escaped)</small></h1>
            <p>\(about.escaped)</p>
            <p class="summary">\(summary.escaped)</p>
            </header>
            <main>
            \(list)
            \(latencies)
            \(pictures.enumerated().map(section).joined(separator: "\n"))
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

    private var list: String {
        let items = pictures.enumerated().flatMap { place, picture in
            picture.anomalies.enumerated().map { number, anomaly in
                let steps =
                    "data-first=\"\(anomaly.steps.lowerBound)\" data-last=\"\(anomaly.steps.upperBound)\""
                let kind = "<b>\(anomaly.kind.rawValue)</b>"
                return
                    "<li><a href=\"#p\(place)\" data-picture=\"\(place)\" data-number=\"\(number)\" \(steps)>\(kind) "
                    + "\(anomaly.sentence.escaped)</a><br>mend: \(anomaly.advice(in: picture.history).text.escaped)</li>"
            }
        }
        if items.isEmpty { return "<p class=\"clean\">No anomaly.</p>" }
        return "<nav aria-label=\"anomalies\"><ol>\(items.joined(separator: "\n"))</ol></nav>"
    }

    private func section(_ place: Int, _ picture: Picture) -> String {
        let drawing = LaneDrawing(picture, prefix: "p\(place)-")
        let details = StepDetails(drawing.narrator, picture)
        let templates = picture.history.steps.indices.map {
            "<template id=\"p\(place)-d\($0)\">\(details.html($0))</template>"
        }
        let calm = picture.saved == nil ? "last observed state" : "one run"
        let title = picture.anomalies.first?.kind.rawValue ?? calm
        return """
            <section id="p\(place)" data-prefix="p\(place)-" aria-label="\(title)">
            <h2>\(title)</h2>
            <p>\(picture.size.map { "\($0.escaped)" } ?? "")</p>
            <div class="scroll">\(drawing.inline)</div>
            \(legend(drawing.narrator))
            <details><summary>Every step</summary>
            \(table(drawing.narrator, picture))
            </details>
            \(schedule(picture))
            \(templates.joined(separator: "\n"))
            </section>
            """
    }

    private func schedule(_ picture: Picture) -> String {
        guard let saved = picture.saved else { return "" }
        return "<details><summary>The schedule, for <code>widgetbridge race replay</code></summary>\n"
            + "<pre>\(saved.text.escaped)</pre></details>"
    }

    private func legend(_ narrator: Narrator) -> String {
        let items = narrator.contents.map { content in
            let colour = LaneDrawing.colours[(narrator.place(content) ?? 0) % LaneDrawing.colours.count]
            let text = String(decoding: narrator.history.versions[content].bytes, as: UTF8.self)
            return "<li><i style=\"background:\(colour)\">\(narrator.name(content))</i> "
                + "\(narrator.origin(content).escaped) <code>\(text.shortened(to: 160).escaped)</code></li>"
        }
        let shapes = "● written · ■ read · ◆ notified · ◌ recorded as in sync · ✕ killed"
        return "<ul class=\"legend\">\(items.joined())<li>\(shapes)</li></ul>"
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
