import Documents
import FileSystem
import Model
import StateStore
import SyncEngine
import Testing

/// When missing documents count as deleted, and when they halt the bridge; without a disk.
@Suite final class LossGuardTests {
    private var lossGuard = LossGuard()
    private var now = Duration.zero

    /// Checks one document of the base; `absent`: the sides where it is missing.
    @discardableResult
    private func look(_ name: String, absent: [Side], among documents: Int = 3) -> FollowUp {
        lossGuard.record(absencesIn: input(name, absent: absent), among: documents, at: now)
    }

    private func lose(_ names: [String], among documents: Int = 3) {
        for name in names { look(name, absent: [.app], among: documents) }
    }

    private func halt() -> FollowUp? { lossGuard.halt(forLossOn: .app, among: 3) }

    private func isAlarmed(at now: Duration) -> Bool { lossGuard.isAlarmed(at: now, among: 3) }

    private func counts(_ next: FollowUp?) -> [String] {
        (next?.entries ?? []).compactMap {
            if case .value(let text, LossCounts.key) = $0 { text } else { nil }
        }
    }

    @Test func `some of few documents may be deleted, but not all`() {
        lose(["a", "b"])
        #expect(halt() == nil && lossGuard.halt == nil)
        lose(["c"])
        #expect(halt()?.wantsScan == false)
        #expect(lossGuard.halt == Halt(side: .app, reason: .lostAll(3)))
        #expect(lossGuard.halt(forLossOn: .group, among: 3) == nil)
    }

    @Test(arguments: [true, false])
    func `the last document may be deleted unless it is guarded`(isGuarded: Bool) {
        lossGuard = LossGuard(LossCounts(text: ""), LossThreshold(all: isGuarded ? 1 : 2))
        lose(["a"], among: 1)
        #expect((lossGuard.alarm(of: .app, among: 1) != nil) == isGuarded)
    }

    @Test func `a document missing on both sides was deleted`() {
        for name in ["a", "b", "c"] { look(name, absent: [.app, .group]) }
        #expect(lossGuard.alarm(of: .app, among: 3) == nil && lossGuard.alarm(of: .group, among: 3) == nil)
    }

    @Test func `a document that is back ends the halt, and everything is checked again`() {
        lose(["a", "b", "c"])
        #expect(halt() != nil)
        lossGuard.keepBack(path("d"), differs: true)
        #expect(lossGuard.heldBack == [path("d")] && lossGuard.lostSide(of: path("a")) == .app)
        #expect(look("a", absent: []).wantsScan)
        #expect(lossGuard.halt == nil && lossGuard.heldBack.isEmpty)
        #expect(lossGuard.lostSide(of: path("b")) == nil && lossGuard.isMissing(path("b"), on: .app))
    }

    @Test func `a held document is not missing, and what waited for it is checked`() throws {
        lose(["a", "b", "c"])
        let newDocument = try input("n", holding: "a")
        guard case .moved = lossGuard.record(newDocumentIn: newDocument, among: 3) else {
            Issue.record("it was moved")
            return
        }
        #expect(halt() == nil, "what was moved is not lost")
        #expect(lossGuard.origin(of: path("n"), on: .app) == path("a"))
        let next = lossGuard.suspend(
            absencesIn: input("a", absent: [.app]),
            heldOn: .app,
            among: 3,
            at: .zero
        )
        #expect(next.documents == [path("n")] && !lossGuard.isMissing(path("a"), on: .app))
    }

    @Test func `a document that is held on one side is lost if it is missing on the other`() throws {
        lose(["a", "b"])
        let held = input("c", absent: [.app])
        _ = lossGuard.suspend(absencesIn: held, heldOn: .group, among: 3, at: .zero)
        #expect(lossGuard.isMissing(path("c"), on: .app))
        #expect(lossGuard.alarm(of: .app, among: 3)?.reason == .lostAll(3))
        _ = lossGuard.pass(to: .seconds(10))
        #expect(lossGuard.isMissing(path("c"), on: .app))
        #expect(lossGuard.lost(on: .app) == [path("a"), path("b")], "it is no part of a later deletion")
        _ = lossGuard.suspend(absencesIn: held, heldOn: .app, among: 3, at: .zero)
        #expect(!lossGuard.isMissing(path("c"), on: .app))
    }

