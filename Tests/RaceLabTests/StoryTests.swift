import Model
import RaceLab
import Testing

/// A history told by hand: app, widget, agent, and one document.
struct Story {
    static let app = 0
    static let widget = 1
    static let agent = 2

    var history = History()

    init() {
        history.lanes = [
            History.Lane(name: "app", kind: .app, side: .app),
            History.Lane(name: "widget", kind: .widget, side: .group),
            History.Lane(name: "agent", kind: .agent, side: .app),
        ]
        history.documents = ["a.json"].compactMap { RelativePath($0) }
        history.versions = [Version(bytes: [], digest: Digest(of: []), edits: [], isReadable: true)]
        let empty = version()
        history.start = [BothSides(app: empty, group: empty)]
    }

    /// The number of a content with these edits.
    mutating func version(_ edits: Int...) -> Int {
        let text = "{" + edits.map { "\"k\($0)\":\"i\($0)\"" }.joined(separator: ",") + "}"
        let bytes = Array(text.utf8)
        if let known = history.versions.dropFirst().firstIndex(where: { $0.bytes == bytes }) { return known }
        history.versions.append(
            Version(bytes: bytes, digest: Digest(of: bytes), edits: edits, isReadable: true)
        )
        return history.versions.count - 1
    }

    private var now: Duration { .milliseconds(history.steps.count) }

    /// A program's save, of an edit, from what it knew.
    mutating func saves(
        _ lane: Int,
        _ edit: Int,
        _ version: Int,
        over before: Int,
        knowing basis: Int? = nil,
        intending intended: Int? = nil,
        by verb: Operation.Verb = .write
    ) {
        call(lane, .operation(verb)) { call in
            call.edit = edit
            call.intends = intended ?? version
            call.basis = basis ?? before
        }
        step(.changed, lane, history.lanes[lane].side, version, before: before)
        end()
    }

    /// A program's save, half-way.
    mutating func opens(_ lane: Int, _ half: Int, over before: Int, intending version: Int) {
        call(lane, .operation(.writeInPlace)) { $0.intends = version }
        step(.changed, lane, history.lanes[lane].side, half, before: before)
        end()
    }

    /// The last call had been tried before, without an answer.
    mutating func tried(knowing basis: Int, for version: Int) {
        history.calls[history.calls.count - 1].tries = [Call.Try(basis: basis, intends: version)]
    }

    mutating func deletes(_ lane: Int, _ before: Int) {
        call(lane, .operation(.delete)) { $0.basis = before }
        step(.changed, lane, history.lanes[lane].side, History.absent, before: before)
        end()
    }

    mutating func reads(_ lane: Int, _ version: Int) {
        call(lane, .operation(.read)) { _ in }
        step(.read, lane, history.lanes[lane].side, version)
        end()
    }

    mutating func dies(_ lane: Int) { history.steps.append(Step(.died, lane, now)) }

    mutating func brings(_ side: Side, _ version: Int, over before: Int) {
        step(.changed, Self.agent, side, version, before: before)
    }

    mutating func tells(_ version: Int, generation: Int64, to kind: String = "a.json") {
        step(.notified, Self.agent, .group, version)
        history.steps[history.steps.count - 1].generation = generation
        history.kinds = [kind]
    }

    mutating func subscribes(_ version: Int) { step(.subscribed, Self.widget, .group, version) }
    mutating func idles() { history.steps.append(Step(.idle, Self.agent, now)) }

    mutating func rests(app: Int, group: Int) {
        var rest = Rest()
        rest.versions = [BothSides(app: app, group: group)]
        if app != group { rest.differences = [Rest.Difference(document: 0, reason: .values)] }
        history.rest = rest
    }

    private mutating func call(_ lane: Int, _ name: Call.Name, _ change: (inout Call) -> Void) {
        var call = Call(
            lane: lane,
            name: name,
            document: 0,
            side: history.lanes[lane].side,
            first: history.steps.count,
            began: now
        )
        change(&call)
        history.calls.append(call)
    }

    private mutating func end() {
        history.calls[history.calls.count - 1].last = history.steps.count - 1
        history.calls[history.calls.count - 1].ended = now
        history.calls[history.calls.count - 1].result = .done
    }

    private mutating func step(
        _ what: Step.What,
        _ lane: Int,
        _ side: Side,
        _ version: Int,
        before: Int? = nil
    ) {
        var step = Step(what, lane, now)
        step.document = 0
        step.side = side
        step.version = version
        step.before = before
        if lane != Self.agent, what == .changed || what == .read { step.call = history.calls.count - 1 }
        history.steps.append(step)
    }
}

@Suite("The checkers of histories")
struct StoryTests {
    private func kinds(_ tell: (inout Story) -> Void) -> Set<AnomalyKind> {
        var story = Story()
        tell(&story)
        return judge(story.history).kinds
    }

