import Foundation
import TestWorld
import Testing

@testable import Commands

@Suite("Pairs of real programs", .timeLimit(.minutes(5)))
struct RacePairsTests {
    @Test("are judged rightly", arguments: RacePair.usable)
    func judged(pair: RacePair) async throws {
        try await withDirectory { top in
            var arguments = ["race", "run", "--gates", "--json", "--limit", "60s", "--patience", "10s"]
            arguments += ["--app", RacePair.words + pair.app]
            if let widget = pair.widget { arguments += ["--widget", RacePair.words + widget] }
            if let bridge = pair.bridge { arguments += ["--bridge", RacePair.words + bridge] }
            let ended = await (try Running(arguments, environment: ["TMPDIR": top])).ended()
            let status: Int32 = pair.isUndecided ? 2 : pair.kinds.isEmpty ? 0 : 1
            #expect(ended.status == status, "\(ended)")
            #expect(ended.output.contains("what was seen does not decide it") == pair.isUndecided, "\(ended)")
            let found = ended.output.firstMatch(of: #/"counts":\{([^}]*)\}/#)?.1 ?? ""
            let kinds = found.matches(of: #/"([a-z-]+)":/#).map { String($0.1) }
            #expect(Set(kinds) == pair.kinds, "\(ended)")
        }
    }
}
