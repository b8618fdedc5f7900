import StateStore
import SyncEngine
import Testing

/// Whether the journal is reliable; without an engine.
@Suite struct JournalBufferTests {
    private let log = FaultyJournal()
    private static let broken = JournalError.broken(DatabaseFailure(code: 11, message: "malformed"))

    private func buffer(_ profile: String? = nil, changesProfile: Bool = false) throws -> JournalBuffer {
        try JournalBuffer(log, profile: profile, changesProfile: changesProfile)
    }

    private func failing(_ failure: JournalError) throws -> JournalBuffer {
        var journal = try buffer()
        log.failure = failure
        log.failsToWrite = { _ in true }
        journal.add([.value("1", key: "one")])
        journal.write(at: .zero)
        return journal
    }

    @Test func `a journal that cannot be written is a problem once that has lasted`() throws {
        let journal = try failing(FaultyJournal.full)
        #expect(journal.trouble(at: .milliseconds(4_999)) == nil)
        #expect(journal.trouble(at: .seconds(5)) == FaultyJournal.full && journal.damage == nil)
    }

    @Test func `a damaged journal is a problem at once, until it can be written`() throws {
        var journal = try failing(Self.broken)
        #expect(journal.trouble(at: .zero) == Self.broken && journal.damage == Self.broken)
        log.failsToWrite = { _ in false }
        journal.write(at: .seconds(1))
        #expect(journal.isEmpty && journal.trouble(at: .seconds(9)) == nil && journal.damage == nil)
    }

    @Test func `a damaged base stays damaged, and an unreadable one decides nothing`() throws {
        var journal = try buffer()
        journal.remember(unreadable: FaultyJournal.full)
        #expect(journal.damage == nil)
        journal.remember(unreadable: Self.broken)
        journal.remember(unreadable: FaultyJournal.full)
        #expect(journal.damage == Self.broken && journal.trouble(at: .seconds(9)) == nil)
    }

    @Test func `a journal that was restored from an older copy gets a new name`() throws {
        var journal = try buffer()
        let before = journal.instance
        journal.renew(1)
        #expect(journal.isRenewed && journal.instance == before, "not written yet")
        journal.write(at: .zero)
        #expect(journal.instance != before)
        #expect(try !buffer().isRenewed)
    }

    @Test func `the journal has the profile's name from the first base`() throws {
        _ = try buffer("one")
        var journal = try buffer("two")
        journal.rememberStart()
        journal.write(at: .zero)
        let attempts = log.attempts
        journal.rememberStart()
        #expect(journal.isEmpty && log.attempts == attempts)
        #expect(throws: EngineError.otherProfile(known: "two", named: "one")) { _ = try self.buffer("one") }
        #expect(throws: EngineError.otherProfile(known: "two", named: "")) { _ = try self.buffer() }
    }

    @Test func `signatures of another boot are not trusted until the journal has the new one`() throws {
        func buffer(_ boot: String) throws -> JournalBuffer {
            try JournalBuffer(log, profile: nil, boot: boot, changesProfile: false)
        }
        var journal = try buffer("1")
        #expect(journal.isOfOtherBoot)
        journal.rememberStart()
        #expect(try !journal.isOfOtherBoot && buffer("1").isOfOtherBoot, "not written yet")
        journal.write(at: .zero)
        #expect(try !buffer("1").isOfOtherBoot && buffer("2").isOfOtherBoot)
        #expect(try !buffer("").isOfOtherBoot, "unknown")
    }

    @Test func `a profile is changed only on purpose`() throws {
        for name in ["one", "two"] {
            var journal = try buffer(name, changesProfile: true)
            journal.rememberStart()
            journal.write(at: .zero)
        }
        #expect(try buffer("two").isEmpty)
    }
}
