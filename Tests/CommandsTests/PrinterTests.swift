import BridgeRuntime
import Model
import SyncEngine
import Testing

@testable import Commands

@Suite struct PrinterTests {
    private var status: BridgeStatus {
        var counters = BridgeStatus.Counters()
        counters.echoes = 3
        counters.latencyP50 = 850
        return BridgeStatus(
            state: .running,
            reason: .reported(
                "no exchange on this file system: a racing save may be lost between the check and the rename"
            ),
            watch: .polling,
            commit: "rename",
            durability: "batch",
            counters: counters,
            app: "/home/me/app",
            group: "/home/me/group",
            stateDirectory: "/home/me/.local/state/widgetbridge/0123456789abcdef",
            process: 4711,
            instance: "i1",
            documents: [
                BridgeStatus.Document(
                    name: "budget.json",
                    state: .synced,
                    version: BridgeStatus.Document.Versions(app: 1, group: 2),
                    generation: 12,
                    hash: "sha256:00"
                ),
                BridgeStatus.Document(
                    name: "notes/\(String(repeating: "long ", count: 12))\u{1B}[31m.json",
                    state: .held,
                    side: .app,
                    reason: .reported(
                        "not JSON, 3:14: expected `,` or `}`, found the end of the text; it was "
                            + "being written"
                    ),
                    generation: 0
                ),
            ]
        )
    }

    @Test func `Status fits the terminal, and problems come first`() throws {
        let shown = Report.Of(bridge: "home", value: try ShownStatus(status))
        let text = TextPrinter(columns: 80).text(.status([shown]))
        #expect(
            text == """
                home
                app    /home/me/app
                group  /home/me/group
                state  running (process 4711), polling, commit rename, durability batch
                       kept in /home/me/.local/state/widgetbridge/0123456789abcdef
                       no exchange on this file system: a racing save may be lost between the
                       check and the rename

                DOCUMENT                                      STATE      GEN  VERSIONS
                notes/long long long l… long \\u{1b}[31m.json  held         0
                    app: not JSON, 3:14: expected `,` or `}`, found the end of the text; it was
                    being written
                budget.json                                   synced      12  1 | 2

                2 documents: 1 synced, 1 held
                what is held can be saved again, written whole with `put`, or taken back with
                `undo`: `widgetbridge history --bridge home` lists earlier contents

                """
        )
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `Status as JSON always has the documented keys, in order`() throws {
        let text = JSONPrinter().text(.status([Report.Of(value: try ShownStatus(status))]))
        #expect(
            text
                == #"{"state":"running","reason":"no exchange on this file system: a racing save "#
                + #"may be lost "#
                + #"between the check and the rename","watch":"polling","commit":"rename","#
                + #""durability":"batch","#
                + #""echoes":3,"documents":[{"name":"budget.json","state":"synced","side":null,"#
                + #""reason":null,"#
                + #""version":{"app":1,"group":2},"generation":12,"hash":"sha256:00","#
                + #""isNewerVersion":false},"#
                + #"{"name":"notes/long long long long long long long long long long long long "#
                + #"\u001b[31m.json","#
                + #""state":"held","side":"app","reason":"not JSON, 3:14: expected `,` or `}`, "#
                + #"found the end of "#
                + #"the text; it was being written","version":{"app":null,"group":null},"#
                + #""generation":0,"hash":null,"#
                + #""isNewerVersion":false}],"counters":{"changes":0,"echoes":3,"races":0,"#
                + #""merges":0,"conflicts":0,"#
                + #""notices":0,"rescans":0,"latencyP50":850,"latencyP90":null,"latencyP99":null,"#
                + #""latencyP50Ms":0.850,"latencyP90Ms":null,"latencyP99Ms":null},"#
                + #""app":"/home/me/app","group":"/home/me/group","stateDirectory":"#
                + #""/home/me/.local/state/widgetbridge/0123456789abcdef","process":4711,"instance":"i1","#
                + #""allow":null,"trash":{"files":0,"bytes":0,"limit":268435456,"droppedEarly":0,"#
                + #""limitBytes":268435456},"pausedSince":null,"filters":null}"#
                + "\n"
        )
    }

    @Test func `With several bridges each line names its bridge`() {
        let report = SyncReport(dryRun: true, changes: [], documents: 0)
        let all = [Report.Of(bridge: "a\"b", value: report), Report.Of(bridge: "c", value: report)]
        #expect(
            JSONPrinter().text(.plan(all)) == """
                {"bridge":"a\\"b","dryRun":true,"changes":[],"documents":0,"halt":null}
                {"bridge":"c","dryRun":true,"changes":[],"documents":0,"halt":null}

                """
        )
    }

    private func change(
        _ document: String,
        _ action: PlannedChange.Action,
        _ from: Side?,
        _ reason: Reported<SyncReport.Change.Reason>
    ) -> SyncReport.Change {
        SyncReport.Change(document: document, action: action, from: from, reason: reason)
    }

    @Test func `A plan has the direction and the reason`() {
        let report = SyncReport(
            dryRun: true,
            changes: [
                change("a.json", .create, .app, .reported("new in app")),
                change("b.json", .delete, .group, .reported("gone from group")),
                change("c.json", .merge, nil, .known(.planned(.done(.bothChanged)))),
                change(
                    "d.json",
                    .hold,
                    nil,
                    .reported(
                        "app: not JSON, 1:1: expected a value, found the end of the text, for "
                            + "longer than a second"
                    )
                ),
            ],
            documents: 9,
            halt: .reported("the group container lost everything")
        )
        #expect(
            TextPrinter(columns: 80).text(.plan([Report.Of(value: report)])) == """
                create    app → group  a.json  new in app
                delete    group → app  b.json  gone from group
                merge                  c.json  both sides changed
                hold                   d.json  app: not JSON, 1:1: expected a value, found the
                                       end of the text, for longer than a second
                halted: the group container lost everything; `widgetbridge status` says how to
                        go on
                9 documents, 3 rows planned, 1 held; nothing was written

                """
        )
    }

    @Test func `Colour is used only on request or on a terminal`() throws {
        let report = Report.status([Report.Of(value: try ShownStatus(status))])
        let plain = TextPrinter().text(report)
        let coloured = TextPrinter(usesColour: true).text(report)
        #expect(!plain.contains("\u{1B}"))
        #expect(
            coloured.contains("\u{1B}[32mrunning\u{1B}[0m")
                && coloured.contains("\u{1B}[31mheld    \u{1B}[0m")
        )
    }
}

