import Model
import Testing

@testable import RaceLab

@Suite("What an observation is judged to be")
struct JudgedObservationTests {
    private static let start = #"{"n":0,"m":0}"#
    private static let n = #"{"n":1,"m":0}"#
    private static let m = #"{"n":0,"m":1}"#
    private static let both = #"{"n":1,"m":1}"#

    @Test("time for which the lab kept the bridge waiting makes nothing stale", arguments: [true, false])
    func waits(isKept: Bool) throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n, after: .seconds(5))
        if isKept { sight.keepsBridge(for: .seconds(4)) }
        let kinds = sight.judged().judgement.kinds
        #expect(kinds == (isKept ? [] : [.staleRead]))
    }

    @Test("two saves that a bridge merges lose nothing")
    func merged() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.m)
        sight.sees(.app, Self.both)
        sight.sees(.group, Self.both)
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.doubts == [])
        #expect(judged.history.steps.filter { $0.what == .changed }.map(\.lane) == [0, 1, 4, 4])
    }

    @Test("a save that a bridge overwrites with one that did not know it is lost")
    func overwritten() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.m)
        sight.sees(.group, Self.n)
        let judged = sight.judged()
        let lost = try #require(judged.judgement.anomalies.first)
        #expect(judged.judgement.kinds == [.lostUpdate] && lost.lane == 1 && lost.side == .group)
        #expect(lost.sentence.contains("The change of /m in a.json"))
        #expect(lost.evidence.culpritLane == 4)
    }

    @Test("what lost a conflict and is kept as a copy is not lost")
    func kept() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, #"{"n":1,"m":0}"#)
        sight.sees(.group, #"{"n":2,"m":0}"#)
        sight.sees(.group, #"{"n":1,"m":0}"#)
        var history = sight.observed
        let finished = history.finish(isAtRest: true, hasProfile: false) { _ in nil }
        func judged(_ copies: [String]) -> JudgedObservation {
            history.evidence.copies = copies.map { Array($0.utf8) }
            return JudgedObservation(finished, history.evidence, patience: .seconds(2)) { $1 == $2 }
        }
        #expect(judged([]).judgement.kinds == [.lostUpdate])
        #expect(judged([#"{"n":2,"m":0}"#]).judgement.kinds == [])
    }

    @Test("an element that both sides add to a list is followed, wherever it stands")
    func lists() throws {
        var sight = try Sight(#"{"l":[1]}"#)
        sight.sees(.app, #"{"l":[1,2]}"#)
        sight.sees(.group, #"{"l":[3,1]}"#)
        sight.sees(.group, #"{"l":[3,1,2]}"#)
        sight.sees(.app, #"{"l":[3,1,2]}"#)
        #expect(sight.judged().judgement.kinds == [])
        sight.sees(.app, #"{"l":[3,1,2,4]}"#)
        sight.sees(.group, #"{"l":[3,1,2,4]}"#)
        sight.sees(.group, #"{"l":[3,1,2]}"#)
        sight.ends(.app)
        sight.ends(.group)
        sight.sees(.app, #"{"l":[3,1,2]}"#)
        // Group's own program may have removed it: nothing says that it did not know it.
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("a program that takes its own change back, or sets the same field again, loses nothing")
    func own() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        sight.sees(.app, #"{"n":5,"m":0}"#)
        sight.sees(.group, #"{"n":5,"m":0}"#)
        sight.sees(.app, Self.start)
        sight.sees(.group, Self.start)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("whether a program took a change back or a bridge put the old content there may be undecided")
    func undecided() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.app, Self.start)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [])
        #expect(judged.doubts.map(\.kind) == [.lostUpdate] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("once the program has ended, it was the bridge")
    func afterEnd() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.ends(.app)
        sight.sees(.app, Self.start)
        #expect(sight.judged().judgement.kinds == [.lostUpdate])
    }

    @Test("a program that tells its reads and did not tell one has saved from memory")
    func fromMemory() throws {
        for isRead in [true, false] {
            var sight = try Sight(Self.start)
            sight.hears(.app, "read", Self.start)
            sight.saves(.group, Self.m)
            sight.sees(.app, Self.m)
            if isRead { sight.hears(.app, "read", Self.m) }
            sight.saves(.app, Self.n)
            sight.sees(.group, Self.n)
            #expect(sight.judged().judgement.kinds == (isRead ? [] : [.lostUpdate]))
        }
    }

    @Test("what a save from memory put back is no edit that the bridge may not displace")
    func mergedMemory() throws {
        for (reads, kinds) in [([Self.start], []), ([Self.start, Self.m], [AnomalyKind.lostUpdate])] {
            var sight = try Sight(Self.start)
            sight.hears(.app, "read", reads[0])
            sight.sees(.group, Self.m)
            sight.sees(.app, Self.m)
            if reads.count > 1 { sight.hears(.app, "read", reads[1]) }
            sight.saves(.app, Self.n)
            sight.sees(.app, Self.both)
            sight.sees(.group, Self.both)
            let judged = sight.judged()
            #expect(judged.judgement.kinds == Set(kinds) && judged.doubts == [])
        }
        var silent = try Sight(Self.start)
        silent.sees(.group, Self.m)
        silent.sees(.app, Self.m)
        silent.sees(.app, Self.n)
        silent.sees(.app, Self.both)
        silent.sees(.group, Self.both)
        let judged = silent.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("a program that tells its saves and not its reads may have read what it leaves out")
    func untoldReads() throws {
        var sight = try Sight(Self.start)
        sight.saves(.group, Self.m)
        sight.sees(.app, Self.m)
        sight.saves(.app, Self.n)
        sight.sees(.group, Self.n)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("a program that removes what the other side never had has removed its own")
    func brief() throws {
        var sight = try Sight()
        sight.sees(.app, Self.start)
        sight.sees(.app, nil)
        let judged = sight.judged()
        #expect(judged.judgement.anomalies == [] && judged.history.steps.allSatisfy { $0.lane != 4 })
    }

    @Test("without its word, a save that brings back old values beside a new one is undecided")
    func perhapsFromMemory() throws {
        var sight = try Sight(Self.start)
        sight.sees(.group, Self.m)
        sight.sees(.app, Self.m)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.lostUpdate] == .undecided)
    }

    @Test("a half is torn where the bridge brings it, and not where its author writes it")
    func halves() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, #"{"n":1,"#)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        #expect(sight.judged().judgement.kinds == [])
        sight.sees(.app, #"{"n":2,"#)
        sight.sees(.group, #"{"n":2,"#)
        sight.sees(.app, #"{"n":2,"m":0}"#)
        sight.sees(.group, #"{"n":2,"m":0}"#)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [.tornRead])
        #expect(judged.judgement.anomalies.allSatisfy { $0.side == .group })
    }

    @Test("what is no JSON and was written whole is not torn where it is brought")
    func whole() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, "NaN")
        sight.sees(.group, "NaN")
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test(
        "a mix of two contents of one length is torn if it was still being written",
        arguments: [true, false]
    )
    func sameLength(isUnfinished: Bool) throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n, isUnfinished: isUnfinished)
        sight.sees(.group, Self.n)
        sight.sees(.app, Self.both)
        sight.sees(.group, Self.both)
        #expect(sight.judged().judgement.kinds == (isUnfinished ? [.tornRead] : []))
    }

    @Test("a mix of which it could not be told whether it was being written is undecided")
    func maybeUnfinished() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n, isUnfinished: nil)
        sight.sees(.group, Self.n)
        sight.sees(.app, Self.both)
        sight.sees(.group, Self.both)
        let judged = sight.judged()
        #expect(judged.judgement.kinds == [] && judged.skipped[.tornRead] == .undecided)
        // A whole content of another length is no part of a write.
        var whole = try Sight(Self.start)
        whole.sees(.app, Self.m, isUnfinished: nil)
        whole.sees(.group, Self.m)
        whole.sees(.app, "{}")
        whole.sees(.group, "{}")
        #expect(whole.judged().doubts == [])
    }

    @Test("a mix that the program does not tell as saved is torn")
    func untoldMix() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        sight.saves(.app, Self.both)
        sight.sees(.group, Self.both)
        #expect(sight.judged().judgement.kinds == [.tornRead])
    }

    @Test("where the program tells its reads, only those are judged")
    func toldReads() throws {
        for (read, kinds) in [(Self.n, []), (#"{"n":1,"#, [AnomalyKind.tornRead])] {
            var sight = try Sight(Self.start)
            sight.sees(.app, Self.n)
            sight.sees(.group, #"{"n":1,"#)
            if read != Self.n { sight.hears(.group, "read", read) }
            sight.sees(.group, Self.n)
            if read == Self.n { sight.hears(.group, "read", read) }
            #expect(sight.judged().judgement.kinds == Set(kinds))
        }
    }

    @Test("a deletion that the bridge undoes is resurrected; one that it carries is not")
    func deletions() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, nil)
        sight.sees(.app, Self.start)
        #expect(sight.judged().judgement.kinds == [.resurrectedDeletion])
        var carried = try Sight(Self.start)
        carried.sees(.app, nil)
        carried.sees(.group, nil)
        #expect(carried.judged().judgement.kinds == [])
    }

    @Test("a document that its program deleted and saved again was deleted")
    func deletedForAMoment() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, nil, isDeleted: true)
        sight.sees(.group, nil)
        sight.sees(.app, Self.both)
        sight.sees(.group, Self.both)
        #expect(sight.judged().judgement.kinds == [])
    }

    @Test("a deletion that comes after the document is there anew is late, and one that never was is none")
    func lateDeletion() throws {
        for isDeleted in [true, false] {
            var sight = try Sight(#"{"n":1}"#)
            if isDeleted { sight.sees(.app, nil, isDeleted: true) }
            sight.sees(.app, #"{"n":2}"#)
            sight.sees(.group, nil, isDeleted: true)
            sight.sees(.group, #"{"n":2}"#)
            #expect(sight.judged().judgement.kinds.contains(.nonMonotonicRead) != isDeleted)
        }
    }

    @Test("a document that was gone while its own program renamed it is gone for no other reader")
    func doubleRename() throws {
        var sight = try Sight(Self.start)
        sight.sees(.app, nil)
        sight.sees(.app, Self.n)
        sight.sees(.group, Self.n)
        #expect(sight.judged().judgement.kinds == [])
        sight.sees(.app, nil)
        sight.sees(.group, nil)
        sight.sees(.app, Self.both)
        sight.sees(.group, Self.both)
        #expect(sight.judged().judgement.kinds == [.nonMonotonicRead])
    }

    @Test(
        "a bridge that swaps two contents without end plays ping-pong; before the programs end it is undecided"
    )
    func pingPong() throws {
        for hasEnded in [true, false] {
            var sight = try Sight(Self.start)
            sight.sees(.app, Self.n)
            sight.sees(.group, Self.m)
            if hasEnded { Side.allCases.forEach { sight.ends($0) } }
            for _ in 0..<4 {
                sight.sees(.app, Self.m)
                sight.sees(.group, Self.n)
                sight.sees(.app, Self.n)
                sight.sees(.group, Self.m)
            }
            let judged = sight.judged()
            #expect(judged.judgement.kinds.contains(.pingPong) == hasEnded)
            #expect(hasEnded || judged.skipped[.pingPong] == .undecided)
        }
    }

    @Test("a lost order of a list is not judged, and that is said")
    func reordered() throws {
        let start = #"{"l":[1,2,3]}"#
        for (text, reason) in [(#"{"l":[3,1,2]}"#, SkipReason.orderUnjudged), (#"{ "l": [1,2,3] }"#, nil)] {
            var sight = try Sight(start)
            sight.saves(.app, text)
            sight.sees(.group, text)
            sight.saves(.group, #"{"l":[1,2,3],"tap":1}"#)
            sight.sees(.app, #"{"l":[1,2,3],"tap":1}"#)
            #expect(sight.judged().skipped[.lostUpdate] == reason, "\(text)")
        }
    }

    @Test("kinds that nothing could show are skipped, each for its reason")
    func skipped() throws {
        var sight = try Sight(Self.start, group: false)
        sight.sees(.app, Self.n, isRenamed: true)
        sight.sees(.group, Self.n)
        let skipped = sight.judged().skipped
        #expect(skipped[.overtakenRead] == .insideBridge && skipped[.resurrectedDeletion] == .nothingDeleted)
        #expect(skipped[.missedReload] == .noReloads && skipped[.lostUpdate] == nil)
        #expect(skipped[.tornRead] == nil && skipped[.divergence] == nil && skipped[.pingPong] == nil)
        var idle = try Sight(Self.start, app: false, group: false)
        #expect(idle.judged().skipped[.lostUpdate] == .nothingSaved)
    }
}

@Suite("A line to the lab")
struct LabLineTests {
    private static let hash = Digest(of: [1])

    @Test("is understood with spaces in names, and nothing else is")
    func parsed() throws {
        let path = try #require(RelativePath("my notes/a.json"))
        #expect(LabLine("saved my notes/a.json \(Self.hash)") == .saved(path, Self.hash))
        #expect(LabLine("read my notes/a.json none") == .read(path, nil))
        #expect(LabLine("shown 12 of 30") == .shown("12 of 30"))
        #expect(LabLine("done") == .done)
        for line in [
            "", "saved", "saved a.json", "saved a.json sha256:12", "read ../a.json \(Self.hash)", "done now",
            "Saved a.json none", "saved a.json \(Self.hash) ",
        ] { #expect(LabLine(line) == nil, "\(line)") }
    }
}
