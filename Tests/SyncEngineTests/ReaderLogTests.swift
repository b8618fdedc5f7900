import FileSystem
import Model
import SyncEngine
import Testing

/// Which program has read or saved what; without an engine or a disk.
@Suite struct ReaderLogTests {
    private let place = inApp("a.json")
    private let before = Digest(of: Array("before".utf8))
    private let save = Digest(of: Array("save".utf8))

    /// The bridge has replaced `before` by `text`.
    private func published(_ text: String) -> ReaderLog {
        var log = ReaderLog()
        log.tracksAccess = true
        log.recordPublication(own(text), at: place, over: before, isSave: false)
        return log
    }

    private func own(_ text: String) -> OwnContent {
        OwnContent(bytes: Array(text.utf8), digest: Digest(of: Array(text.utf8)))
    }

    /// A file that this publication displaced.
    private func racer(_ text: String) -> DisplacedFile {
        var file = DisplacedFile(
            side: .app,
            document: place.path,
            place: inApp("out"),
            expected: .content(before),
            due: .zero
        )
        (file.publication, file.wasUnread) = (own(text).digest, true)
        return file
    }

    @Test func `a publication is unread until a program reads it`() {
        var log = published("new")
        #expect(log.isUnread(own("new").digest, at: place) && log.isUndecided(place))
        #expect(log.hear(.published, of: place) == .heard)
        #expect(log.hear(.opened, of: place) == .heard && log.hear(.read, of: place) == .heard)
        #expect(!log.isTracking(place))
    }

    @Test func `a save over an unread publication was based on the content before`() {
        var log = published("new")
        _ = log.hear(.published, of: place)
        _ = log.hear(.saved, of: place)
        #expect(log.lastSeen(before: save, at: place) == before)
        #expect(log.newest(at: place) == own("new").digest)
        #expect(log.isTakenInPart(save, at: place))
    }

    @Test func `the bridge knows its own publications until they are recorded`() {
        var log = published("new")
        #expect(log.own(at: place)?.bytes == Array("new".utf8))
        log.recordBase(own("new").digest, at: place, save: nil, isRemoved: false)
        #expect(log.own(at: place) == nil && log.isTracking(place))
        log.recordBase(nil, at: place, save: nil, isRemoved: true)
        #expect(!log.isTracking(place))
    }

    @Test func `a base is asked for once, and the answer marks the document dirty`() {
        var log = published("new")
        #expect(log.readiness(of: place, isUnheard: true, at: .zero) == .asked)
        #expect(log.hasUnsentQuestions && log.isAsking(about: place.path))
        log.asked(7, at: .zero)
        #expect(!log.hasUnsentQuestions && log.hasQuestions && log.questioned == [place.path])
        #expect(log.answered(6, at: .zero) == [])
        #expect(log.answered(7, at: .zero) == [place])
        #expect(!log.hasQuestions)
        // The kernel reports a change a little later than it happens.
        #expect(log.readiness(of: place, isUnheard: true, at: .zero) == .soon)
        #expect(log.isUndecided(place))
        #expect(log.readiness(of: place, isUnheard: true, at: .seconds(1)) == .soon)
        #expect(!log.isUndecided(place))
    }

    @Test func `a question without an answer in time counts as answered`() {
        var log = published("new")
        _ = log.readiness(of: place, isUnheard: true, at: .seconds(1))
        #expect(log.deadline == .seconds(5))
        #expect(log.answerOverdue(at: .milliseconds(4_999)) == [])
        #expect(log.answerOverdue(at: .seconds(5)) == [place])
        #expect(log.deadline == nil && !log.isTracking(place))
    }

    @Test func `the time for an answer begins when the question is sent`() {
        var log = published("new")
        _ = log.readiness(of: place, isUnheard: true, at: .seconds(1))
        // The turn took long.
        log.asked(1, at: .seconds(6))
        #expect(log.deadline == .seconds(10) && log.answerOverdue(at: .seconds(9)) == [])
        // Asking again does not prolong it.
        _ = log.readiness(of: place, isUnheard: true, at: .seconds(7))
        log.asked(2, at: .seconds(8))
        #expect(log.answerOverdue(at: .seconds(10)) == [place])
    }

    @Test func `lost events answer the questions beneath their directory on their side`() throws {
        let directory = try #require(RelativePath("d"))
        let beneath = inApp("d/b.json")
        var log = published("new")
        log.recordPublication(own("new"), at: beneath, over: before, isSave: false)
        for place in [place, beneath] { _ = log.readiness(of: place, isUnheard: true, at: .zero) }
        #expect(log.forget(on: .group) == [])
        #expect(log.forget(on: .app, beneath: directory) == [beneath])
        #expect(log.isTracking(place) && !log.isTracking(beneath))
        #expect(log.forget(on: .app) == [place])
    }

    @Test func `the base of a racing save is kept until it is taken`() {
        var log = published("new")
        let out = racer("new")
        #expect(log.mustAsk(aboutRacer: save, out, at: .zero) && log.hasQuestions)
        for event in [AccessEvent.saved, .published] { _ = log.hear(event, of: place) }
        #expect(log.base(ofRacer: out) == before)
        #expect(log.base(ofRacer: out) == before)
        log.forgetBase(ofRacer: out)
        #expect(log.base(ofRacer: out) == nil)
    }

    @Test func `a later save of the same program contains all of a racing one`() {
        var log = published("new")
        var out = racer("new")
        out.base = Array("older".utf8)
        _ = log.hear(.published, of: place)
        _ = log.hear(.saved, of: place)
        let later = own("later").digest
        #expect([save, before].map { log.isBased(later, on: $0, at: place) } == [false, true])
        log.recordInclusion(savedOver: out.base ?? [], at: place)
        let older = Digest(of: Array("older".utf8))
        #expect(log.lastSeen(before: later, at: place) == older)
        #expect(log.pinned(older, at: place) == Array("older".utf8))
    }

    @Test func `a program that saves the published bytes again knows them`() {
        var log = published("new")
        _ = log.hear(.published, of: place)
        _ = log.hear(.saved, of: place)
        #expect(log.recordUnchanged(before, at: place) == [] && log.isTracking(place))
        _ = log.recordUnchanged(own("new").digest, at: place)
        #expect(!log.isTracking(place))
    }
}
