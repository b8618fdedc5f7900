import Testing

@testable import RaceLab

@Suite("Who goes next among programs at their gates")
struct StepChooserTests {
    private typealias Candidate = StepChooser.Candidate
    private let app = RaceLane(.app)
    private let widget = RaceLane(.widget)
    private let bridge = RaceLane(.bridge)

    private func taken(
        _ chooser: StepChooser,
        _ steps: Int,
        among lanes: [RaceLane]
    ) -> [RaceLane] {
        var chooser = chooser
        return (0..<steps).map { _ in chooser.choose(lanes.map { Candidate($0) }) }
    }

    @Test("by the rule it is the current one until it waits, then the next in order")
    func rule() {
        var chooser = StepChooser(.replaying([]))
        #expect(chooser.choose([Candidate(widget), Candidate(app)]) == app)
        #expect(chooser.choose([Candidate(widget), Candidate(app)]) == app)
        #expect(chooser.choose([Candidate(widget), Candidate(bridge)]) == widget)
        #expect(chooser.choose([Candidate(app), Candidate(bridge)]) == bridge)
        #expect(chooser.choose([Candidate(app)]) == app)
    }

    @Test("one that sleeps goes on only where all sleep, the one that slept first")
    func sleepers() {
        var chooser = StepChooser(.replaying([]))
        let long = Candidate(bridge, sleep: .long, since: 0)
        let late = Candidate(app, sleep: .short, since: 7)
        let early = Candidate(widget, sleep: .short, since: 3)
        #expect(chooser.choose([late, Candidate(widget)]) == widget)
        #expect(chooser.choose([late, early, long]) == widget)
        #expect(chooser.choose([late, long]) == app)
        #expect(chooser.choose([long]) == bridge)
    }

    @Test("one that never waits does not keep the others away for ever")
    func spinning() {
        let lanes = taken(StepChooser(.replaying([])), 1_500, among: [app, widget])
        #expect(lanes.prefix(1_000).allSatisfy { $0 == app } && lanes[1_000] == widget)
    }

    @Test("equal seeds draw equal orders, and others differ")
    func seeds() {
        func order(_ seed: UInt64) -> [RaceLane] {
            taken(StepChooser(seed: seed), 60, among: [app, widget, bridge])
        }
        for seed in 1...20 { #expect(order(UInt64(seed)) == order(UInt64(seed))) }
        #expect(Set((1...20).map { order(UInt64($0)) }).count > 15)
    }

    @Test("a recorded order is followed, but for one that cannot go; then the rule applies")
    func replay() {
        let segments = [StepChooser.Segment(widget, 2), .init(bridge, 1), .init(app, 1)]
        let lanes = taken(StepChooser(.replaying(segments)), 5, among: [app, widget])
        #expect(lanes == [widget, widget, app, app, app])
    }

    @Test("what was drawn is the same when it is replayed")
    func drawnAgain() {
        for seed in 1...20 {
            let drawn = taken(StepChooser(seed: UInt64(seed)), 80, among: [app, widget, bridge])
            let again = StepChooser(.replaying([StepChooser.Segment](drawn)))
            #expect(taken(again, 80, among: [app, widget, bridge]) == drawn)
        }
    }

    @Test("a long sleep is never drawn while another can go")
    func longSleep() {
        for seed in 1...50 {
            var chooser = StepChooser(seed: UInt64(seed))
            let chosen = (0..<20).map { _ in
                chooser.choose([Candidate(app), Candidate(bridge, sleep: .long)])
            }
            #expect(Set(chosen) == [app])
        }
    }

    @Test("one that sleeps again and again for a short time does not keep a long sleeper from going on")
    func fairSleep() {
        var chooser = StepChooser(.replaying([]))
        var chosen: [RaceLane] = []
        for step in 0..<1_000 where chosen.last != app {
            chosen.append(
                chooser.choose([
                    .init(app, sleep: .long, since: 0), .init(widget, sleep: .short, since: step),
                ])
            )
        }
        #expect(chosen.last == app && (20...50).contains(chosen.count))
    }

    @Test("the lanes of a player are told apart by what they call, not by the numbers of threads")
    func lanes() {
        func waiting(_ thread: Int32, _ path: String) -> LaneTable.Waiting {
            LaneTable.Waiting(thread: thread, player: .app, call: GatedCall(.open, [path]))
        }
        var table = LaneTable()
        let first = table.lanes(of: [waiting(9, "app/a"), waiting(8, "app/b")])
        #expect(first[app]?.thread == 9 && first[RaceLane(.app, 1)]?.thread == 8)
        // It keeps its lane while it waits, and a command takes over that of the shell that waits for it.
        let then = table.lanes(of: [waiting(8, "app/b"), waiting(20, "app/c")])
        #expect(then[RaceLane(.app, 1)]?.thread == 8 && then[app]?.thread == 20)
    }

    @Test("lanes are written as they are read", arguments: ["app", "bridge", "widget.2", "app.17"])
    func names(name: String) { #expect(RaceLane(name: name)?.name == name) }

    @Test("other names are no lanes", arguments: ["", "apple", "app.", "app.1", "app.0", "app.x", "app.2.3"])
    func noNames(name: String) { #expect(RaceLane(name: name) == nil) }

    @Test("drawn names of temporary files are the same in every run")
    func temporaries() {
        func steps(_ temporary: String) -> [GatedStep] {
            [
                GatedStep(lane: app, call: GatedCall(.openToWrite, ["app/\(temporary)"])),
                GatedStep(lane: app, call: GatedCall(.rename, ["app/\(temporary)", "app/a.json"])),
                GatedStep(lane: widget, call: GatedCall(.openToWrite, ["group/x.\(temporary)"])),
                GatedStep(lane: widget, call: GatedCall(.open, ["group"])),
            ]
        }
        let texts = steps("tmpQx1").texts(lasting: ["app/a.json"])
        #expect(texts == steps("tmp99").texts(lasting: ["app/a.json"]))
        #expect(
            texts == [
                "app open-to-write app/<1>", "app rename app/<1> app/a.json",
                "widget open-to-write group/<2>",
                "widget open group",
            ]
        )
    }
}
