import Model
import Testing

@testable import RaceLab

@Suite("The advice how a race is mended")
struct AdviceTests {
    /// The finding that a preset is for.
    private func advice(_ preset: String) throws -> Advice? {
        let scenario = try #require(try Preset.scenario(preset))
        var options = ExploreOptions()
        options.wanted = scenario.expected
        options.jobs = ExploreOptions.processors
        options.shrinks = false
        var explorer = Explorer(scenario, options)
        let finding = explorer.explore().findings.first { $0.anomaly.kind == scenario.expected }
        return finding.map { $0.anomaly.advice(in: $0.history) }
    }

    @Test(
        "names who has to do what, for every fault that a preset is made of",
        arguments: [
            ("truncate-writer", "agent", .leaveOpenFiles), ("write-in-place", "agent", .leaveOpenFiles),
            ("read-modify-write", "app", .expectHash), ("widget-tap-lost", "app", .expectHash),
            ("late-v1-save", "agent", .mergeEdits), ("stat-recheck", "agent", .examineDisplaced),
            ("swap-back", "agent", .neverSwapBack), ("unlink-then-rename", "agent", .replaceInOneStep),
            ("notify-before-rename", "agent", .notifyAfterRename),
            ("debounce-too-short", "agent", .debounce), ("same-size-same-second", "agent", .compareAgain),
            ("inode-reuse", "agent", .compareAgain), ("base-before-files", "agent", .recordLast),
            ("crash-between-two-sides", "agent", .recordLast), ("two-agents", "agent", .beAlone),
            ("reload-at-once", "agent", .debounce), ("frozen-by-budget", "agent", .reloadForNews),
            ("stale-as-fresh", "agent", .notifyOfAge), ("tap-lost", "agent", .keepTaps),
            ("clock-jump", "agent", .followClock),
        ] as [(String, String, Remedy)]
    )
    func presets(preset: String, actor: String, remedy: Remedy) throws {
        #expect(try advice(preset) == Advice(actor: actor, remedy: remedy))
    }

    private func remedies(_ tell: (inout Story) -> Void) -> [AnomalyKind: Advice] {
        var story = Story()
        tell(&story)
        let anomalies = judge(story.history).anomalies
        return Dictionary(anomalies.map { ($0.kind, $0.advice(in: story.history)) }) { first, _ in first }
    }

    @Test("tells a save that overwrites another one from a bridge that does")
    func lost() {
        for isProgram in [true, false] {
            let advice = remedies { story in
                let (empty, one, two) = (story.version(), story.version(1), story.version(2))
                story.reads(Story.agent, empty)
                story.saves(Story.app, 1, one, over: empty)
                if isProgram {
                    story.saves(Story.app, 2, two, over: one, knowing: empty)
                } else {
                    story.brings(.app, empty, over: one)
                }
                let end = isProgram ? two : empty
                story.rests(app: end, group: end)
            }
            let mended = isProgram ? Advice(actor: "app", remedy: .expectHash) : nil
            #expect(advice[.lostUpdate] == mended ?? Advice(actor: "agent", remedy: .examineDisplaced))
        }
    }

