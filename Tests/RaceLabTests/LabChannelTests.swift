import Glibc
import Model
import Processes
import Testing

@testable import RaceLab

@Suite("What programs tell the lab")
struct LabChannelTests {
    private func lines(_ act: (Int32) -> Void) throws -> [LabChannel.Line] {
        let ends = try Launch.socketPair()
        let channel = LabChannel(ends.ours)
        act(ends.theirs)
        close(ends.theirs)
        var lines: [LabChannel.Line] = []
        while true {
            let more = channel.lines()
            if more.isEmpty { return lines }
            lines += more
        }
    }

    private func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    @Test("is what `LabReport` says, in lines")
    func report() throws {
        let path = try #require(RelativePath("a.json"))
        let told = try lines { descriptor in
            let report = LabReport(descriptor: descriptor)
            report.saved("a.json", Array("{}".utf8))
            report.read("a.json", nil)
            report.shown("12\nof 30")
            report.done()
        }
        let digest = Digest(of: Array("{}".utf8))
        #expect(
            told == [
                .known(.saved(path, digest)), .known(.read(path, nil)), .known(.shown("12 of 30")),
                .known(.done),
            ]
        )
    }

    @Test("is unknown where it is no line of the protocol, too long, or no text")
    func unknown() throws {
        let told = try lines { descriptor in
            write("hello\n", to: descriptor)
            write(String(repeating: "x", count: 100 << 10) + "\ndone\n", to: descriptor)
            let bytes: [UInt8] = [0xFF, 0xFE, 0x0A]
            _ = unsafe send(descriptor, bytes, bytes.count, 0)
        }
        #expect(told.count == 4 && told[0] == .unknown("hello") && told[2] == .known(.done))
        guard case .unknown = told[1], case .unknown = told[3] else {
            Issue.record("\(told)")
            return
        }
    }

    @Test("ends with a line that has no newline, once its program has ended")
    func lastLine() throws {
        #expect(try lines { write("hello\ndone", to: $0) } == [.unknown("hello"), .known(.done)])
        // A program that goes on may be about to write the rest.
        let ends = try Launch.socketPair()
        let channel = LabChannel(ends.ours)
        write("do", to: ends.theirs)
        #expect(channel.lines() == [])
        write("ne", to: ends.theirs)
        #expect(channel.lines() == [])
        close(ends.theirs)
        #expect(channel.lines() == [.known(.done)] && channel.lines() == [])
    }

    @Test("a content that was never there, or is not known, is no evidence")
    func lies() throws {
        let path = try #require(RelativePath("a.json"))
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: nil, group: nil))
        let digest = Digest(of: [1])
        observed.heard(.saved(path, digest), from: .app, at: .zero)
        observed.heard(.read(path, digest), from: .group, at: .zero)
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        #expect(
            observed.unfounded == [
                .readNeverThere(.group, path, digest), .saveNeverThere(.app, path, digest),
            ]
        )
        #expect(observed.evidence.unseenSaves == 0 && observed.steps == 0)
    }

    @Test("a save that the program or the bridge overwrote before the lab could look is no lie")
    func overtaken() throws {
        let path = try #require(RelativePath("a.json"))
        let (first, second) = (Array("1".utf8), Array("2".utf8))
        // What comes after the first save: a second one of its own, the bridge's, or one not told.
        for (isTold, isOfOther, unseen) in [(true, false, 1), (false, true, 1), (false, false, 0)] {
            var observed = ObservedHistory()
            observed.begin(path, BothSides(app: nil, group: isOfOther ? second : nil))
            observed.saw(path, .app, second, at: .zero)
            observed.heard(.saved(path, Digest(of: first)), from: .app, at: .zero)
            if isTold { observed.heard(.saved(path, Digest(of: second)), from: .app, at: .zero) }
            _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
            #expect(observed.evidence.unseenSaves == unseen)
            #expect(observed.unfounded.count == 1 - unseen)
        }
    }

    @Test(
        "a save that is told before it is made counts, unless the bridge may have brought that",
        arguments: [false, true]
    )
    func early(isOfOther: Bool) throws {
        let path = try #require(RelativePath("a.json"))
        let (first, second) = (Array("1".utf8), Array("2".utf8))
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: first, group: isOfOther ? second : first))
        observed.heard(.saved(path, Digest(of: second)), from: .app, at: .zero)
        observed.heard(.read(path, Digest(of: first)), from: .app, at: .zero)
        observed.saw(path, .app, second, at: .zero)
        let change = try #require(observed.history.steps.firstIndex { $0.what == .changed })
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        let digest = Digest(of: second)
        #expect(
            observed.unfounded == (isOfOther ? [.saveReportedEarly(.app, path, digest, step: change)] : [])
        )
        #expect(observed.evidence.programs.app.reportsSaves != isOfOther)
        #expect(observed.evidence.saves == (isOfOther ? [:] : [change: 0]))
        #expect(observed.evidence.readReports.app.count == (isOfOther ? 1 : 2))
    }

    @Test(
        "a save of something else than what was seen is a lie, though the bridge brings that to the other side"
    )
    func brought() throws {
        let path = try #require(RelativePath("a.json"))
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: nil, group: nil))
        observed.saw(path, .app, Array("1".utf8), at: .zero)
        observed.heard(.saved(path, Digest(of: Array("2".utf8))), from: .app, at: .zero)
        observed.saw(path, .group, Array("1".utf8), at: .zero)
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        #expect(observed.evidence.unseenSaves == 0 && observed.unfounded.count == 1)
    }

    @Test("a deletion of what was never there is a lie, and so is a save of what has been overwritten since")
    func saves() throws {
        let path = try #require(RelativePath("a.json"))
        let (first, second) = (Array("1".utf8), Array("2".utf8))
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: first, group: nil))
        observed.heard(.saved(path, nil), from: .group, at: .zero)
        // What is there already can have been saved once more.
        observed.heard(.saved(path, Digest(of: first)), from: .app, at: .zero)
        observed.saw(path, .app, second, at: .zero)
        observed.heard(.saved(path, Digest(of: second)), from: .app, at: .zero)
        observed.heard(.saved(path, Digest(of: first)), from: .app, at: .zero)
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        #expect(
            observed.unfounded == [
                .saveNeverThere(.group, path, nil), .saveNeverThere(.app, path, Digest(of: first)),
            ]
        )
        #expect(!observed.evidence.programs.group.reportsSaves && observed.evidence.programs.app.reportsSaves)
    }

    @Test("a save and a deletion, or a save before the same again, may have been too quick to be seen")
    func quick() throws {
        let path = try #require(RelativePath("a.json"))
        let (first, second) = (Array("1".utf8), Array("2".utf8))
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: first, group: nil))
        for bytes in [second, first] {
            observed.heard(.saved(path, Digest(of: bytes)), from: .app, at: .zero)
        }
        observed.heard(.saved(path, Digest(of: second)), from: .group, at: .zero)
        observed.heard(.saved(path, nil), from: .group, at: .zero)
        _ = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        #expect(observed.unfounded == [] && observed.evidence.unseenSaves == 2)
    }

    @Test("a read of what the other side had, overwritten before the lab could look, is no lie")
    func missedRead() throws {
        let path = try #require(RelativePath("a.json"))
        let bytes = Array("1".utf8)
        var observed = ObservedHistory()
        observed.begin(path, BothSides(app: bytes, group: Array("0".utf8)))
        observed.heard(.read(path, Digest(of: bytes)), from: .group, at: .zero)
        #expect(observed.unfounded == [] && observed.steps == 1)
    }
}
