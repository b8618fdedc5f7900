import Documents
import Model
import Testing

@testable import RaceLab

/// What two containers held, step by step, as an observer would have seen it.
struct Sight {
    private(set) var observed = ObservedHistory()
    private var now = Duration.zero
    let path: RelativePath

    /// Both sides in sync, or one document that is nowhere yet.
    init(_ start: String? = nil, app: Bool? = true, group: Bool? = true) throws {
        path = try #require(RelativePath("a.json"))
        observed.begin(path, BothSides { _ in start.map { Array($0.utf8) } })
        observed.evidence.programs.app.isThere = app
        observed.evidence.programs.group.isThere = group
    }

    /// `nil`: the document is gone.
    mutating func sees(
        _ side: Side,
        _ text: String?,
        isUnfinished: Bool? = false,
        isRenamed: Bool = false,
        isDeleted: Bool = false,
        isMoved: Bool = false,
        isOfWaiting: Bool = false,
        after: Duration = .milliseconds(10)
    ) {
        now += after
        let bytes = text.map { Array($0.utf8) }
        observed.saw(
            path,
            side,
            bytes,
            isUnfinished: isUnfinished,
            isRenamed: isRenamed,
            isDeleted: isDeleted,
            isMoved: isMoved,
            isOfWaiting: isOfWaiting,
            at: now
        )
    }

    /// Another file with the same content takes the document's name.
    mutating func seesAgain(_ side: Side, isOfWaiting: Bool = false) {
        now += .milliseconds(10)
        observed.rewrote(path, side, isOfWaiting: isOfWaiting, at: now)
    }

    /// A content came and went.
    mutating func misses(_ side: Side) {
        let (document, before) = (observed.number(of: path), now + .milliseconds(1))
        let missed = Evidence.Missed(document, side, after: now, before: before, isOfBridge: false)
        observed.evidence.missed.append(missed)
    }

    mutating func waits(_ time: Duration) { now += time }

    /// Somebody writes into a file whose name another one has taken.
    mutating func writesReplaced(_ side: Side) { observed.wroteReplaced(path, side) }

    mutating func hears(_ side: Side, _ verb: String, _ text: String?) {
        let hash = text.map { Digest(of: Array($0.utf8)).description } ?? "none"
        if let line = LabLine("\(verb) a.json \(hash)") { observed.heard(line, from: side, at: now) }
    }

    mutating func shows(_ side: Side) { observed.heard(.shown("what it has"), from: side, at: now) }

    /// The program of that side saves, and says so.
    mutating func saves(_ side: Side, _ text: String?) {
        sees(side, text)
        hears(side, "saved", text)
    }

    /// A subscriber is there.
    mutating func listens() { observed.listens(at: now) }

    /// A notice that says when it was sent, in milliseconds of some second.
    mutating func isTold(sentAt time: Duration) {
        let milliseconds = UTCTime.text(Int64(time / .milliseconds(1)))
        let line = ReloadLine(#"{"document": "\#(path)", "at": "\#(milliseconds)"}"#)
        if let line { observed.addNotice(line, at: now) }
    }

    /// A notice that tells no content; the lab last looked for one that long ago.
    mutating func isTold(sinceLastLook time: Duration) {
        let line = ReloadLine(#"{"document": "\#(path)"}"#)
        if let line { observed.addNotice(line, since: now - time, at: now) }
    }

    /// The lab kept the bridge waiting for the last time of this length.
    mutating func keepsBridge(for time: Duration) { observed.evidence.bridgeTime.waited(time, by: now) }

    mutating func ends(_ side: Side, hasFailed: Bool = false) {
        observed.evidence.programs[side].over = now
        observed.evidence.programs[side].hasFailed = hasFailed
    }

    /// The program of that side tells `done`, and goes on.
    mutating func isDone(_ side: Side) {
        observed.heard(.done, from: side, at: now)
        ends(side)
    }

    /// None of its processes is left.
    mutating func leaves(_ side: Side) { observed.evidence.programs[side].gone = now }

    mutating func seesCalls() { observed.evidence.seesCalls = true }

    /// The lab kept the program of that side waiting for the last time of this length.
    mutating func keeps(_ side: Side, for time: Duration) {
        observed.evidence.programs[side].time.waited(time, by: now)
    }

    /// A system call of the program of that side reads the document.
    ///
    /// - Parameter process: the number of its process and those of its ancestors.
    mutating func fetches(_ side: Side, by process: [Int32] = [1]) { calls(side, .read, by: process) }

    /// A system call of the widget that reads this file.
    static func reading(_ file: String) -> LabAct {
        .called(GatedStep(lane: RaceLane(.widget), call: GatedCall(.read, [file])), isOrdered: true)
    }

    /// One changes it, or has another kind.
    mutating func calls(_ side: Side, _ kind: GatedCall.Kind = .write, by process: [Int32] = [1]) {
        calls(side == .app ? .app : .widget, kind, at: side, by: process)
    }

    mutating func calls(
        _ player: RacePlayer,
        _ kind: GatedCall.Kind,
        at side: Side,
        by process: [Int32] = [1],
        thread: Int32 = 0,
        lane: Int = 0,
        isOfReplaced: Bool = false,
        offset: Int? = nil,
        count: Int? = nil,
        link: String? = nil,
        file other: String? = nil
    ) {
        let file = other ?? "\(side.rawValue)/\(path)"
        var call = GatedCall(kind, [link ?? file], isOfReplaced: isOfReplaced, offset: offset)
        call.count = count
        if link != nil { call.links = [file] }
        let process = RacedProcess(process)
        let step = GatedStep(lane: RaceLane(player, lane), call: call, process: process, thread: thread)
        observed.record(.called(step, isOrdered: true), at: now)
    }

    mutating func judged(isAtRest: Bool = true) -> JudgedObservation {
        var history = observed
        let finished = history.finish(isAtRest: isAtRest, hasProfile: false) { _ in nil }
        return JudgedObservation(finished, history.evidence, patience: .seconds(2)) { _, one, other in
            whyUnequal(BothSides(app: one, group: other), finished.versions, nil) == nil
        }
    }
}
