import FileSystem
import Model
import SyncEngine
import Testing

/// What waiting callers wait for; without an engine.
@Suite struct BarriersTests {
    private let document = inApp("a.json").path
    private let displaced = inApp("out")

    private func begun() -> Barriers {
        var barriers = Barriers()
        barriers.begin(1, over: [document], [displaced])
        return barriers
    }

    /// As if everything were still dirty.
    private func hasPassed(_ barriers: Barriers, _ number: UInt64 = 1, unexamined: [Location] = []) -> Bool {
        barriers.hasPassed(number, unexamined: unexamined) { _ in true }
    }

    @Test func `a barrier passes once its documents were read and its files examined`() {
        var barriers = begun()
        #expect(!hasPassed(barriers))
        barriers.pass(document)
        #expect(hasPassed(barriers) && !hasPassed(barriers, unexamined: [displaced]))
    }

    @Test func `a document that is waited for is not checked again`() {
        #expect(begun().hasPassed(1, unexamined: []) { _ in false })
    }

    @Test func `later changes are not waited for`() {
        var barriers = begun()
        barriers.pass(document)
        #expect(hasPassed(barriers, unexamined: [inApp("later")]))
        barriers.hold(for: inApp("later"), of: document)
        #expect(hasPassed(barriers))
    }

    @Test func `a save in a displaced file has to be synced first`() {
        var barriers = begun()
        barriers.pass(document)
        barriers.hold(for: displaced, of: document)
        #expect(!hasPassed(barriers))
        barriers.pass(document)
        #expect(hasPassed(barriers))
    }

    @Test func `each barrier passes by itself, and an ended one never does`() {
        var barriers = begun()
        barriers.begin(2, over: [inApp("b.json").path], [])
        barriers.pass(document)
        #expect(hasPassed(barriers, 1) && !hasPassed(barriers, 2))
        barriers.end(1)
        #expect(!hasPassed(barriers, 1))
    }
}
