import Model
import Testing

@testable import RaceLab

/// Whether it matters that a program hears of the lab's reads.
@Suite struct LabReadsTests {
    /// What was seen where, one after the other; `nil`: the document was gone.
    private typealias Changes = [(Side, String?)]

    private func history(_ start: String?, _ changes: Changes) throws -> History {
        var observed = ObservedHistory()
        let path = try #require(RelativePath("a.json"))
        observed.begin(path, BothSides { _ in start.map { Array($0.utf8) } })
        for (number, change) in changes.enumerated() {
            observed.saw(path, change.0, change.1.map { Array($0.utf8) }, at: .milliseconds(number))
        }
        return observed.finish(isAtRest: false, hasProfile: false) { _ in nil }
    }

    private func judged(
        _ changes: Changes,
        start: String? = nil,
        by listeners: [String] = ["widgetbridge-watch"]
    ) throws -> LabReads {
        let history = try history(start, changes)
        return LabReads.heard(by: listeners).judged(history) { _, app, group in
            whyUnequal(BothSides(app: app, group: group), history.versions, nil) == nil
        }
    }

    private let unused = LabReads.unused(by: ["widgetbridge-watch"])
    private let heard = LabReads.heard(by: ["widgetbridge-watch"])

    @Test func `where the programs of one side save, the bridge asks for no reads`() throws {
        #expect(try judged([(.app, "[1]"), (.group, "[1]"), (.app, "[2]"), (.group, "[ 2 ]")]) == unused)
        #expect(try judged([(.group, "[1]"), (.app, "[1]"), (.group, nil), (.app, nil)]) == unused)
        // The bridge may be late.
        #expect(try judged([(.app, "[1]"), (.app, "[2]"), (.group, "[1]"), (.group, "[2]")]) == unused)
        #expect(try judged([], start: "[0]") == unused)
    }

    @Test func `a save or a deletion where the bridge has written leaves it in doubt`() throws {
        #expect(try judged([(.app, "[1]"), (.group, "[1]"), (.group, "[2]"), (.app, "[2]")]) == heard)
        #expect(try judged([(.app, "[1]"), (.group, "[1]"), (.group, nil), (.app, nil)]) == heard)
        // The app takes the widget's second save back, from memory.
        let taps: Changes = [(.group, "[1]"), (.app, "[1]"), (.group, "[2]"), (.app, "[2]")]
        #expect(try judged(taps) == unused)
        #expect(try judged(taps + [(.app, "[1]")]) == heard)
    }

    @Test func `what was there at the start may be the bridge's`() throws {
        #expect(try judged([(.app, "[1]"), (.group, "[1]")], start: "[0]") == heard)
    }

    @Test func `what other programs do with what they hear is not known`() throws {
        let both = ["indexer", "widgetbridge-watch"]
        #expect(try judged([(.app, "[1]"), (.group, "[1]")], by: both) == .heard(by: both))
    }
}
