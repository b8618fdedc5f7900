import Model
import Testing

@testable import RaceLab

@Suite("A content that is no JSON")
struct WholeContentTests {
    private func torn(_ sight: inout Sight) -> (isFound: Bool, isUndecided: Bool) {
        let judged = sight.judged()
        return (judged.judgement.kinds.contains(.tornRead), judged.skipped[.tornRead] == .undecided)
    }

    @Test("is whole where it was renamed, however late a bridge brings it", arguments: [true, nil])
    func renamed(hasProgram: Bool?) throws {
        var sight = try Sight(app: hasProgram, group: hasProgram)
        sight.sees(.app, "hello", isRenamed: true)
        sight.sees(.group, "hello", isRenamed: true, after: .milliseconds(400))
        #expect(torn(&sight) == (false, false))
        #expect(sight.judged().doubts == [])
    }

    @Test("is whole where its program has ended after it, and undecided where it failed or goes on")
    func inPlace() throws {
        for (hasEnded, hasFailed, isUndecided) in [
            (true, false, false), (true, true, true), (false, false, true),
        ] {
            var sight = try Sight(group: false)
            sight.sees(.app, "hello")
            if hasEnded { sight.ends(.app, hasFailed: hasFailed) }
            sight.sees(.group, "hello", after: .milliseconds(400))
            #expect(torn(&sight) == (false, isUndecided), "\(hasEnded) \(hasFailed)")
        }
    }

    @Test("is a part where a bridge renames a copy of a half, though the copy was renamed")
    func renamedHalf() throws {
        for hasProgram in [true, false] {
            var sight = try Sight(group: hasProgram)
            sight.sees(.app, #"{"n":"#)
            sight.sees(.group, #"{"n":"#, isRenamed: true)
            sight.sees(.app, #"{"n":1}"#)
            sight.sees(.group, #"{"n":1}"#, isRenamed: true)
            #expect(torn(&sight) == (true, false))
        }
    }

    @Test(
        "is a part where a bridge renames a copy of half a write in place that is JSON",
        arguments: [#"{"n":2,"m":1,"k":1}"#, #"{"n":1,"m":1,"k":2}"#, #"{"n":2,"m":1,"k":2}"#]
    )
    func renamedMix(half: String) throws {
        var sight = try Sight(#"{"n":1,"m":1,"k":1}"#)
        sight.sees(.app, half, isUnfinished: true)
        sight.sees(.group, half, isRenamed: true)
        sight.sees(.app, #"{"n":2,"m":2,"k":2}"#)
        sight.sees(.group, #"{"n":2,"m":2,"k":2}"#, isRenamed: true)
        sight.ends(.group)
        #expect(torn(&sight) == (true, false))
    }

    @Test("is judged where it comes again and again", .timeLimit(.minutes(1)), arguments: [true, false])
    func often(hasProgram: Bool) throws {
        let count = 300
        var sight = try Sight(group: hasProgram)
        for number in 0..<count {
            sight.sees(.app, #"{"n":\#(number)}"#, isRenamed: true)
            sight.sees(.group, "")
            sight.sees(.group, #"{"n""#)
            sight.sees(.group, #"{"n":\#(number)}"#)
        }
        let torn = sight.judged().judgement.anomalies.count { $0.kind == .tornRead }
        #expect(torn == 2 * count)
    }

    @Test("is no torn read where a bridge wrote it whole, and never passes", arguments: [true, false])
    func ofBridge(isRenamed: Bool) throws {
        for isMended in [true, false] {
            var sight = try Sight(#"{"n":0}"#, group: false)
            sight.sees(.app, #"{"n":1}"#, isRenamed: true)
            sight.sees(.group, "garbage", isRenamed: isRenamed)
            if isMended { sight.sees(.group, #"{"n":1}"#, isRenamed: isRenamed) }
            let judged = sight.judged()
            #expect(judged.judgement.kinds == (isMended ? [] : [.divergence]))
            #expect(judged.doubts == [.inventedContent(judged.history.documents[0], .group, step: 2)])
        }
    }

    @Test("is torn where a bridge wrote on, and where it is a mixture of what was there")
    func goesOn() throws {
        for half in ["garb", #"{"n":1,"m":0}"#.dropLast(2) + "0}}"] {
            var sight = try Sight(#"{"n":0,"m":10}}"#, group: false)
            sight.sees(.app, #"{"n":1,"m":0}"#, isRenamed: true)
            sight.sees(.group, String(half))
            sight.sees(.group, "garbage and so on")
            #expect(torn(&sight).isFound)
        }
    }

    @Test("is not the program's where it is a part of what the other side has")
    func partOfTheOther() throws {
        var sight = try Sight(group: false)
        sight.sees(.app, #"{"n":1}"#, isRenamed: true)
        sight.sees(.group, #"{"n""#, isRenamed: true)
        #expect(torn(&sight) == (true, false))
        var beside = try Sight()
        beside.sees(.app, #"{"n":1}"#, isRenamed: true)
        beside.sees(.group, #"{"n""#, isRenamed: true)
        #expect(torn(&beside) == (false, true))
    }
}

@Suite("A program that says that it is done")
struct DoneTests {
    private static let start = #"{"n":0,"m":0}"#
    private static let n = #"{"n":1,"m":0}"#
    private static let m = #"{"n":0,"m":1}"#

    private func lies(_ sight: inout Sight) -> Int {
        var history = sight.observed
        _ = history.finish(isAtRest: true, hasProfile: false) { _ in nil }
        let doubts = history.unfounded + sight.judged().doubts
        return doubts.count { doubt in
            switch doubt {
            case .savedAfterDone, .changedAfterDone: true
            default: false
            }
        }
    }

    @Test("and tells a save after it, or makes one, is named")
    func saves() throws {
        for isTold in [true, false] {
            var sight = try Sight(Self.start)
            sight.isDone(.app)
            sight.sees(.app, Self.n)
            if isTold { sight.hears(.app, "saved", Self.n) }
            #expect(lies(&sight) == 1)
        }
    }

    @Test(
        "and makes a system call that changes a document is named where calls are seen",
        arguments: [true, false]
    )
    func calls(isItself: Bool) throws {
        var sight = try Sight(Self.start)
        sight.seesCalls()
        sight.isDone(.app)
        sight.waits(.milliseconds(10))
        if isItself { sight.calls(.app) }
        sight.sees(.app, Self.n)
        #expect(lies(&sight) == (isItself ? 1 : 0))
    }

    @Test("and gets what the other side has, or has ended before, does not lie")
    func brought() throws {
        var sight = try Sight(Self.start)
        sight.isDone(.app)
        sight.sees(.group, Self.m)
        sight.sees(.app, Self.m)
        #expect(lies(&sight) == 0)
        sight.leaves(.app)
        sight.sees(.app, Self.n)
        #expect(lies(&sight) == 0)
    }
}
