import Reconciliation
import Testing

@Suite("An alarming loss")
struct AlarmTests {
    @Test(arguments: [(2, 2), (3, 3), (6, 10), (10, 10), (5_001, 10_000)])
    func isAllOfTwoOrMoreThanHalfOfTen(lost: Int, known: Int) {
        #expect(isAlarming(lost: lost, of: known))
    }

    @Test(arguments: [(0, 0), (0, 2), (1, 1), (1, 2), (8, 9), (5, 10), (5_000, 10_000)])
    func isNothingLess(lost: Int, known: Int) {
        #expect(!isAlarming(lost: lost, of: known))
    }
}