    @Test func `an unknown name is asked for, and is a move once the old name is gone`() throws {
        let newDocument = try input("n", holding: "a")
        guard case .unexplained(.app, let digest)? = lossGuard.record(newDocumentIn: newDocument, among: 3)
        else {
            Issue.record("nothing was missing")
            return
        }
        lossGuard.lose(path("a"), holding: digest, on: .app)
        #expect(lossGuard.target(of: path("a"), on: .app) == path("n"))
        lossGuard.copy(path("n"), on: .app)
        #expect(lossGuard.origin(of: path("n"), on: .app) == nil)
        lossGuard.settle(path("a"))
        #expect(!lossGuard.isMissing(path("a"), on: .app))
    }

    @Test func `new documents do not make the missing share smaller, and the journal records them`() {
        lose(["a", "b", "c"])
        #expect(counts(lossGuard.record(arrivalOf: path("n"), isMoved: false)) == ["1"])
        #expect(counts(lossGuard.record(arrivalOf: path("m"), isMoved: true)) == [])
        #expect(lossGuard.alarm(of: .app, among: 4)?.reason == .lostAll(3))
        #expect(counts(lossGuard.forgetArrivals()) == [], "some are missing")
        look("a", absent: [])
        look("b", absent: [])
        #expect(counts(look("c", absent: [])) == ["0"])
    }

    @Test func `recent deletions count for ten seconds, and in the next run`() throws {
        let gone = (0..<6).map { "d\($0)" }
        lose(gone, among: 20)
        for name in gone {
            lossGuard.record(deletionOf: path(name), goneFrom: [.app], at: .seconds(1))
            lossGuard.settle(path(name))
        }
        lose((6..<11).map { "d\($0)" }, among: 14)
        #expect(lossGuard.isMassive(among: 14))
        let next = lossGuard.halt(forLossOn: .app, among: 14)
        #expect(lossGuard.halt == Halt(side: .app, reason: .lost(11, of: 20, crossed: 6)))
        let text = try #require(counts(next).first)
        #expect(text == "0 6 0")
        #expect(counts(lossGuard.pass(to: .seconds(60))) == [], "a halt keeps what it was made for")

        lossGuard = LossGuard(LossCounts(text: text))
        lose((6..<11).map { "d\($0)" }, among: 14)
        #expect(lossGuard.alarm(of: .app, among: 14)?.reason == .lost(11, of: 20, crossed: 6))
        #expect(counts(lossGuard.pass(to: .zero)) == [])
        #expect(counts(lossGuard.pass(to: .seconds(11))) == ["0"])
        #expect(lossGuard.alarm(of: .app, among: 14) == nil)
    }

    @Test func `a document that is deleted again and again counts once, and not once it is back`() throws {
        for second in 1...9 {
            lose(["a"], among: 12)
            lossGuard.record(deletionOf: path("a"), goneFrom: [.app], at: .seconds(second))
            lossGuard.settle(path("a"))
        }
        lose((0..<6).map { "d\($0)" }, among: 14)
        #expect(lossGuard.alarm(of: .app, among: 14) == nil, "seven of fifteen")
        #expect(lossGuard.alarm(of: .app, among: 12)?.reason == .lost(7, of: 13, crossed: 1))
        _ = lossGuard.record(absencesIn: try input("a", holding: "new"), among: 12, at: now)
        #expect(lossGuard.alarm(of: .app, among: 12) == nil)
    }

