import Model
import Testing

@Suite("An alarming loss")
struct MassDeletionTests {
    @Test(arguments: [(2, 2), (3, 3), (6, 10), (10, 10), (5_001, 10_000)])
    func isAllOfTwoOrMoreThanHalfOfTen(lost: Int, known: Int) {
        #expect(isMassDeletion(lost: lost, of: known))
    }

    @Test(arguments: [(1, 5, 5), (26, 94, 45), (4_000, 4_299, 3_701)])
    func countsWithItWhatWasDeletedAMomentAgo(lost: Int, known: Int, deleted: Int) {
        #expect(isMassDeletion(lost: lost, of: known, deleted: deleted))
    }

    @Test(arguments: [(0, 5, 6), (1, 1, 1), (1, 6, 4), (5, 95, 45)])
    func isNoDeletionOfFewOrOfLess(lost: Int, known: Int, deleted: Int) {
        #expect(!isMassDeletion(lost: lost, of: known, deleted: deleted))
    }

    @Test(arguments: [(0, 0), (0, 2), (1, 1), (1, 2), (8, 9), (5, 10), (5_000, 10_000)])
    func isNothingLess(lost: Int, known: Int) {
        #expect(!isMassDeletion(lost: lost, of: known))
    }
}
