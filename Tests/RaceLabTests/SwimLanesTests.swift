import RaceLab
import Testing

@Suite("A race on the terminal")
struct SwimLanesTests {
    @Test("is drawn in lanes, with the guilty stretch and the culprit marked")
    func golden() throws {
        let picture = try lostTap()
        let lines = SwimLanes(picture.history, anomaly: picture.anomalies[0]).lines
        #expect(lines.map(\.text).joined(separator: "\n") == Self.drawn)
        #expect(lines.filter(\.isGuilty).map { $0.text.prefix(1) } == ["┃", "┃", "┃", "┃", "┃"])
    }

    private static let drawn = """
          step     ms  app                   widget                agent
             0    0.0                       · subscribes: A
        ┃                                   ┌ write
        ┃    1    1.0                       · A → B in group
        ┃    2    2.0                                             · A → B in app
        ┃             ┌ write
        ┃    3    3.0 · B → C in app ◀
             4    4.0                                             · B → C in group
             5    5.0                                             · sends notice of C
                                            ┌ read
             6    6.0                       · reads C in group
          A at the start, B widget's, C app's
        """

    @Test("is at most as long and as wide as asked for, whatever it shows", arguments: Preset.names)
    func fits(name: String) throws {
        let scenario = try #require(try Preset.scenario(name))
        for height in [12, 40] {
            for seed in 0..<UInt64(5) {
                let run = Run.random(scenario, seed: seed)
                for anomaly in [nil] + run.judgement.anomalies.map(Optional.some) {
                    let lines = SwimLanes(run.history, anomaly: anomaly, width: 80, height: height).lines
                    #expect(lines.count <= height)
                    #expect(lines.allSatisfy { $0.text.count <= 80 })
                    #expect(anomaly == nil || lines.contains { $0.isGuilty })
                }
            }
        }
    }

    @Test("explains the letters that it shows, and no others")
    func legend() throws {
        let scenario = try #require(try Preset.scenario("debounce-too-short"))
        let lines = SwimLanes(Run.replay(scenario, Schedule()).history, height: 12).lines.map(\.text)
        let start = try #require(lines.firstIndex { $0.hasPrefix("  A ") || $0.contains(" app's") })
        let drawn = lines[1..<start].joined(separator: " ").split(separator: " ").map(String.init)
        let shown = Set(drawn.filter { $0.count == 1 && $0 >= "A" && $0 <= "Z" })
        let legend = lines[start...].joined(separator: ",").split(separator: ",")
        let explained = legend.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(!shown.isEmpty && Set(explained) == shown, "\(lines.joined(separator: "\n"))")
    }

    @Test("names who acts in each line where the lanes would be too narrow")
    func narrow() throws {
        let picture = try lostTap()
        let lines = SwimLanes(picture.history, anomaly: nil, width: 50).lines.map(\.text)
        #expect(lines.contains { $0.hasSuffix(" widget: subscribes: A") })
        #expect(lines.allSatisfy { $0.count <= 50 })
    }
}