    @Test func `a halt ends when what was deleted before it is back`() throws {
        lose(["x"], among: 11)
        lossGuard.record(deletionOf: path("x"), goneFrom: [.app], at: now)
        lossGuard.settle(path("x"))
        lose((0..<5).map { "d\($0)" }, among: 10)
        #expect(lossGuard.halt(forLossOn: .app, among: 10) != nil)
        let next = lossGuard.record(absencesIn: try input("x", holding: "new"), among: 10, at: now)
        #expect(next.wantsScan && lossGuard.halt == nil)
    }

    @Test func `a document renamed over another one is not lost, whichever is seen first`() throws {
        lose(["a", "b", "c"])
        #expect(halt() != nil)
        let next = lossGuard.record(absencesIn: try saved("d", holding: "a"), among: 4, at: now)
        #expect(
            next.wantsScan && lossGuard.halt == nil && lossGuard.lost(on: .app) == [path("b"), path("c")]
        )
        #expect(lossGuard.isKept(digest("a"), of: path("a"), on: .app))
        #expect(!lossGuard.isKept(digest("b"), of: path("b"), on: .app))

        _ = lossGuard.record(absencesIn: try saved("e", holding: "f"), among: 6, at: now)
        lose(["f"], among: 6)
        #expect(lossGuard.lost(on: .app) == [path("b"), path("c")])
        lossGuard.record(deletionOf: path("f"), goneFrom: [.app], at: now)
        #expect(!lossGuard.isMassive(among: 2))
    }

    @Test func `one document that got their content does not excuse the loss of several`() throws {
        let same = input(holding: "same")
        for name in ["a", "b", "c"] { _ = lossGuard.record(absencesIn: same(name), among: 4, at: now) }
        _ = lossGuard.record(absencesIn: try saved("d", holding: "same"), among: 4, at: now)
        for name in ["a", "b", "c"] { _ = lossGuard.record(absencesIn: same(name), among: 4, at: now) }
        #expect(lossGuard.lost(on: .app).count == 2)
        let kept = ["a", "b", "c"].filter { lossGuard.isKept(digest("same"), of: path($0), on: .app) }
        #expect(kept.count == 1)
    }

    @Test func `a content that the other document lost again, or had for long, is no excuse`() throws {
        _ = lossGuard.record(absencesIn: try saved("d", holding: "a"), among: 5, at: now)
        _ = lossGuard.record(absencesIn: try saved("d", holding: "z"), among: 5, at: now)
        _ = lossGuard.record(absencesIn: try saved("e", holding: "b"), among: 5, at: now)
        _ = lossGuard.pass(to: .seconds(10))
        now = .seconds(10)
        lose(["a", "b"], among: 5)
        #expect(lossGuard.lost(on: .app) == [path("a"), path("b")])
    }

    @Test func `what was created less than a second ago counts for no halt`() {
        for name in ["a", "b"] { lossGuard.record(created: path(name), at: now) }
        now = .milliseconds(900)
        lose(["a", "c"])
        #expect(lossGuard.lost(on: .app) == [path("c")] && lossGuard.isMissing(path("a"), on: .app))
        now = .seconds(1)
        lose(["b"])
        #expect(lossGuard.lost(on: .app) == [path("b"), path("c")])
    }

    @Test func `nothing else is synced while much is missing, but not forever`() {
        #expect(!isAlarmed(at: .zero))
        lose(["a", "b", "c"])
        #expect(isAlarmed(at: .seconds(1)))
        #expect(isAlarmed(at: .seconds(2)))
        #expect(!isAlarmed(at: .seconds(4)))
    }

    @Test func `a person allows the current loss, and no later one`() {
        #expect(lossGuard.permit == nil && !lossGuard.allowDeletions(among: 3).wantsScan)
        lose(["a", "b", "c"])
        _ = halt()
        let permit = lossGuard.permit
        #expect(permit != nil && lossGuard.lost(on: .app) == ["a", "b", "c"].map { path($0) })
        #expect(lossGuard.allowDeletions(among: 3).wantsScan)
        #expect(lossGuard.halt == nil && lossGuard.permit == nil)
        lose(["a", "b", "c"])
        #expect(lossGuard.alarm(of: .app, among: 3) == nil)
        lose(["d", "e", "f"], among: 3)
        _ = halt()
        #expect(lossGuard.permit != permit)
    }

    @Test func `a missing container halts the bridge until it is back, whatever else is missing`() {
        lossGuard.stop(for: Halt(side: .app, reason: .gone))
        #expect(lossGuard.permit == nil)
        lose(["a", "b", "c"])
        lossGuard.record(reached: .group)
        #expect(look("x", absent: []).wantsScan == false && lossGuard.halt?.reason == .gone)
        lossGuard.record(reached: .app)
        #expect(lossGuard.halt == nil)
    }

    @Test func `documents missing from a directory that a person accepted are not lost`() {
        lossGuard.stop(for: Halt(side: .app, reason: .replaced(by: "1 2 ")))
        #expect(lossGuard.permit != nil)
        _ = lossGuard.record(missing: ["a", "b", "c"].map { (path($0), .app, digest($0)) })
        lossGuard.accept(.app, without: ["a", "b", "c"].map { path($0) })
        #expect(lossGuard.halt == nil && lossGuard.lost(on: .app).isEmpty)
    }

    @Test func `a dry run reports what would halt the bridge, which can be passed on`() {
        lose(["a", "b", "c"])
        lossGuard.foresee(among: 3)
        #expect(lossGuard.halt != nil)
        var other = LossGuard()
        other.take(from: lossGuard)
        #expect(other.permit != nil && other.permit == lossGuard.permit)
    }
}

