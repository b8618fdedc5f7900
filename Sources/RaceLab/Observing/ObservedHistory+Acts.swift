import Model

/// What the lab did to a program, or saw it do at a gate.
enum LabAct: Sendable, Hashable {
    case stopped(RacePlayer)
    case continued(RacePlayer)
    case killed(RacePlayer)
    case started(RacePlayer)
    /// It made a system call that reads this file; the path begins with the container.
    case read(RacePlayer, path: String)
    /// It made one that changes these files.
    case changed(RacePlayer, paths: [String])

    var player: RacePlayer {
        switch self {
        case .stopped(let player), .continued(let player), .killed(let player), .started(let player),
            .read(let player, path: _), .changed(let player, paths: _):
            player
        }
    }
}

extension ObservedHistory {
    mutating func note(_ act: LabAct, at time: Duration) {
        let lane = Lane(act.player).rawValue
        switch act {
        case .stopped: history.steps.append(Step(.stopped, lane, time))
        case .continued: history.steps.append(Step(.continued, lane, time))
        case .killed: history.steps.append(Step(.died, lane, time))
        case .started: history.steps.append(Step(.started, lane, time))
        case .read(_, let path): fetched(path, lane, at: time)
        case .changed(let player, let paths): changed(paths, by: player, at: time)
        }
    }

    /// Every change has been seen before the next call is let through: what was there then was read.
    private mutating func fetched(_ file: String, _ lane: Int, at time: Duration) {
        guard let (side, path) = Self.place(file), let document = numbers[path] else { return }
        var step = Step(.fetched, lane, time)
        step.document = document
        step.side = side
        step.version = holding[document][side]
        // A program reads on until the end of the file.
        if let last = history.steps.last(where: { $0.lane == lane }), last.what == .fetched,
            last.document == document, last.side == side, last.version == step.version
        {
            return
        }
        history.steps.append(step)
    }
}

extension ObservedHistory {
    /// A program that has told `done` changes nothing any more.
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
