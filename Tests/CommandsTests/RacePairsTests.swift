import Foundation
import TestWorld
import Testing

@testable import Commands

@Suite("Pairs of real programs", .timeLimit(.minutes(5)))
struct RacePairsTests {
    /// Beside many other tests they were judged otherwise: the agent's own timing decides.
    private static let undependable: Set = [
        "a journal beside the document, the agent", "from memory, the agent, and nobody tells the lab",
    ]

    @Test("are judged rightly", arguments: RacePair.usable)
    func judged(pair: RacePair) async throws {
        try await withDirectory { top in
            var arguments = ["race", "run", "--gates", "--json", "--limit", "60s", "--patience", "10s"]
            arguments += ["--app", RacePair.words + pair.app]
            if let widget = pair.widget { arguments += ["--widget", RacePair.words + widget] }
            if let bridge = pair.bridge { arguments += ["--bridge", RacePair.words + bridge] }
            let ended = await (try Running(arguments, environment: ["TMPDIR": top])).ended()
            let status: Int32 = pair.isUndecided ? 2 : pair.kinds.isEmpty ? 0 : 1
            let found = ended.output.firstMatch(of: #/"counts":\{([^}]*)\}/#)?.1 ?? ""
            let kinds = found.matches(of: #/"([a-z-]+)":/#).map { String($0.1) }
            withKnownIssue("On a busy machine the agent's own timing decides", isIntermittent: true) {
                #expect(ended.status == status, "\(ended)")
                let isUndecided = ended.output.contains("what was seen does not decide it")
                #expect(isUndecided == pair.isUndecided, "\(ended)")
                #expect(Set(kinds) == pair.kinds, "\(ended)")
            } when: {
                Self.undependable.contains(pair.name)
            }
        }
    }
}
