import RaceLab

/// Lines that describe how the order of system calls was controlled in a race of real programs.
struct ControlText {
    let report: ProcessReport
    /// Text about the clean runs before this one.
    let clean: String?
    /// Wraps a text after a label of ten columns.
    let wrapped: (_ label: String, _ text: String) -> [String]

    private static let mostSegments = 20

    var lines: [String] {
        let control = report.control
        // A replayed order has no seed.
        let seed = "\(report.seed)" + (clean.map { ", after \($0)" } ?? "")
        var lines = report.replay == nil ? wrapped("seed      ", seed) : []
        if !report.gates.isEmpty { lines += wrapped("gates     ", report.gateWords) }
        if let refusal = control.refusal {
            lines += wrapped("control   ", "\(control.kind.rawValue): \(refusal.text)")
        }
        guard control.kind == .calls else { return lines }
        lines += wrapped("control   ", order(control))
        for escape in control.escapes { lines += wrapped("escaped   ", escape.text.withoutControls) }
        if let replay = report.replay { lines += wrapped("trace     ", "\(control.trace), \(words(replay))") }
        if let shrinking = report.shrinking { lines += wrapped("minimal   ", words(shrinking, control)) }
        return lines
    }

    /// A race with an agent has hundreds of switches, so the text shows only the first ones.
    private func order(_ control: ControlReport) -> String {
        let segments = control.ran
        let shown = segments.prefix(Self.mostSegments)
        let rest = segments.count - shown.count
        let order = Array(shown).text + (rest > 0 ? " and \(rest) more, in --json" : "")
        let calls = counted(control.steps.count, "system call", "system calls")
        let steps = "\(calls) on the containers, one at a time"
        return order.isEmpty ? steps : "\(steps): \(order)"
    }

    private func words(_ replay: ProcessReplay) -> String {
        switch replay {
        case .identical: "identical, and so are the files at the end"
        case .different(let difference):
            "\(difference.text.withoutControls). More than the order of calls decides here, such as clocks "
                + "and threads"
        }
    }

    private func words(_ shrinking: ProcessShrinking, _ control: ControlReport) -> String {
        if shrinking.isCutShort, !shrinking.isRepeatable {
            return "no; stopped before the same order was run again"
        }
        guard shrinking.isRepeatable else {
            return
                "no; the same order did not show it again, so more than the order of calls decides, such as "
                + "clocks and threads"
        }
        let switches = control.order.segments.switches
        return "\(counted(switches, "switch", "switches")), "
            + counted(shrinking.replays, "replay", "replays")
            + (shrinking.isCutShort ? "; stopped, it may get smaller" : "")
    }
}
