import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// What is known of the programs that save; without an engine or a disk.
@Suite struct WritersTests {
    private let place = inApp("a.json")

    /// `b` was agreed and has replaced `a`.
    private func published(isExchanged: Bool = true) -> Writers {
        var writers = Writers()
        writers.readerLog.tracksAccess = true
        let again = writers.recordPublication(
            OwnContent(bytes: Letter.b.plain.bytes, digest: Letter.b.plain.digest),
            at: place,
            over: Letter.a.plain.digest,
            isSave: false,
            isExchanged: isExchanged
        )
        #expect(again.isEmpty)
        return writers
    }

    private func input(holding text: Text = Letter.c.plain) throws -> PlanInput {
        var situation = Situation(rule: Rules.plain)
        situation.agree(newest: Letter.b.plain, app: Letter.b.plain, group: Letter.b.plain)
        (situation.app, situation.group) = (text, Letter.b.plain)
        return try situation.input()
    }

    private func unheard() throws -> PlanInput {
        var input = try input()
        input.observed.app = .problem(.unheard)
        return input
    }

    /// Only `a` is kept.
    private func known(to writers: Writers) throws -> [UInt8]? {
        let known = try writers.known(to: .app, in: input()) { digest, _ throws(FileError) -> [UInt8]? in
            digest == Letter.a.plain.digest ? Letter.a.plain.bytes : nil
        }
        return known?.bytes
    }

    private func waiting() -> DisplacedFile {
        DisplacedFile(
            side: .app,
            document: place.path,
            place: inApp("out"),
            expected: .content(Letter.a.plain.digest),
            base: Letter.a.plain.bytes,
            due: .seconds(9)
        )
    }

    @Test func `a save over an unread publication is based on what its program had read`() throws {
        var writers = published()
        for event in [AccessEvent.published, .saved] { #expect(writers.hear(event, of: place).isEmpty) }
        #expect(try known(to: writers) == Letter.a.plain.bytes)
    }

    @Test func `a save after reading it is based on it`() throws {
        var writers = published()
        for event in [AccessEvent.published, .opened, .read, .saved] { _ = writers.hear(event, of: place) }
        #expect(try known(to: writers) == nil)
    }

    @Test func `a file that replaced it by a rename counts as read`() throws {
        var writers = published(isExchanged: false)
        _ = writers.hear(.saved, of: place)
        #expect(try known(to: writers) == nil && writers.readerLog.isEmpty)
    }

    @Test func `an event has only the saves examined that wait for it`() {
        var writers = published()
        var file = waiting()
        writers.displacedFiles.add(file)
        _ = writers.hear(.published, of: place)
        #expect(writers.deadline == .seconds(9))
        file.blockedSince = .zero
        writers.displacedFiles.add(file)
        _ = writers.hear(.opened, of: place)
        #expect(writers.deadline == .zero)
    }

    @Test func `a change waits until its base is known, or cannot be determined any more`() throws {
        var writers = published()
        writers.displacedFiles.add(waiting())
        let unheard = try unheard()
        #expect(writers.readiness(of: unheard, at: .zero) == .asked)
        #expect(writers.forgetReaders(on: .group, beneath: nil).isEmpty)
        #expect(writers.forgetReaders(on: .app, beneath: nil) == [place.path])
        #expect(writers.deadline == .zero, "the save that came out there can be decided, too")
        var deaf = Writers()
        #expect(deaf.readiness(of: unheard, at: .zero) == .ready)
    }

    @Test func `the end of the event queue decides, after a moment`() throws {
        var writers = published()
        let unheard = try unheard()
        #expect(writers.readiness(of: unheard, at: .zero) == .asked)
        writers.readerLog.asked(1, at: .zero)
        #expect(writers.answered(1, at: .zero) == [place.path])
        #expect(writers.readiness(of: unheard, at: .zero) == .soon)
    }

    @Test func `a program's later saves are merged with its displaced save while that waits`() throws {
        var writers = Writers()
        let (a, b, c) = (Letter.a.plain, Letter.b.plain, Letter.c.plain)
        _ = writers.recordPublication(
            OwnContent(bytes: b.bytes, digest: b.digest),
            at: place,
            over: a.digest,
            isSave: false,
            isExchanged: true
        )
        let file = waiting()
        writers.displacedFiles.add(file)
        writers.recordLaterSaves(in: try input())
        #expect(writers.ownSaves.saves(at: place, before: []).map(\.bytes) == [c.bytes])
        writers.forgetSaves()
        #expect(!writers.ownSaves.isEmpty)
        _ = writers.displacedFiles.takeDue(at: .seconds(9))
        writers.forgetSaves()
        #expect(writers.ownSaves.isEmpty)
    }
}
