import Testing

@testable import Watching

@Suite struct VigilTests {
    @Test func `a helper without a pending request is never probed`() {
        var vigil = Vigil()
        #expect(vigil.deadline == nil)
        #expect(vigil.verdict(at: .seconds(1_000)) == .patient)
    }

    @Test func `silence leads to a probe, and silence after that to a restart`() {
        var vigil = Vigil()
        vigil.expect(at: .seconds(10))
        vigil.expect(at: .seconds(10.9))
        #expect(vigil.verdict(at: .seconds(10.9)) == .patient)
        #expect(vigil.deadline == .seconds(11))
        #expect(vigil.verdict(at: .seconds(11)) == .ask)
        #expect(vigil.deadline == .seconds(14))
        #expect(vigil.verdict(at: .seconds(13.9)) == .patient)
        #expect(vigil.verdict(at: .seconds(14)) == .over)
    }

    @Test func `a late request waits for the answer as well`() {
        var vigil = Vigil()
        vigil.expect(at: .zero)
        #expect(vigil.verdict(at: .seconds(100)) == .ask)
        #expect(vigil.verdict(at: .seconds(102)) == .patient)
        #expect(vigil.verdict(at: .seconds(103)) == .over)
    }

    @Test func `any line is a sign of life`() {
        var vigil = Vigil()
        vigil.expect(at: .zero)
        #expect(vigil.verdict(at: .seconds(1)) == .ask)
        vigil.heard()
        #expect(vigil.deadline == nil)
        vigil.expect(at: .seconds(3))
        #expect(vigil.verdict(at: .seconds(3.9)) == .patient)
    }
}
