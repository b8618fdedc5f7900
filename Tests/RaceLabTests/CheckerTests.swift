import FileSystemSimulation
import FuzzWorlds
import Model
import RaceLab
import StateStore
import TestWorld
import Testing

/// A checker that never speaks proves nothing: each is shown a mistake that it must find.
@Suite("Every checker of the simulation", .threadPerTest)
struct CheckerTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let door: WrongFileSystem.Fault?
        let journal: WrongJournal.Fault?
        let finding: String
        var cutsPower = false
        var editsProfile = false
        var steps = 60
        var isHindered = false
        var movesFolders = false

        var testDescription: String {
            "\(door.map { "\($0)" } ?? journal.map { "\($0)" } ?? "") → \(finding)"
        }

        static func moving(_ fault: WrongFileSystem.Fault, _ finding: String) -> Mistake {
            Mistake(door: fault, journal: nil, finding: finding, movesFolders: true)
        }

        static func door(
            _ fault: WrongFileSystem.Fault,
            _ finding: String,
            power: Bool = false,
            steps: Int = 60
        )
            -> Mistake
        {
            Mistake(door: fault, journal: nil, finding: finding, cutsPower: power, steps: steps)
        }

        static func journal(_ fault: WrongJournal.Fault, _ finding: String, edits: Bool = false) -> Mistake {
            Mistake(
                door: nil,
                journal: fault,
                finding: finding,
                editsProfile: edits,
                steps: edits ? 150 : 60
            )
        }
    }

    static let mistakes: [Mistake] = [
        .door(.tearsWrites, "torn"),
        .door(.leaksHandles, "leaked"),
        .door(.leavesTemporaries, "littered", steps: 10),
        .door(.leavesDirectories, "emptyDirectory"),
        .door(.replacesForExchange, "destroyed"),
        .door(.replacesForExclusive, "destroyed"),
        .door(.publishesNothing, "premature"),
        .door(.publishesNothing, "agreedOnNothing"),
        .door(.deniesWriters, "lost"),
        Mistake(door: .deniesWriters, journal: nil, finding: "mixed", steps: 150, isHindered: true),
        .door(.forgetsConflicts, "buried"),
        .door(.looksUnchanged, "diverged"),
        .door(.goesDeaf, "deaf"),
        .door(.alwaysRaces, "restless"),
        .moving(.movesNothing, "agreedOnNothing"),
        .moving(.losesMoves, "agreedOnNothing"),
        .moving(.losesMoves, "premature"),
        .moving(.cannotMove, "deaf"),
        .moving(.replacesForExclusive, "destroyed"),
        .door(.weighsBytes, "overfull", steps: 150),
        .door(.syncsNoFile, "tornByPowerCut", power: true, steps: 150),
        .door(.syncsNoName, "forgottenByPowerCut", power: true, steps: 150),
        .journal(.forgetsNotices, "sequenceWentBack"),
        .journal(.forgetsGenerations, "generationWentBack"),
        .journal(.cannotBeOpened, "cannotStart"),
        .journal(.keepsInstance, "sequenceWentBack"),
        .journal(.forgetsContents, "contradicted"),
        .journal(.takesTextsForNewest, "misspoken", edits: true),
        .journal(.forgetsProfile, "tookOtherProfile", edits: true),
        .journal(.forgetsViews, "littered", edits: true),
        .journal(.keepsOneConflict, "undecidable"),
    ]

    @Test("finds the mistake it is there for", arguments: mistakes)
    func finds(mistake: Mistake) {
        let found = (0..<UInt64(120)).contains { seed in finding(mistake, seed) == mistake.finding }
        #expect(found)
    }

    private func finding(_ mistake: Mistake, _ seed: UInt64) -> String? {
        var faultProfile = FaultProfile(seed: seed, powerCuts: mistake.cutsPower)
        if [.keepsInstance, .forgetsContents].contains(mistake.journal) {
            faultProfile = FaultProfile(journalSeed: seed)
        }
        if mistake.movesFolders { faultProfile = FaultProfile(renamedSeed: seed) }
        if mistake.isHindered { faultProfile = FaultProfile(hinderedSeed: seed) }
        if mistake.editsProfile { faultProfile = FaultProfile(profileSeed: seed) }
        // A bridge-made directory is emptied often enough only where there is little else.
        if mistake.door == .leavesDirectories {
            faultProfile.names = ["d/e/f.json"].compactMap { RelativePath($0) }
            faultProfile.deletes = true
        }
        do throws(Violation) {
            if let fault = mistake.door {
                let simulation = Simulation(
                    seed: seed,
                    faultProfile: faultProfile,
                    files: { WrongFileSystem($0, fault) },
                    journal: { $0 }
                )
                _ = try simulation.run(steps: mistake.steps)
            } else if let fault = mistake.journal {
                let simulation = Simulation(
                    seed: seed,
                    faultProfile: faultProfile,
                    files: { $0 },
                    journal: { WrongJournal(base: $0, fault: fault) }
                )
                _ = try simulation.run(steps: mistake.steps)
            }
            return nil
        } catch {
            return String("\(error)".prefix { $0 != "(" })
        }
    }
}
