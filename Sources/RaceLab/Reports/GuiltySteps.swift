/// The steps of an anomaly as a list, which is read without a drawing.
struct GuiltySteps {
    let picture: Picture
    let narrator: Narrator
    /// Of the page's identifiers.
    let prefix: String

    private static let most = 12

    /// A step, or how many were left out.
    private enum Item {
        case step(Int)
        case gap(Int)
    }

    func html(_ anomaly: Anomaly) -> String {
        let items = items(anomaly).map { item in
            switch item {
            case .step(let number): line(number, anomaly)
            case .gap(let count): "<li class=\"gap\">⋮ \(counted(count, "more step", "more steps"))</li>"
            }
        }
        return "<ol class=\"guilty\" aria-label=\"the steps of it\">\n\(items.joined(separator: "\n"))\n</ol>"
    }

    /// The first and the last events, the culprit, and the reads that decided.
    private func items(_ anomaly: Anomaly) -> [Item] {
        let steps = narrator.history.steps
        let culprit = anomaly.evidence.culprit
        let ends = [anomaly.steps.lowerBound, anomaly.steps.upperBound]
        let stretch = anomaly.steps.clamped(to: 0...max(0, steps.count - 1))
        let events = stretch.filter {
            steps.indices.contains($0) && (steps[$0].what.isEvent || ends.contains($0))
        }
        var shown = Set(events.prefix(Self.most / 2) + events.suffix(Self.most / 2))
        if let culprit { shown.insert(culprit) }
        shown.formUnion(narrator.history.reads(deciding: anomaly))
        var items: [Item] = []
        var last: Int?
        for number in shown.sorted() {
            if let last, number > last + 1 { items.append(.gap(number - last - 1)) }
            items.append(.step(number))
            last = number
        }
        return items
    }

    private func line(_ number: Int, _ anomaly: Anomaly) -> String {
        let step = narrator.history.steps[number]
        let chip = step.what.isOfContent ? Chip(narrator, step.version).html + " " : ""
        let isCulprit = anomaly.evidence.culprit == number
        let words = "<b>\(narrator.history.lanes[step.lane].name.escaped)</b> \(narrator.words(step).escaped)"
        return
            "<li\(isCulprit ? " class=\"culprit\"" : "")><a href=\"#\(prefix)s\(number)\" data-step=\"\(number)\">"
            + "\(chip)\(words)</a> <small>step \(picture.number(of: number)), \(step.time.inWords)</small>"
            + (isCulprit ? " <em>◀ it goes wrong here</em>" : "") + "</li>"
    }
}
