import Testing

@testable import Watching

@Suite struct VigilTests {
    @Test func `who owes nothing is never asked`() {
        var vigil = Vigil()
        #expect(vigil.deadline == nil)
        #expect(vigil.verdict(at: .seconds(1_000)) == .patient)
    }

    @Test func `silence is asked about, and silence after that is the end`() {
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

    @Test func `whoever asks late waits for the answer all the same`() {
        var vigil = Vigil()
        vigil.expect(at: .zero)
        #expect(vigil.verdict(at: .seconds(100)) == .ask)
        #expect(vigil.verdict(at: .seconds(102)) == .patient)
        #expect(vigil.verdict(at: .seconds(103)) == .over)
    }

    @Test func `any word is a sign of life`() {
        var vigil = Vigil()
        vigil.expect(at: .zero)
        #expect(vigil.verdict(at: .seconds(1)) == .ask)
        vigil.heard()
        #expect(vigil.deadline == nil)
        vigil.expect(at: .seconds(3))
        #expect(vigil.verdict(at: .seconds(3.9)) == .patient)
    }
}
