import Model
import Testing

@testable import RaceLab

@Suite("How long a change takes")
struct LatenciesTests {
    private static let text = Array(#"{"n":1}"#.utf8)
    private static let hash = Digest(of: text)
    private static let notice = #"{"document":"a.json","hash":"\#(hash)"}"#

    /// A save at 1 ms that arrives at 3 ms.
    private func arrived() throws -> (ObservedHistory, RelativePath) {
        var observed = ObservedHistory()
        let path = try #require(RelativePath("a.json"))
        observed.begin(path, BothSides { _ in nil })
        observed.saw(path, .app, Self.text, at: .milliseconds(1))
        observed.saw(path, .group, Self.text, at: .milliseconds(3))
        return (observed, path)
    }

    private func latencies(_ observed: ObservedHistory) -> Latencies {
        var observed = observed
        let history = observed.finish(isAtRest: true, hasProfile: false) { _ in nil }
        return Latencies(of: history) { $1 == $2 }
    }

    private func milliseconds(_ distribution: Latencies.Distribution) -> [Int] {
        distribution.samples.map { Int($0 / .milliseconds(1)) }
    }

    @Test("to a notice, to the widget's own read, and to what a person sees")
    func all() throws {
        var (observed, path) = try arrived()
        observed.addNotice(try #require(ReloadLine(Self.notice)), at: .milliseconds(6))
        // The lab reads at once on a notice; that says nothing of the widget.
        observed.saw(path, .group, Self.text, at: .milliseconds(6))
        observed.heard(.read(path, Self.hash), from: .group, at: .milliseconds(11))
        observed.heard(.shown("1"), from: .group, at: .milliseconds(13))
        observed.heard(.read(path, Self.hash), from: .group, at: .milliseconds(20))
        observed.heard(.shown("1"), from: .group, at: .milliseconds(21))
        let found = latencies(observed)
        #expect(milliseconds(found.visible) == [2] && milliseconds(found.notified) == [3])
        #expect(milliseconds(found.read) == [5] && milliseconds(found.found) == [8])
        #expect(milliseconds(found.shown) == [2])
        #expect(milliseconds(found.whole) == [10] && milliseconds(found.seen) == [12])
        #expect(found.reader == .program)
    }

    @Test("to a read that a program makes without any notice, which its system call shows")
    func polled() throws {
        var (observed, _) = try arrived()
        observed.record(Sight.reading("group/a.json"), at: .milliseconds(7))
        let found = latencies(observed)
        #expect(milliseconds(found.found) == [4] && milliseconds(found.whole) == [6])
        #expect(found.read.samples.isEmpty && found.reader == .program)
    }

    @Test("to the lab's read on a notice, which is called so, if no program tells of its own")
    func lab() throws {
        var (observed, path) = try arrived()
        observed.addNotice(try #require(ReloadLine(Self.notice)), at: .milliseconds(6))
        observed.saw(path, .group, Self.text, at: .milliseconds(7))
        let found = latencies(observed)
        #expect(milliseconds(found.read) == [1] && found.found.samples.isEmpty && found.reader == .lab)
        #expect(found.stretches.map(\.words).contains("notified to lab's read"))
    }

    @Test("is not told of a change that was replaced before it was read")
    func replaced() throws {
        var (observed, path) = try arrived()
        observed.saw(path, .group, Array("{}".utf8), at: .milliseconds(4))
        observed.heard(.read(path, Self.hash), from: .group, at: .milliseconds(5))
        #expect(latencies(observed).found.samples.isEmpty)
    }

    @Test("to the other side, though a bridge still brings what the program has replaced")
    func late() throws {
        var sight = try Sight(#"{"n":0}"#)
        for (side, number) in [(Side.app, 1), (.app, 2), (.group, 1), (.group, 2)] {
            sight.sees(side, "{\"n\":\(number)}")
        }
        let found = Latencies(of: sight.judged().history) { $1 == $2 }
        #expect(milliseconds(found.visible) == [20])
    }
}
