import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite("race on real files")
struct RaceRealTests {
    @Test("finds a race, saves it, and replays it; nothing is left in the directory")
    func found() async throws {
        try await withDirectory { top in
            let directory = "\(top)/real"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let real = ["--real", directory]
            let preset = ["--preset", "read-modify-write"]
            let explored = await run(
                ["race", "explore"] + preset + real + ["--save", "\(top)/s", "--bound", "1"]
            )
            #expect(explored.status == .anomaly, "\(explored)")
            #expect(
                explored.output.hasSuffix(
                    "\nagain: widgetbridge race replay \(top)/s --real \(directory)\n"
                )
            )
            let unsaved = await run(["race", "explore"] + preset + real + ["--bound", "1"])
            let again = "race explore \(preset.joined(separator: " ")) --bound 1 --real \(directory)"
            #expect(
                unsaved.output.hasSuffix(
                    "\nagain: widgetbridge \(again) --save race.json\n"
                        + "       widgetbridge race replay race.json --real \(directory)\n"
                ),
                "\(unsaved)"
            )
            let replayed = await run(["race", "replay", "\(top)/s"] + real)
            #expect(replayed.status == .anomaly, "\(replayed)")
            let one = await run(["race", "run", "--seed", "1"] + preset + real)
            #expect([.done, .anomaly].contains(one.status), "\(one)")
            // Whether a race was found or only one run was made, the saved schedule is for real files.
            for command in ["explore", "run"] {
                let bare = ["race", command, "--preset", "app-todo", "--save", "\(top)/t"] + real
                _ = await run(bare + (command == "explore" ? ["--bound", "0"] : []))
                let kept = await run(["race", "replay", "\(top)/t"] + real)
                #expect(kept.status == .done, "\(kept)")
            }
            let simulated = await run(["race", "replay", "\(top)/s"])
            #expect(simulated.status == .usage && simulated.errors.contains("--real DIR"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }

    @Test("refuses what real files do not support, and a missing directory")
    func refused() async {
        let coarse = await run(["race", "explore", "--preset", "same-size-same-second", "--real", "/tmp"])
        #expect(coarse.status == .usage && coarse.errors.contains("cannot run on real files"), "\(coarse)")
        let nowhere = await run(["race", "explore", "--preset", "swap-back", "--real", "/nowhere"])
        #expect(nowhere.status == .usage && nowhere.errors.contains("`/nowhere`"), "\(nowhere)")
    }

    @Test("leaves nothing behind after an interrupt, and reports what it has done")
    func interrupted() async throws {
        try await withDirectory { top in
            let running = try Running([
                "race", "explore", "--preset", "app-budget", "--bound", "9", "--real", top, "--seconds",
                "600",
            ])
            await running.worked()
            running.send(SIGINT)
            let ended = await running.ended()
            #expect(ended.status == 2 && ended.output.contains("found     no anomaly\n"), "\(ended)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
        }
    }
}
