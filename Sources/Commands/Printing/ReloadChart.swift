import Documents
import Reloads

extension ReloadSimulation {
    /// A table of the kinds, and a chart of the reloads over the day.
    func text(_ printer: TextPrinter) -> String {
        let heads = ["KIND", "BUDGET", "ASKS", "GRANTED", "WAITS FROM", "FROZEN FROM", "FITS EVERY"]
        let rows = kinds.map { kind in
            [
                kind.day.ledger.kind.withoutControls, kind.budget.text,
                "\(kind.day.ledger.counts.asks)", "\(kind.day.ledger.counts.granted)",
                clock(kind.day.waitsFrom), clock(kind.day.frozenFrom),
                kind.fittingMinutes.map { "\($0) min" } ?? "-",
            ]
        }
        let chart = ReloadChart(kinds: kinds, columns: printer.columns)
        let lines = printer.layout.table(heads, rows, styled: printer.bold) + chart.lines(printer.bold)
        return (lines + activityLines(printer)).map { "\($0)\n" }.joined()
    }

    private func activityLines(_ printer: TextPrinter) -> [String] {
        if activities.isEmpty { return [] }
        let rows = activities.map {
            [$0.kind.withoutControls, $0.id.withoutControls, clock($0.startedAt), clock($0.endsAt)]
        }
        return [""] + printer.layout.table(["ACTIVITY", "ID", "STARTS", "ENDS"], rows, styled: printer.bold)
    }

    /// The local time of day, as `08:30`.
    private func clock(_ time: Int64?) -> String {
        guard let time else { return "-" }
        let local = UTCTime.text(time, offset: zone.offset(at: Int(time / 1000)))
        return String(local.dropFirst("2026-01-18 ".utf8.count).prefix("08:30".utf8.count))
    }

    /// One object for each kind, and one for each Live Activity.
    var json: [JSONText] {
        kindObjects
            + activities.map {
                [
                    "profile": JSONText(profile), "activity": JSONText($0.kind), "id": JSONText($0.id),
                    "startsAt": moment($0.startedAt), "endsAt": moment($0.endsAt),
                ]
            }
    }

    private var kindObjects: [JSONText] {
        kinds.map { kind in
            let (day, counts) = (kind.day, kind.day.ledger.counts)
            return [
                "profile": JSONText(profile), "kind": JSONText(day.ledger.kind),
                "budget": JSONText(kind.budget.limit), "asks": JSONText(counts.asks),
                "granted": JSONText(counts.granted), "coalesced": JSONText(counts.coalesced),
                "invisible": JSONText(counts.invisible), "delayed": JSONText(counts.delayed),
                "waitsFrom": moment(day.waitsFrom), "frozenFrom": moment(day.frozenFrom),
                "nextSlot": moment(day.ledger.nextSlot), "used": JSONText(day.ledger.used),
                "fitsEveryMinutes": JSONText(kind.fittingMinutes),
                "grantedPerHalfHour": JSONText(day.grants.map { JSONText($0) }),
            ]
        }
    }

    private func moment(_ time: Int64?) -> JSONText { JSONText(time.map { UTCTime.text($0) }) }
}

/// How many reloads each kind is granted in each half-hour; in each hour where there is less room.
private struct ReloadChart {
    private let names: [String]
    private let counts: [[Int]]
    private let isHourly: Bool
    private let nameWidth: Int

    private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// - Parameter columns: the width of the terminal, if there is one.
    init(kinds: [ReloadSimulation.Kind], columns: Int?) {
        let halfHours = kinds.map(\.day.grants)
        let all = kinds.map(\.day.ledger.kind.withoutControls)
        let longest = all.map(\.displayWidth).max() ?? 0
        isHourly = columns.map { $0 < longest + 2 + 48 } ?? false
        let width =
            columns.map { [isHourly] in min(longest, max(4, $0 - 2 - (isHourly ? 24 : 48))) } ?? longest
        nameWidth = width
        names = all.map { $0.shortened(to: width) }
        counts =
            isHourly
            ? halfHours.map { day in (0..<24).map { day[2 * $0] + day[2 * $0 + 1] } } : halfHours
    }

    func lines(_ bold: (String) -> String) -> [String] {
        guard let most = counts.joined().max(), most > 0 else { return [] }
        let perHour = isHourly ? 1 : 2
        let hours = stride(from: 0, to: 24, by: isHourly ? 6 : 3).map {
            "\($0)".padded(to: (isHourly ? 6 : 3) * perHour)
        }
        let head = "\("".padded(to: nameWidth))  \(hours.joined())".withoutTrailingSpace
        let title = "GRANTED PER \(isHourly ? "HOUR" : "HALF-HOUR")"
        let rows = zip(names, counts).map { name, counts in
            "\(name.padded(to: nameWidth))  \(counts.map { bar($0, of: most) }.joined())"
        }
        return ["", "\(bold(title)), · none, █ \(most)", head] + rows
    }

    private func bar(_ count: Int, of most: Int) -> String {
        count == 0 ? "·" : Self.blocks[(count * Self.blocks.count + most - 1) / most - 1]
    }
}
