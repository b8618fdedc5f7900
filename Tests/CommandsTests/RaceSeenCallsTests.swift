import Processes
import TestWorld
import Testing

@Suite(
    "What system calls tell of the programs of a race",
    .serialized,
    .enabled(if: GatedProgram.refusal(trying: Binary.path) == nil, "the system refuses a filter")
)
struct RaceSeenCallsTests {
    private func race(_ arguments: String...) async throws -> Binary.Ended {
        try await withDirectory { top in
            let all = ["race", "run", "--patience", "60s", "--json"] + arguments
            return await (try Running(all, environment: ["TMPDIR": top])).ended()
        }
    }

    // MARK: Deletions

    /// Brings the app's document, then the widget's deletion, then what the app saves.
    private static let carrying = """
        cd "$WIDGETBRIDGE_APP"; g=$WIDGETBRIDGE_GROUP/a.json; until [ -e a.json ]; do sleep 0.01; done
        cp a.json ../t; mv ../t "$g"; while [ -e "$g" ]; do sleep 0.01; done; rm a.json; : > ../gone
        until [ -e a.json ]; do sleep 0.01; done; cp a.json ../t; mv ../t "$g"; exec tail -f /dev/null
        """
    private static let deleting = "until [ -e a.json ]; do sleep 0.01; done; rm a.json"
    private static let first =
        #"echo '{"n":0}' > .s; mv .s a.json; until [ -e ../gone ]; do sleep 0.01; done; "#

    @Test("a save from memory after the widget's deletion brings it back; one after a look does not")
    func deletion() async throws {
        let save = #"echo '{"n":0,"m":1}' > .s; mv .s a.json"#
        for (look, count) in [("", true), ("[ -e a.json ] || ", false)] {
            let app = Self.first + look + "{ \(save); }"
            let ended = try await race("--bridge", Self.carrying, "--app", app, "--widget", Self.deleting)
            #expect(ended.output.contains(#""resurrected-deletion":1"#) == count, "\(ended)")
            #expect(!ended.output.contains("who deleted a document is not seen"), "\(ended)")
        }
    }
}
