/// Distinguishes the calls by which programs get on from those that look again where they looked before.
struct RepeatedLooks {
    /// No program gets on.
    struct Standstill: Sendable {
        var since: ContinuousClock.Instant
        /// Where each program looks again and again.
        var files: [RacePlayer: [String]]

        var time: Duration { .now - since }
    }

    private struct Look: Hashable {
        var player: RacePlayer
        var call: GatedCall
    }

    private(set) var standstill: Standstill?
    /// The looks since a program last changed something.
    private var looks: Set<Look> = []
    /// Since when there was no new one, and how many old ones since.
    private var since = ContinuousClock.now
    private var turns = 0

    /// A program that waits for another one looks a few times before it is there.
    private static let fewTurns = 100

    /// A program makes that call. What the bridge does is no progress of theirs.
    mutating func record(_ call: GatedCall, of player: RacePlayer) {
        guard player != .bridge else { return }
        // A call that opens a file to lock it changes nothing.
        let isChange = call.kind.isChange && call.kind != .openToWrite
        if isChange { looks = [] }
        guard !looks.insert(Look(player: player, call: call)).inserted, !isChange else {
            (standstill, since, turns) = (nil, .now, 0)
            return
        }
        turns += 1
        guard turns > Self.fewTurns, standstill == nil else { return }
        let files = Dictionary(grouping: looks, by: \.player).mapValues { looks in
            Set(looks.flatMap(\.call.paths)).sorted()
        }
        standstill = Standstill(since: since, files: files)
    }
}