    @Test("asks the program to put where a bridge cannot exchange files")
    func withoutExchange() {
        let advice = remedies { story in
            let (empty, one) = (story.version(), story.version(1))
            story.history.canExchange = false
            story.reads(Story.agent, empty)
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.app, empty, over: one)
            story.rests(app: empty, group: empty)
        }
        #expect(advice[.lostUpdate] == Advice(actor: "app", remedy: .saveThroughBridge))
    }

    @Test("speaks of a displaced save only where a bridge has displaced one")
    func notDisplaced() throws {
        // Nobody changed the document after the save, and it is nowhere.
        let nobody = remedies { story in
            let (empty, one) = (story.version(), story.version(1))
            story.saves(Story.app, 1, empty, over: empty, intending: one)
            story.rests(app: empty, group: empty)
        }
        #expect(nobody[.lostUpdate] == Advice(actor: "app", remedy: .checkSave))
        let answered = remedies { story in
            let (empty, one) = (story.version(), story.version(1))
            story.saves(Story.app, 1, empty, over: empty, intending: one, by: .edit)
            story.rests(app: empty, group: empty)
        }
        #expect(answered[.lostUpdate] == Advice(actor: "agent", remedy: .answerOnceWritten))
        // It may be that a real bridge has read what it overwrites.
        let unknown = remedies { story in
            let (empty, one) = (story.version(), story.version(1))
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.app, empty, over: one)
            story.rests(app: empty, group: empty)
        }
        #expect(unknown[.lostUpdate] == Advice(actor: "agent", remedy: .keepSaves))
    }

    @Test("does not blame the bridge for a program that was killed")
    func killed() {
        let advice = remedies { story in
            let (empty, one) = (story.version(), story.version(1))
            story.reads(Story.agent, empty)
            story.dies(Story.widget)
            story.saves(Story.app, 1, one, over: empty)
            story.brings(.app, empty, over: one)
            story.rests(app: empty, group: empty)
        }
        #expect(advice[.lostUpdate] == Advice(actor: "agent", remedy: .examineDisplaced))
    }

    @Test("of a user's check is for whoever made the last change, to any document")
    func ownCheck() {
        var story = Story()
        let (empty, one) = (story.version(), story.version(1))
        let nobody = Anomaly.refused("no", story.history).advice(in: story.history)
        #expect(nobody == Advice(actor: "the programs", remedy: .satisfyCheck))
        story.saves(Story.widget, 1, one, over: empty)
        #expect(Anomaly.refused("no", story.history).advice(in: story.history).actor == "widget")
        // A bridge that brings what the widget saved is not to blame for it.
        let saved = story.history.steps.count - 1
        story.brings(.app, one, over: empty)
        let brought = Anomaly.refused("no", story.history).advice(in: story.history)
        #expect(brought == Advice(actor: "widget", remedy: .satisfyCheck, step: saved))
        #expect(brought.text.contains("step \(saved), the last change of a program (widget)"))
    }

    @Test("tells a bridge that carries half a file from the program that writes it")
    func torn() {
        for isCarried in [true, false] {
            let advice = remedies { story in
                let (empty, one, half) = (story.version(), story.version(1), story.version(3))
                story.opens(Story.app, half, over: empty, intending: one)
                if isCarried { story.brings(.group, half, over: empty) }
                story.reads(isCarried ? Story.widget : Story.app, half)
                story.rests(app: one, group: one)
            }
            let carried = Advice(actor: "agent", remedy: .leaveOpenFiles)
            let written = Advice(actor: "app", remedy: .renameNewFile)
            #expect(advice[.tornRead] == (isCarried ? carried : written))
        }
    }

    @Test("is for the bridge where it has forgotten a deletion, or rests too early")
    func bridge() {
        let advice = remedies { story in
            let one = story.version(1)
            story.deletes(Story.app, one)
            story.brings(.app, one, over: History.absent)
            story.rests(app: one, group: story.version())
        }
        #expect(advice[.resurrectedDeletion] == Advice(actor: "agent", remedy: .rememberDeletions))
        #expect(advice[.divergence] == Advice(actor: "agent", remedy: .compareAgain))
    }

    /// The bridge deletes what the widget saved, and the widget reads.
    private func deleted() throws -> JudgedObservation {
        var sight = try Sight(nil)
        sight.seesCalls()
        sight.calls(.widget, .rename, at: .group)
        sight.sees(.group, #"{"n":1}"#, isRenamed: true)
        sight.fetches(.group)
        sight.calls(.bridge, .unlink, at: .group)
        sight.sees(.group, nil, isDeleted: true)
        sight.fetches(.group)
        return sight.judged()
    }

    @Test("is for the bridge to keep what is new, where it deletes that")
    func deletedByBridge() throws {
        let judged = try deleted()
        let lost = try #require(judged.judgement.anomalies.first { $0.kind == .lostUpdate })
        #expect(lost.advice(in: judged.history) == Advice(actor: "bridge", remedy: .keepNew))
    }

    @Test("is first for what explains the other finds of real programs")
    func causesFirst() throws {
        let judged = try deleted()
        #expect(judged.judgement.kinds == [.lostUpdate, .nonMonotonicRead])
        let observation = ObservationReport(
            history: judged.history,
            judgement: judged.judgement,
            latencies: Latencies(),
            duration: .zero,
            changes: 1,
            looks: 1,
            noticed: [],
            unseenReloads: 0
        )
        #expect(observation.findings.map(\.anomaly.kind) == [.lostUpdate, .nonMonotonicRead])
    }

    @Test("is a sentence that starts with who has to do it")
    func text() {
        // What a check says blames nobody.
        for remedy in Remedy.allCases where remedy != .satisfyCheck {
            let text = Advice(actor: "agent", remedy: remedy).text
            #expect(text.hasPrefix("agent must ") && !text.hasSuffix("."), "\(remedy)")
        }
    }
}
