import StateStore
import Testing

@Suite struct JournalErrorTests {
    private static let failure = DatabaseFailure(code: 11, message: "database disk image is malformed")

    static let errors: [(JournalError, String)] = [
        (.broken(failure), "database disk image is malformed"),
        (.noRoom(DatabaseFailure(code: 13, message: "database or disk is full")), "database or disk is full"),
        (.database(DatabaseFailure(code: 10, message: nil)), "SQLite error 10"),
        (.locked, "another process has locked it"),
        (.otherSchema(8, known: 7), "a later release wrote it (schema 8; this release has 7)"),
        (.replaced, "it was removed or replaced while the bridge was running"), (.other("why"), "why"),
    ]

    @Test(arguments: errors)
    func `Each reason why the journal cannot be used has its text`(error: JournalError, words: String) {
        #expect(error.reason == words)
    }

    @Test func `A journal of an older release is told apart from one of a later release`() {
        let reason = JournalError.otherSchema(5, known: 6).reason
        #expect(reason == "an older release wrote it (schema 5; this release has 6)")
    }

    @Test func `Each outcome has only one cause`() {
        #expect(Self.errors.map(\.0.isBroken) == [true, false, false, false, false, false, false])
        #expect(Self.errors.map(\.0.lacksRoom) == [false, true, false, false, false, false, false])
        #expect(Self.errors.map(\.0.isLocked) == [false, false, false, true, false, false, false])
    }
}