private func path(_ name: String) -> RelativePath { inApp(name).path }

private func digest(_ name: String) -> Digest { Digest(of: Array("\"\(name)\"".utf8)) }

private let signature = Signature(device: 1, inode: 1, size: 1, modified: 1, changed: 1)

/// A document whose base is its name.
private func input(_ name: String, absent: [Side]) -> PlanInput {
    let side = SideRecord(digest: digest(name), signature: nil, version: nil)
    return input(name, DocumentRecord(generation: 1, sides: BothSides(app: side, group: side))) {
        absent.contains($0) ? .absent : .unchanged(signature)
    }
}

/// A new document that the app alone has.
private func input(_ name: String, holding text: String) throws -> PlanInput {
    let snapshot = try snapshot(text)
    return input(name, nil) { $0 == .app ? .content(snapshot) : .absent }
}

/// Documents with one base, which are missing in the app's container.
private func input(holding text: String) -> (String) -> PlanInput {
    let side = SideRecord(digest: digest(text), signature: nil, version: nil)
    let record = DocumentRecord(generation: 1, sides: BothSides(app: side, group: side))
    return { input($0, record) { $0 == .app ? .absent : .unchanged(signature) } }
}

/// A document whose base is its name, and which the app saved with another content.
private func saved(_ name: String, holding text: String) throws -> PlanInput {
    let side = SideRecord(digest: digest(name), signature: nil, version: nil)
    let snapshot = try snapshot(text)
    return input(name, DocumentRecord(generation: 1, sides: BothSides(app: side, group: side))) {
        $0 == .app ? .content(snapshot) : .unchanged(signature)
    }
}

private func snapshot(_ text: String) throws -> DocumentSnapshot {
    let json = try JSON(parsing: Array("\"\(text)\"".utf8))
    return DocumentSnapshot(
        json: json,
        bytes: json.bytes,
        digest: digest(text),
        signature: signature,
        version: nil
    )
}

private func input(_ name: String, _ record: DocumentRecord?, _ seen: (Side) -> Observation) -> PlanInput {
    PlanInput(
        document: path(name),
        rule: .plain(path: name),
        record: record,
        observed: BothSides(seen),
        pinned: BothSides(app: nil, group: nil),
        limits: JSONLimits()
    )
}
