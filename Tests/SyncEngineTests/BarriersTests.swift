import FileSystem
import Model
import SyncEngine
import Testing

/// What those wait for who asked to be told that all is in sync, without an engine.
@Suite struct BarriersTests {
    private let document = inApp("a.json").path
    private let displaced = inApp("out")

    private func begun() -> Barriers {
        var barriers = Barriers()
        barriers.begin(1, over: [document], [displaced])
        return barriers
    }

    /// As if everything were still waiting.
    private func hasPassed(_ barriers: Barriers, _ number: UInt64 = 1, unexamined: [Location] = []) -> Bool {
        barriers.hasPassed(number, unexamined: unexamined) { _ in true }
    }

    @Test func `it has passed once its documents were looked at and its files examined`() {
        var barriers = begun()
        #expect(!hasPassed(barriers))
        barriers.pass(document)
        #expect(hasPassed(barriers) && !hasPassed(barriers, unexamined: [displaced]))
    }

    @Test func `what is waiting no more needs no look`() {
        #expect(begun().hasPassed(1, unexamined: []) { _ in false })
    }

    @Test func `what comes later is not waited for`() {
        var barriers = begun()
        barriers.pass(document)
        #expect(hasPassed(barriers, unexamined: [inApp("later")]))
        barriers.hold(for: inApp("later"), of: document)
        #expect(hasPassed(barriers))
    }

    @Test func `a save that a displaced file held has to cross first`() {
        var barriers = begun()
        barriers.pass(document)
        barriers.hold(for: displaced, of: document)
        #expect(!hasPassed(barriers))
        barriers.pass(document)
        #expect(hasPassed(barriers))
    }

    @Test func `each passes by itself, and one that ended never does`() {
        var barriers = begun()
        barriers.begin(2, over: [inApp("b.json").path], [])
        barriers.pass(document)
        #expect(hasPassed(barriers, 1) && !hasPassed(barriers, 2))
        barriers.end(1)
        #expect(!hasPassed(barriers, 1))
    }
}