    @Test("find nothing in an edit that was tried twice because nobody said that it was done")
    func unanswered() {
        let found = kinds { story in
            let (empty, one, two) = (story.version(), story.version(1), story.version(2))
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.app, two, over: one)
            story.saves(Story.app, 2, two, over: two)
            story.tried(knowing: one, for: two)
            story.brings(.group, two, over: empty)
            story.rests(app: two, group: two)
        }
        #expect(found == [])
    }

    @Test("find nothing in a save that crosses, is told of and read")
    func clean() {
        let found = kinds { story in
            let (empty, one) = (story.version(), story.version(1))
            story.subscribes(empty)
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.group, one, over: empty)
            story.tells(one, generation: 1)
            story.idles()
            story.reads(Story.widget, one)
            story.rests(app: one, group: one)
        }
        #expect(found == [])
    }

    @Test("find an old state read when the bridge is at rest, and not while it is at work")
    func stale() {
        for isIdle in [true, false] {
            let found = kinds { story in
                let (empty, one) = (story.version(), story.version(1))
                story.saves(Story.app, 1, one, over: empty)
                if isIdle { story.idles() }
                story.reads(Story.widget, empty)
                story.brings(.group, one, over: empty)
                story.rests(app: one, group: one)
            }
            #expect(found == (isIdle ? [.staleRead] : []))
        }
    }

    @Test("count a read between an exchange and its merge, and find one that the bridge has rested in")
    func overtaken() {
        for isIdle in [true, false] {
            var story = Story()
            let (empty, one, two, both) = (
                story.version(), story.version(1), story.version(2), story.version(1, 2)
            )
            story.saves(Story.app, 1, one, over: empty)
            story.saves(Story.widget, 2, two, over: empty)
            story.brings(.group, one, over: two)
            story.reads(Story.widget, one)
            if isIdle { story.idles() }
            story.brings(.group, both, over: one)
            story.brings(.app, both, over: one)
            story.rests(app: both, group: both)
            let judgement = judge(story.history)
            #expect(judgement.kinds == (isIdle ? [.overtakenRead] : []))
            #expect(judgement.overtakenReads == 1)
            #expect(judgement.longestOvertaking > .zero)
        }
    }

    @Test("find a deletion undone, and let one be that somebody has saved over")
    func resurrected() {
        for isSaved in [false, true] {
            let found = kinds { story in
                let (one, two) = (story.version(1), story.version(2))
                story.deletes(Story.app, one)
                if isSaved { story.saves(Story.widget, 2, two, over: one) }
                story.brings(.app, isSaved ? two : one, over: History.absent)
                story.rests(app: isSaved ? two : one, group: isSaved ? two : one)
            }
            #expect(found == (isSaved ? [] : [.resurrectedDeletion]))
        }
    }

    @Test("find two states that are written over each other without end")
    func pingPong() {
        let found = kinds { story in
            let (one, two) = (story.version(1), story.version(2))
            for _ in 0..<3 {
                story.brings(.group, one, over: two)
                story.brings(.group, two, over: one)
            }
            story.rests(app: two, group: two)
        }
        #expect(found == [.pingPong])
    }

    @Test("find reloads that come twice, too late, never, too early or out of order")
    func reloads() {
        func told(_ tell: (inout Story, Int, Int) -> Void) -> Set<AnomalyKind> {
            kinds { story in
                let (empty, one) = (story.version(), story.version(1))
                story.subscribes(empty)
                story.saves(Story.app, 1, one, over: empty)
                tell(&story, empty, one)
                story.rests(app: one, group: one)
            }
        }
        #expect(told { story, empty, one in story.brings(.group, one, over: empty) } == [.missedReload])
        #expect(
            told { story, empty, one in
                story.tells(one, generation: 1)
                story.brings(.group, one, over: empty)
            } == [.prematureReload]
        )
        #expect(
            told { story, empty, one in
                story.brings(.group, one, over: empty)
                story.tells(one, generation: 1)
                story.tells(one, generation: 1)
            } == [.duplicateReload]
        )
        #expect(
            told { story, empty, one in
                story.brings(.group, one, over: empty)
                story.tells(empty, generation: 2)
                story.tells(one, generation: 1)
            } == [.outOfOrderReload]
        )
    }

    @Test("ask of each kind of widget only for what it shows")
    func kindsOfWidgets() {
        func told(_ kind: String, _ shown: [String]) -> Set<AnomalyKind> {
            var story = Story()
            let (empty, one) = (story.version(), story.version(1))
            story.subscribes(empty)
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.group, one, over: empty)
            story.tells(one, generation: 1, to: kind)
            story.rests(app: one, group: one)
            return judge(story.history) { _, old, new in old == new ? [] : shown }.kinds
        }
        #expect(told("Clock", ["Clock"]) == [])
        #expect(told("Clock", ["Clock", "List"]) == [.missedReload])
        #expect(told("Clock", []) == [])
    }

    @Test("say who displaced a save without having seen it, and let one be that was meant to go")
    func lost() throws {
        for isKnown in [false, true] {
            var story = Story()
            let (empty, one, two) = (story.version(), story.version(1), story.version(2))
            story.saves(Story.widget, 1, one, over: empty)
            story.brings(.app, one, over: empty)
            story.saves(Story.app, 2, two, over: one, knowing: isKnown ? one : empty)
            story.brings(.group, two, over: one)
            story.rests(app: two, group: two)
            let judgement = judge(story.history)
            #expect(judgement.kinds == (isKnown ? [] : [.lostUpdate]))
            guard !isKnown else { continue }
            let loss = try #require(judgement.anomalies.first)
            #expect(loss.evidence.culprit == 2)
            #expect(loss.evidence.culpritLane == Story.app)
            #expect(loss.lane == Story.widget)
        }
    }
}
