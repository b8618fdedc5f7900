import Foundation
import Processes
import TestWorld
import Testing

@Suite("A bridge that never rests", .serialized)
struct RaceRestlessTests {
    /// Brings what the app has to the group, and then brings it again for ever.
    private static let rewriting = """
        cd "$WIDGETBRIDGE_GROUP"; while :; do
        cp "$WIDGETBRIDGE_APP/a.json" .t && mv .t a.json; sleep 0.02; done 2> /dev/null
        """
    private static let save = "echo 1 > .new; mv .new a.json"

    private func race(_ arguments: String...) async throws -> Binary.Ended {
        try await withDirectory { top in
            let all = ["race", "run", "--patience", "1s", "--app", Self.save] + arguments
            return await (try Running(all, environment: ["TMPDIR": top])).ended()
        }
    }

    @Test("and brings the same for ever plays ping-pong", arguments: RaceVerdictTests.modes)
    func rewriting(mode: String) async throws {
        let ended = try await race("--bridge", Self.rewriting, "--control", mode, "--limit", "8s")
        #expect(ended.status == 1 && ended.output.contains("found     ping-pong"), "\(ended)")
    }

    /// Saves two contents in turns for ever.
    private static let swapping = """
        cd "$WIDGETBRIDGE_GROUP"; while :; do for n in 1 2; do
        echo $n > .t; mv .t a.json; sleep 0.02; done; done
        """

    @Test(
        "is looked at for no longer than the limit while the find is made smaller",
        .enabled(if: RaceVerdictTests.modes.count > 1)
    )
    func swapping() async throws {
        let start = ContinuousClock.now
        let ended = try await race("--bridge", Self.swapping, "--limit", "4s")
        #expect(ended.status == 1 && ended.output.contains("minimal  "), "\(ended)")
        // Not ten seconds for each of up to sixty replays.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("is in doubt where who does it is not seen")
    func observed() async throws {
        try await withObservedContainers { top in
            let containers = ["--app", "\(top)/app", "--group", "\(top)/group"]
            // It also reports the reloads, and so begins with the observation and ends with it.
            let options = ["--seconds", "1", "--patience", "100ms", "--reloads", Self.rewriting]
            let environment = ["WIDGETBRIDGE_APP": "\(top)/app", "WIDGETBRIDGE_GROUP": "\(top)/group"]
            let all = ["race", "observe"] + containers + options
            let ended = await (try Running(all, environment: environment)).ended()
            #expect(ended.status == 2 && ended.output.contains("never came to rest"), "\(ended)")
            #expect(ended.output.contains("come again and again"), "\(ended)")
        }
    }
}
