import Model

/// A read that its program reported.
struct ReportedRead {
    var side: Side
    var step: Int
    /// Its index among the reports of that program.
    var report: Int
}

/// A save that its program reported, and that stands there.
struct ReportedSave {
    var side: Side
    /// The change.
    var step: Int
    var time: Duration
}

/// What programs did, by their system calls: whether it was what they reported. All calls are seen.
struct SeenActs {
    let history: History
    let evidence: Evidence

    /// A call may be heard of this much later than a line that was written after it.
    private static let delay = Duration.milliseconds(100)

    /// - Parameter inPart: whether it suffices that it read a part of it.
    func contain(_ read: ReportedRead, inPart: Bool) -> Bool {
        let reported = history.steps[read.step]
        guard let document = reported.document, let version = reported.version else { return true }
        let (player, lane) = (player(of: read.side), ObservedHistory.Lane(read.side).rawValue)
        let path = history.documents[document]
        var files = Set(Side.allCases.map { "\($0.rawValue)/\(path)" })
        // Who lists the directory finds out that a file is not there, too.
        if version == History.absent {
            files.formUnion(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
        }
        let isRead = history.steps.indices.contains { number in
            let step = history.steps[number]
            guard step.document == document, step.version == version, step.time <= reported.time + Self.delay
            else { return false }
            switch step.what {
            case .fetched:
                return step.lane == lane && (inPart || !evidence.partialFetches.contains(number))
            // What it saved itself it need not read.
            case .changed: return evidence.writers[number].map { evidence.calls[$0].player } == player
            default: return false
            }
        }
        if isRead { return true }
        let calls = evidence.calls.filter { call in
            call.player == player && call.time <= reported.time + Self.delay
                && !files.isDisjoint(with: call.step.call.paths)
        }
        .map(\.step.call.kind)
        // Who finds no file reads none, and what is open may be mapped, and be read without a call.
        if version == History.absent { return !calls.isEmpty }
        return calls.contains(.mmap) || calls.contains(.open) && !calls.contains(.read)
    }

    /// Whether no other program made that change, or this one saved the same since its last report of a save.
    func contain(_ save: ReportedSave, among reported: [ReportedSave]) -> Bool {
        let player = player(of: save.side)
        guard let writer = evidence.writers[save.step], evidence.calls[writer].player != player,
            let document = history.steps[save.step].document
        else { return true }
        let last = reported.last {
            $0.side == save.side && $0.time < save.time && history.steps[$0.step].document == document
        }
        let times = (last?.time ?? .zero)...save.time + Self.delay
        return hasChanged(history.documents[document], save.side) { times.contains($0) }
    }

    /// Whether a program of that side changed its document, or may have.
    func hasChanged(
        _ path: RelativePath,
        _ side: Side,
        at isTime: (Duration) -> Bool = { _ in true }
    ) -> Bool {
        let (player, file) = (player(of: side), "\(side.rawValue)/\(path)")
        return evidence.calls.contains {
            $0.player == player && ($0.step.call.touched + $0.step.call.links).contains(file)
                && isTime($0.time)
        }
    }

    private func player(of side: Side) -> RacePlayer { side == .app ? .app : .widget }
}
