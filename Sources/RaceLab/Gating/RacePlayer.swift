/// A part in a race of real programs: a command with all processes that it starts.
package enum RacePlayer: Int, CaseIterable, Comparable, Sendable {
    case app, widget, bridge

    package var name: String {
        switch self {
        case .app: "app"
        case .widget: "widget"
        case .bridge: "bridge"
        }
    }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What takes its steps one after the other. The processes of a player that wait for each other, such as a
/// shell and the commands in it, are one lane; those that wait at gates at the same time are several.
package struct RaceLane: Sendable, Hashable, Comparable {
    package let player: RacePlayer
    /// From 0.
    package let number: Int

    package init(_ player: RacePlayer, _ number: Int = 0) {
        self.player = player
        self.number = number
    }

    /// `app`, and `app.2` for its second.
    package var name: String { number == 0 ? player.name : "\(player.name).\(number + 1)" }

    package init?(name: some StringProtocol) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let player = RacePlayer.allCases.first(where: { $0.name == parts[0] }) else { return nil }
        guard parts.count > 1 else {
            self.init(player)
            return
        }
        guard parts.count == 2, let number = Int(parts[1]), number > 1, number <= Self.most else {
            return nil
        }
        self.init(player, number - 1)
    }

    /// More threads of one player than this do not wait at gates at the same time.
    private static let most = 10_000

    package static func < (a: Self, b: Self) -> Bool { (a.player, a.number) < (b.player, b.number) }
}
