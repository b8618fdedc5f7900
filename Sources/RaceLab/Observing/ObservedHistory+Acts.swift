import Model

/// What the lab did to a program, or saw it do at a gate.
enum LabAct: Sendable, Hashable {
    case stopped(RacePlayer)
    case continued(RacePlayer)
    case killed(RacePlayer)
    case started(RacePlayer)
    /// It made a system call; in order, unless something ran on beside it.
    case called(GatedStep, isOrdered: Bool)

    var player: RacePlayer {
        switch self {
        case .stopped(let player), .continued(let player), .killed(let player), .started(let player): player
        case .called(let step, _): step.lane.player
        }
    }
}

/// The last call that passed its gate. It is reported just before it is carried out, so that a document may
/// be read once more as it was before.
struct LastCall {
    /// Its place in `Evidence.calls`.
    let number: Int
    private var touched: Set<Location>
    /// The files that were read since, and had not changed.
    private(set) var unchanged: Set<Location> = []

    init(number: Int, touched: [Location]) {
        self.number = number
        self.touched = Set(touched)
    }

    /// Returns the call if it made a change of that document.
    mutating func sees(_ place: Location, isChanged: Bool) -> Int? {
        guard touched.contains(place) else { return isChanged && isBeneath(place) ? number : nil }
        if isChanged {
            touched.remove(place)
            unchanged.remove(place)
        } else {
            unchanged.insert(place)
        }
        return isChanged ? number : nil
    }

    func touches(_ place: Location) -> Bool { touched.contains(place) }

    /// Whether it gave a directory of that file another name.
    private func isBeneath(_ place: Location) -> Bool {
        touched.contains { $0.root == place.root && "\(place.path)".hasPrefix("\($0.path)/") }
    }
}

/// Which files have lost their names since processes opened them. What file a call reads is found out before
/// it passes its gate, so that it may bear a name that it loses until then.
struct Openings {
    /// The contents of the lost ones; `nil`: it has its name still.
    private var lost: [String: [RacedProcess: Int?]] = [:]

    /// - Returns: the content of the file that it reads or writes, if that had the name before.
    mutating func replaced(_ step: GatedStep) -> Int? {
        if step.call.kind == .open || step.call.kind == .openToWrite {
            for path in step.call.paths { lost[path, default: [:]].updateValue(nil, forKey: step.process) }
        }
        let written = step.call.kind == .write && step.call.paths.count == 1 ? step.call.paths.first : nil
        return (step.call.source ?? written).flatMap { lost[$0]?[step.process] } ?? nil
    }

    /// Another file has the name, or none.
    mutating func lose(_ place: Location, _ version: Int) {
        let file = "\(place.root.rawValue)/\(place.path)"
        lost[file] = lost[file]?.mapValues { $0 ?? version }
    }
}

/// How much of a file each process has read, from its beginning on.
struct ReadParts {
    private struct Reader: Hashable {
        var process: RacedProcess
        var file: String
    }

    private struct Part {
        var version: Int
        var end = 0
    }

    private var parts: [Reader: Part] = [:]

    /// - Parameter size: of the content that it reads of now.
    /// - Returns: whether it has read all of that then. A call that does not show it counts as all.
    mutating func reads(_ step: GatedStep, _ file: String, _ version: Int, size: Int) -> Bool {
        guard let offset = step.call.offset, let count = step.call.count else { return true }
        let reader = Reader(process: step.process, file: file)
        var part = parts[reader] ?? Part(version: version)
        if part.version != version { part = Part(version: version) }
        if offset <= part.end { part.end = max(part.end, offset + min(count, max(0, size - offset))) }
        parts[reader] = part
        return part.end >= size
    }
}

extension ObservedHistory {
    mutating func record(_ act: LabAct, at time: Duration) {
        let lane = Lane(act.player).rawValue
        switch act {
        case .stopped: history.steps.append(Step(.stopped, lane, time))
        case .continued: history.steps.append(Step(.continued, lane, time))
        case .killed: history.steps.append(Step(.died, lane, time))
        case .started: history.steps.append(Step(.started, lane, time))
        case .called(var step, let isOrdered):
            settleLastCall()
            let (sources, replaced) = (step.call.sources, openings.replaced(step))
            if replaced != nil { step.call.isOfReplaced = true }
            if !isOrdered { evidence.hasEscapes = true }
            evidence.calls.append(Evidence.Call(step: step, number: history.steps.count, time: time))
            for source in sources { fetched(source, replaced, step, lane, at: time) }
            let player = step.lane.player
            changed(step.call.changed, by: player, at: time)
            let touched = step.call.touched.compactMap { Self.place($0) }.map { Location($0.side, $0.path) }
            if step.call.kind == .mmap || !isOrdered { unreported.formUnion(touched) }
            if isOrdered { lastCall = LastCall(number: evidence.calls.count - 1, touched: touched) }
        }
    }

    /// It has been carried out, and what it changed has been seen.
    mutating func settleLastCall() {
        for place in lastCall?.unchanged ?? [] where !unreported.contains(place) {
            guard let number = lastCall?.number, let side = place.side, let document = numbers[place.path]
            else { continue }
            evidence.repeats.append(Evidence.Repeat(call: number, document: document, side: side))
        }
        lastCall = nil
    }

    /// Every change has been seen before the next call is let through: what was there then was read.
    private mutating func fetched(
        _ file: String,
        _ replaced: Int?,
        _ read: GatedStep,
        _ lane: Int,
        at time: Duration
    ) {
        guard let (side, path) = Self.place(file), let document = numbers[path] else { return }
        var step = Step(.fetched, lane, time)
        step.document = document
        step.side = side
        let version = replaced ?? holding[document][side]
        step.version = version
        let size = version == History.absent ? 0 : table[version].bytes.count
        let isWhole = readParts.reads(read, file, version, size: size)
        if !isWhole { evidence.partialReads.insert(evidence.calls.count - 1) }
        // A program reads on until the end of the file.
        if let last = history.steps.lastIndex(where: { $0.lane == lane }), let call = evidence.fetches[last],
            evidence.calls[call].process == read.process, history.steps[last].document == document,
            history.steps[last].side == side, history.steps[last].version == step.version
        {
            if isWhole { evidence.partialFetches.remove(last) }
            return
        }
        if !isWhole { evidence.partialFetches.insert(history.steps.count) }
        evidence.fetches[history.steps.count] = evidence.calls.count - 1
        history.steps.append(step)
    }
}

extension ObservedHistory {
    /// A program that has reported `done` changes nothing any more.
    private mutating func changed(_ files: [String], by player: RacePlayer, at time: Duration) {
        guard player != .bridge else { return }
        let side: Side = player == .app ? .app : .group
        let program = evidence.programs[side]
        guard program.isDone, let over = program.over, over < time else { return }
        let documents = files.compactMap { Self.place($0)?.path }.filter { numbers[$0] != nil }
        if let path = documents.first { savedAfterDone(path, side) }
    }

    private static func place(_ file: String) -> (side: Side, path: RelativePath)? {
        for side in Side.allCases where file.hasPrefix("\(side.rawValue)/") {
            return RelativePath(String(file.dropFirst(side.rawValue.count + 1))).map { (side, $0) }
        }
        return nil
    }
}

extension ObservedHistory.Lane {
    init(_ player: RacePlayer) {
        switch player {
        case .app: self = .app
        case .widget: self = .group
        case .bridge: self = .bridge
        }
    }
}
