import Model
import Testing

@Suite struct LossThresholdTests {
    private let standard = LossThreshold()

    @Test(arguments: [(2, 2), (3, 3), (6, 10), (10, 10), (5_001, 10_000)])
    func `Losing all of two, or more than half of ten, exceeds the threshold`(lost: Int, known: Int) {
        #expect(standard.isExceeded(lost: lost, of: known))
    }

    @Test(arguments: [(1, 5, 5), (26, 94, 45), (4_000, 4_299, 3_701)])
    func `Recent deletions count`(lost: Int, known: Int, deleted: Int) {
        #expect(standard.isExceeded(lost: lost, of: known, deleted: deleted))
    }

    @Test(arguments: [(0, 5, 6), (1, 1, 1), (1, 6, 4), (5, 95, 45)])
    func `Deletions of a few, or of less than half, may go on`(lost: Int, known: Int, deleted: Int) {
        #expect(!standard.isExceeded(lost: lost, of: known, deleted: deleted))
    }

    @Test(arguments: [(0, 0), (0, 2), (1, 1), (1, 2), (8, 9), (5, 10), (5_000, 10_000)])
    func `Smaller losses do not exceed the threshold`(lost: Int, known: Int) {
        #expect(!standard.isExceeded(lost: lost, of: known))
    }

    @Test func `The percentage can be set`() {
        let cautious = LossThreshold(percent: 20)
        #expect(cautious.isExceeded(lost: 3, of: 10) && !cautious.isExceeded(lost: 2, of: 10))
        #expect(cautious.isExceeded(lost: 1, of: 8, deleted: 2))
        let bold = LossThreshold(percent: 100)
        #expect(!bold.isExceeded(lost: 99, of: 100) && bold.isExceeded(lost: 100, of: 100))
    }

    @Test func `Approaching a low percentage is detected`() {
        #expect(LossThreshold(percent: 1).isNear(lost: 10, of: 1_000))
        #expect(!standard.isNear(lost: 10, of: 1_000) && standard.isNear(lost: 100, of: 1_000))
    }

    @Test func `The last document is guarded if one is enough`() {
        #expect(LossThreshold(all: 1).isExceeded(lost: 1, of: 1))
    }
}