@Suite struct ExitStatusTests {
    private func status(
        _ states: [(BridgeStatus.Document.State, isNewer: Bool)],
        _ bridge: BridgeStatus.State
    ) -> CommandStatus {
        BridgeStatus(
            state: bridge,
            reason: nil,
            watch: .inotify,
            commit: "exchange",
            durability: "batch",
            counters: BridgeStatus.Counters(),
            app: "",
            group: "",
            stateDirectory: "",
            process: nil,
            instance: "",
            documents: states.map { BridgeStatus.Document(name: "a", state: $0, isNewerVersion: $1) }
        ).exitStatus
    }

    @Test func `The most severe of several statuses applies`() {
        #expect(
            CommandStatus.heaviest([.done, .changesPending, .needsDecision, .newerVersion, .failed, .usage])
                == .usage
        )
        #expect(
            CommandStatus.heaviest([.done, .changesPending, .needsDecision, .newerVersion, .failed])
                == .failed
        )
        #expect(
            CommandStatus.heaviest([.done, .changesPending, .needsDecision, .newerVersion]) == .newerVersion
        )
        #expect(CommandStatus.heaviest([.done, .changesPending, .needsDecision]) == .needsDecision)
        #expect(CommandStatus.heaviest([.done, .changesPending]) == .changesPending)
        #expect(CommandStatus.heaviest([]) == .done)
    }

    @Test func `Status says what to do`() {
        #expect(status([], .stopped) == .done)
        #expect(status([(.synced, false)], .running) == .done)
        #expect(status([(.pending, false)], .running) == .changesPending)
        #expect(status([(.held, false), (.pending, false)], .running) == .needsDecision)
        #expect(status([(.held, true)], .running) == .newerVersion)
        #expect(status([(.conflict, false)], .running) == .done, "the sync that settled it has said so")
        #expect(status([(.synced, false)], .halted) == .needsDecision)
    }

    @Test(arguments: [
        (PlannedChange.Action.create, CommandStatus.changesPending, CommandStatus.done),
        (.update, .changesPending, .done),
        (.delete, .changesPending, .done), (.merge, .changesPending, .done), (.adopt, .done, .done),
        (.conflict, .needsDecision, .needsDecision), (.hold, .needsDecision, .needsDecision),
    ])
    func `A plan says what to do`(
        _ action: PlannedChange.Action,
        _ dry: CommandStatus,
        _ real: CommandStatus
    ) {
        let change = SyncReport.Change(document: "a", action: action, from: nil, reason: .reported(""))
        #expect(SyncReport(dryRun: true, changes: [change], documents: 1).exitStatus == dry)
        #expect(SyncReport(dryRun: false, changes: [change], documents: 1).exitStatus == real)
        #expect(
            SyncReport(dryRun: false, changes: [], documents: 1, halt: .reported("x")).exitStatus
                == .needsDecision
        )
    }

    @Test func `A newer version alone is status 4`() {
        let change = SyncReport.Change(
            document: "a",
            action: .hold,
            from: nil,
            reason: .reported(""),
            isNewerVersion: true
        )
        #expect(SyncReport(dryRun: false, changes: [change], documents: 1).exitStatus == .newerVersion)
    }

    @Test func `The patch of a kept conflict is printed without white space between its values`() {
        var conflict = KeptConflict(
            id: "0123",
            document: "a.json",
            side: .app,
            at: 0,
            reason: .reported("r"),
            file: "f"
        )
        conflict.patch = "[\n  {\"op\":\"add\",\"path\":\"/a b\",\"value\":{ \"k\": \" \\\" \" }}\n]\n"
        let text = TextPrinter().text(.conflicts([conflict]))
        #expect(
            text.contains(
                #"\n    [{"op":"add","path":"/a b","value":{"k":" \" "}}]\n"#.replacing(#"\n"#, with: "\n")
            )
        )
    }
}
