import Documents
import Foundation
import RaceLab
import TestWorld
import Testing

@testable import Commands

@Suite("race replay of a schedule that was edited")
struct RaceReplayTests {
    private static let scenario =
        "{documents: [a.json], actors: {my app: {kind: app, does: [write, write]}, agent: {}}}"

    /// A clean run with the default order, and its text.
    private func withSaved(_ body: (_ file: String, _ text: String) async throws -> Void) async throws {
        try await withDirectory { directory in
            let (scenario, file) = ("\(directory)/a.yaml", "\(directory)/race.json")
            try write(Self.scenario, to: scenario)
            #expect(await run(["race", "run", scenario, "--save", file]).status == .done)
            #expect(await run(["race", "replay", file]).status == .done)
            try await body(file, try String(contentsOfFile: file, encoding: .utf8))
        }
    }

    private func with(_ schedule: String, _ text: String) -> String {
        text.replacing(/"schedule": \[[^\]]*\]/, with: "\"schedule\": [\(schedule)]")
    }

    @Test("says where the order cannot be followed", arguments: [true, false])
    func misfit(isTraced: Bool) async throws {
        try await withSaved { file, text in
            var edited = with(#""my app 1","agent 2","my app 7""#, text)
            if !isTraced { edited = edited.replacing(/"trace": "[0-9a-f]+"/, with: #""trace": null"#) }
            try write(edited, to: file)
            let ran = await run(["race", "replay", file])
            #expect(ran.status == .undecided && ran.errors.isEmpty)
            let words = ran.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let place = "at step 4, `my app 7`, entry 3 of `schedule`, has 6 steps that my app cannot take"
            #expect(words.contains("the schedule does not fit the scenario: \(place)"), "\(ran.output)")
            let cause = "; the file was edited, or the engine or the lab has changed since"
            #expect(words.contains(cause) == isTraced, "\(ran.output)")
        }
    }

    @Test("says that an order which ends before its last entry was not followed")
    func tooLong() async throws {
        try await withSaved { file, text in
            let more = text.replacing(/"schedule": \[(?<all>[^\]]*)\]/) {
                "\"schedule\": [\($0.output.all),\"agent 1\",\"my app 5\"]"
            }.replacing(/"trace": "[0-9a-f]+"/, with: #""trace": null"#)
            try write(more, to: file)
            let ran = await run(["race", "replay", file])
            #expect(ran.status == .undecided && ran.output.contains("does not fit"), "\(ran.output)")
        }
    }

    @Test("does not blame the engine alone for other steps in an order that can be followed")
    func followed() async throws {
        try await withSaved { file, text in
            try write(with(#""my app 1","agent 2","my app 1""#, text), to: file)
            let ran = await run(["race", "replay", file])
            let words = ran.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(ran.status == .undecided)
            #expect(words.contains(": the file was edited, or the engine or the lab has changed since"))
        }
    }

    @Test("says so in the reports for other programs, too")
    func reports() async throws {
        try await withSaved { file, text in
            try write(with(#""my app 1","agent 2","my app 1""#, text), to: file)
            let junit = file.replacing("race.json", with: "race.xml")
            let ran = await run(["race", "replay", file, "--json", "--junit", junit])
            #expect(ran.status == .undecided && ran.output.contains(#""verdict":"unknown""#), "\(ran.output)")
            #expect(ran.output.contains(#""difference":"recorded as "#), "\(ran.output)")
            let report = try String(contentsOfFile: junit, encoding: .utf8)
            #expect(report.contains(#"errors="1""#) && report.contains("<error message=\"recorded as "))
        }
    }

    @Test("says in one line that a file is no saved schedule")
    func notSaved() async throws {
        let ran = await run(["race", "replay", "/etc/passwd"])
        let words = "not a saved schedule or race, /etc/passwd; give a file that `--save` wrote"
        #expect(ran.status == .usage && ran.errors == "widgetbridge: \(words)\n", "\(ran.errors)")
    }

    @Test("records the order that was followed instead, if the user wants that")
    func updated() async throws {
        try await withSaved { file, text in
            try write(with(#""my app 1","agent 2","my app 7""#, text), to: file)
            let updated = await run(["race", "replay", file, "--update"])
            #expect(updated.status == .done && updated.output.contains("differ, recorded anew"), "\(updated)")
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("my app 7"))
            #expect(await run(["race", "replay", file]).status == .done)
        }
    }

    @Test("says in words on which disk it was recorded")
    func disks() async throws {
        try await withSaved { file, text in
            let simulated = await run(["race", "replay", file, "--real", "/tmp"])
            #expect(simulated.errors.contains("the schedule is of the simulated disk, \(file); omit --real"))
            try write(text.replacing("\"layer\": 0", with: "\"layer\": 1"), to: file)
            let real = await run(["race", "replay", file])
            #expect(real.errors.contains("the schedule is of real files, \(file); give --real DIR"))
        }
    }

    @Test("names a file whose name is not UTF-8, and replays the others")
    func names() async throws {
        try await withSaved { file, text in
            let directory = file.replacing("/race.json", with: "")
            let bytes = Array("\(directory)/r".utf8) + [0xFF] + Array(".json".utf8)
            let path = bytes.map { CChar(bitPattern: $0) } + [0]
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
            #expect(descriptor >= 0)
            close(descriptor)
            let ran = await run(["race", "replay", directory])
            #expect(ran.status == .usage)
            #expect(ran.output.contains("\(directory)/r\\xff.json"), "\(ran.output)")
            #expect(ran.output.contains("2 files: 1 clean, 1 not replayed"), "\(ran.output)")
            let name = "the name of the file is not UTF-8, \(directory)/r\\xff.json; rename the file"
            #expect(ran.errors.contains(name), "\(ran.errors)")
            #expect(throws: RaceReplayError.self) {
                for file in try ScheduleDirectory(path: directory).files() {
                    _ = try ScheduleDirectory.text(of: file)
                }
            }
        }
    }
}
