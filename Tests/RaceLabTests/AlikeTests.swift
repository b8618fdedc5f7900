import Model
import Testing

@testable import RaceLab

@Suite("The same saved twice")
struct AlikeTests {
    private static let start = #"{"n":0,"m":0,"s":"a"}"#
    private static let one = #"{"n":1,"m":0,"s":"a"}"#

    @Test("a number that both sides change alike may be a step of a counter lost")
    func counter() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.one)
        sight.sees(.group, Self.one)
        // The bridge may have brought it.
        #expect(sight.judged().doubts == [] && sight.judged().skipped[.lostUpdate] == .countsUnseen)
        sight = try Sight(Self.start)
        sight.ends(.group)
        sight.sees(.app, Self.one)
        sight.sees(.group, Self.one)
        #expect(sight.judged().skipped[.lostUpdate] == nil)
        sight = try Sight(Self.start)
        sight.sees(.app, Self.one)
        sight.sees(.group, #"{"n":1,"m":5,"s":"a"}"#)
        sight.sees(.app, #"{"n":1,"m":5,"s":"a"}"#)
        let judged = sight.judged()
        guard case .countedAlike(_, place: "/n", _, _)? = judged.doubts.first else {
            Issue.record("\(judged.doubts)")
            return
        }
        #expect(judged.skipped[.lostUpdate] == .undecided && judged.judgement.anomalies == [])
    }

    @Test("a word, another number, or one that the program had read is no such step")
    func others() throws {
        for (app, group) in [
            (#"{"n":0,"m":0,"s":"b"}"#, #"{"n":0,"m":1,"s":"b"}"#), (Self.one, #"{"n":2,"m":5,"s":"a"}"#),
        ] {
            var sight = try Sight(Self.start)
            sight.sees(.app, app)
            sight.sees(.group, group)
            sight.ends(.app)
            let doubts = sight.judged().doubts
            #expect(!doubts.contains { if case .countedAlike = $0 { true } else { false } }, "\(doubts)")
        }
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.one)
        sight.hears(.group, "read", Self.one)
        sight.sees(.group, #"{"n":1,"m":5,"s":"a"}"#)
        sight.sees(.app, #"{"n":1,"m":5,"s":"a"}"#)
        #expect(sight.judged().doubts == [])
    }

    /// Both sides read the start; the bridge brings the widget's step before the app makes its own.
    @Test("a step of a counter that the bridge brought before may be lost", arguments: [true, false])
    func brought(isReadAgain: Bool) throws {
        for text in [Self.one, #"{"n":1,"m":0,"s":"a","first":1}"#] {
            var sight = try Sight(Self.start)
            sight.seesCalls()
            for side in Side.allCases { sight.fetches(side) }
            sight.calls(.widget, .rename, at: .group)
            sight.sees(.group, Self.one)
            sight.calls(.bridge, .rename, at: .app)
            sight.sees(.app, Self.one)
            if isReadAgain { sight.fetches(.app) }
            sight.calls(.app, .rename, at: .app)
            sight.sees(.app, text)
            sight.calls(.bridge, .rename, at: .group)
            sight.sees(.group, text)
            let doubts = sight.judged().doubts
            let isDoubted = doubts.contains { if case .countedAlike = $0 { true } else { false } }
            #expect(isDoubted != isReadAgain, "\(text): \(doubts)")
        }
    }

    /// - Parameter isReadAgain: the second thread reads what the first one saved.
    private func threads(isReadAgain: Bool) throws -> JudgedObservation {
        var sight = try Sight(Self.start)
        sight.seesCalls()
        for thread in [Int32(1), 2] { sight.calls(.app, .read, at: .app, thread: thread) }
        sight.calls(.app, .rename, at: .app, thread: 1)
        sight.sees(.app, Self.one)
        if isReadAgain { sight.calls(.app, .read, at: .app, thread: 2) }
        sight.calls(.app, .rename, at: .app, thread: 2)
        sight.sees(.app, #"{"n":0,"m":1,"s":"a"}"#)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, #"{"n":0,"m":1,"s":"a"}"#)
        return sight.judged()
    }

    @Test("whether a thread knew what another one of its process had saved is not seen")
    func siblings() throws {
        let judged = try threads(isReadAgain: false)
        #expect(judged.skipped[.lostUpdate] == .threadsUnseen && judged.judgement.anomalies == [])
        #expect(try threads(isReadAgain: true).skipped[.lostUpdate] == nil)
    }

    @Test(
        "whether a process that opened the document, and read nothing by a call, knew what it saved again is not seen"
    )
    func opened() throws {
        for isRead in [false, true] {
            var sight = try Sight(Self.start)
            sight.seesCalls()
            for process in [Int32(2), 3] { sight.calls(.app, .read, at: .app, by: [process, 1]) }
            sight.calls(.app, .rename, at: .app, by: [2, 1])
            sight.sees(.app, Self.one)
            sight.calls(.app, .open, at: .app, by: [3, 1])
            if isRead { sight.calls(.app, .read, at: .app, by: [3, 1]) }
            sight.calls(.app, .rename, at: .app, by: [3, 1])
            sight.sees(.app, Self.one)
            sight.calls(.bridge, .rename, at: .group)
            sight.sees(.group, Self.one)
            #expect(sight.judged().skipped[.lostUpdate] == (isRead ? nil : .repeatsUnseen))
        }
    }
}

@Suite("A content that is read in parts")
struct PartsTests {
    private static let old = #"{"n":"aaaaaaaa"}"#
    private static let new = #"{"n":"bbbbbbbb"}"#

    /// The app's program writes in place after the widget's has read so much, which reads on from `next`.
    private func read(_ first: Int?, _ next: Int?, by process: [Int32] = [1]) throws -> JudgedObservation {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        sight.calls(.widget, .open, at: .group)
        sight.calls(.widget, .read, at: .group, offset: first)
        sight.calls(.app, .write, at: .group, by: process)
        sight.sees(.group, Self.new)
        sight.calls(.widget, .read, at: .group, offset: next)
        sight.sees(.app, Self.new)
        return sight.judged()
    }

    @Test("is torn if what is read is no content that was there")
    func mixed() throws {
        let judged = try read(0, 8, by: [2])
        let torn = try #require(judged.judgement.anomalies.first)
        #expect(judged.judgement.kinds == [.tornRead] && torn.sentence.contains("partly as it was"))
        let advice = torn.advice(in: judged.history)
        #expect(advice.actor == "app" && advice.remedy == .renameNewFile)
    }

    @Test("is whole if all was read before, or nothing")
    func whole() throws {
        for next in [0, Self.old.utf8.count] {
            let judged = try read(0, next, by: [2])
            #expect(judged.judgement.kinds == [] && judged.skipped[.tornRead] == nil)
        }
    }

    @Test("is that of the opened file if another one takes its name meanwhile", arguments: [false, true])
    func replaced(isExchange: Bool) throws {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        sight.calls(.widget, .open, at: .group)
        sight.calls(.widget, .read, at: .group, offset: 0)
        sight.calls(.bridge, .rename, at: .group)
        sight.sees(.group, Self.new, isRenamed: !isExchange)
        sight.calls(.widget, .read, at: .group, offset: 8)
        sight.sees(.app, Self.new)
        let judged = sight.judged()
        #expect(!judged.judgement.kinds.contains(.tornRead) && judged.doubts == [])
        let fetches = judged.history.steps.filter { $0.what == .fetched }
        #expect(Set(fetches.map(\.version)).count == 1)
    }

    @Test("is half of a write that went on while it was read")
    func growing() throws {
        var sight = try Sight(Self.old)
        sight.seesCalls()
        sight.calls(.app, .rename, at: .app)
        sight.sees(.app, Self.new, isRenamed: true)
        sight.calls(.widget, .open, at: .group)
        sight.calls(.bridge, .write, at: .group)
        sight.sees(.group, String(Self.new.prefix(4)), isUnfinished: true)
        sight.calls(.widget, .read, at: .group, offset: 0)
        sight.calls(.bridge, .write, at: .group)
        sight.sees(.group, String(Self.new.prefix(8)), isUnfinished: true)
        sight.calls(.widget, .read, at: .group, offset: 4)
        sight.calls(.bridge, .write, at: .group)
        sight.sees(.group, Self.new)
        let judged = sight.judged()
        let torn = judged.judgement.anomalies.filter { $0.kind == .tornRead }
        #expect(torn.contains { $0.sentence.contains("as bridge had half written it") })
    }

    @Test("is in doubt if where it was read is not known")
    func unknown() throws {
        let judged = try read(nil, nil, by: [2])
        guard case .readInParts? = judged.doubts.first else {
            Issue.record("\(judged.doubts)")
            return
        }
        #expect(judged.skipped[.tornRead] == .undecided)
    }

    @Test("is not judged without system calls if a program may have read while it was written in place")
    func inPlace() throws {
        for isRenamed in [false, true] {
            var sight = try Sight(Self.old)
            sight.sees(.app, Self.new, isRenamed: isRenamed)
            sight.sees(.group, Self.new, isRenamed: true)
            #expect(sight.judged().skipped[.tornRead] == (isRenamed ? nil : .readersUnseen))
        }
    }
}
