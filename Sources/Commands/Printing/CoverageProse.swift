import Model
import RaceLab

/// What an exploration has covered, and what it says nothing about.
struct CoverageProse {
    private let report: ExplorationReport
    private var coverage: Coverage { report.coverage }

    init(_ report: ExplorationReport) { self.report = report }

    /// Each with a label of up to nine letters.
    var lines: [(label: String, text: String)] {
        var lines = [("covered", covered)]
        if !coverage.unchecked.isEmpty {
            let groups = UncheckedWords.byReason(coverage.unchecked).map { "\($1) (\($0.text))" }
            lines.append(("unchecked", groups.joined(separator: ", ")))
        }
        if report.scenario.documents.count > 1, !report.hasOwnCheck {
            let names = report.scenario.documents.map(\.path.description.withoutControls)
            lines.append(
                ("unrelated", "nothing that holds between \(names.joined(separator: ", ")) was checked")
            )
        }
        let untouched = alike(coverage.untouched.map { ($0, 1) })
        if !untouched.isEmpty {
            let operations = untouched.map { $1 > 1 ? "\($0) (\($1) times)" : $0 }
            lines.append(("never ran", operations.joined(separator: ", ")))
        }
        let absent = report.scenario.neverWritten
        if !absent.isEmpty {
            let names = absent.map(\.description.withoutControls).joined(separator: ", ")
            lines.append(("undecided", "nothing writes \(names), and nothing is there at the start"))
        }
        for (operation, schedules) in alike(coverage.waiting.map { ($0.place, $0.schedules) }) {
            let count = counted(schedules, "schedule", "schedules")
            lines.append(("waiting", "\(operation), for ever in \(count)"))
        }
        if coverage.held > 0 {
            let count = counted(coverage.held, "schedule", "schedules")
            lines.append(
                ("held", "documents at the end of \(count), by the bridge: the sides may differ there")
            )
        }
        if report.unfinished > 0 {
            let schedules = counted(report.unfinished, "schedule", "schedules")
            let why = report.unrest.map { ": \($0.text.withoutControls)" } ?? ""
            lines.append(("undecided", "\(schedules) did not come to rest\(why)"))
        }
        return lines
    }

    private var covered: String {
        let ran = coverage.operations - coverage.untouched.count
        let kinds = coverage.checked.count
        let all = kinds + coverage.unchecked.count
        let least = coverage.classes < Coverage.mostClasses ? "" : "at least "
        return "\(ran) of \(counted(coverage.operations, "operation", "operations")), "
            + "\(kinds) of \(counted(all, "kind of anomaly", "kinds of anomalies")), "
            + "\(least)\(counted(coverage.classes, "class", "classes")) of schedules by what each actor saw"
    }

    /// Operations that read alike are one, with the sum of their numbers.
    private func alike(_ places: [(place: Coverage.Place, count: Int)]) -> [(words: String, count: Int)] {
        var sums: [(words: String, count: Int)] = []
        for (place, count) in places {
            let words = words(place)
            if let known = sums.firstIndex(where: { $0.words == words }) {
                sums[known].count += count
            } else {
                sums.append((words, count))
            }
        }
        return sums
    }

    private func words(_ place: Coverage.Place) -> String {
        let operation = place.operation
        let name = "\(place.actor.withoutControls)'s \(operation.verb.rawValue)"
        if let document = operation.document { return "\(name) of \(document.description.withoutControls)" }
        return name
    }
}
