/// Gives the threads that wait at gates their lanes.
///
/// A thread takes the first lane of its player that no other waiting thread has: a shell and the command that
/// it waits for have one in turn, and two commands in the background have two. Threads are distinguished by
/// what they call, not by their numbers, which differ from run to run.
struct LaneTable {
    /// A thread at a gate.
    struct Waiting: Hashable {
        var thread: Int32
        var player: RacePlayer
        var call: GatedCall
    }

    private var owners: [RaceLane: Int32] = [:]

    /// The lane of each; `waiting` has each thread once.
    mutating func lanes(of waiting: [Waiting]) -> [RaceLane: Waiting] {
        let threads = Set(waiting.map(\.thread))
        owners = owners.filter { threads.contains($0.value) }
        let known = Dictionary(uniqueKeysWithValues: owners.map { ($0.value, $0.key) })
        var lanes: [RaceLane: Waiting] = [:]
        for one in waiting { if let lane = known[one.thread] { lanes[lane] = one } }
        for one in waiting.filter({ known[$0.thread] == nil }).sorted(by: isBefore) {
            var lane = RaceLane(one.player)
            while owners[lane] != nil { lane = RaceLane(one.player, lane.number + 1) }
            owners[lane] = one.thread
            lanes[lane] = one
        }
        return lanes
    }

    private func isBefore(_ a: Waiting, _ b: Waiting) -> Bool {
        (a.player, a.call.text, a.thread) < (b.player, b.call.text, b.thread)
    }
}
