import Foundation
import RaceLab
import TestWorld
import Testing

/// What two programs and the agent between them leave behind is the same whether the lab watches or not.
@Suite("Watching changes nothing")
struct WatchedProgramsTests {
    private static let pairs: [ProgramPair] = [
        ProgramPair(
            name: "an app that saves from memory, after a widget's tap",
            turns: [
                .app("load; edit s/a.:0/a\\\":1/; rename"), .rest,
                .widget("load; edit s/b.:0/b\\\":1/; rename"),
                .rest, .app("edit s/a.:1/a\\\":2/; rename"), .rest,
            ],
            end: #"{"a":2,"b":1}"#
        ),
        ProgramPair(
            name: "an app that saves from memory after each of four taps",
            turns: [.app("load"), .rest]
                + (1...4).flatMap { tap -> [ProgramPair.Turn] in
                    [
                        .widget("load; edit s/b.:[0-9]/b\\\":\(tap)/; rename"), .rest,
                        .app("edit s/a.:[0-9]/a\\\":\(tap)/; rename"), .rest,
                    ]
                },
            end: #"{"a":4,"b":4}"#
        ),
        ProgramPair(
            name: "an app that saves from memory, after an indexer has read the tap",
            turns: [
                .app("load; edit s/a.:0/a\\\":1/; rename"), .rest,
                .widget("load; edit s/b.:0/b\\\":1/; rename"),
                .rest, .another("grep -rq b app"), .app("edit s/a.:1/a\\\":2/; rename"), .rest,
            ],
            end: #"{"a":2,"b":0}"#
        ),
        ProgramPair(
            name: "an app that reads before it saves by rename",
            turns: [
                .app("load; edit s/a.:0/a\\\":1/; rename"), .rest,
                .widget("load; edit s/b.:0/b\\\":1/; rename"),
                .rest, .app("load; edit s/b.:1/b\\\":0/; rename"), .rest,
            ],
            end: #"{"a":1,"b":0}"#
        ),
        ProgramPair(
            name: "an app that saves in place from memory, after a widget's tap",
            turns: [
                .app("load; edit s/a.:0/a\\\":1/; inPlace"), .rest,
                .widget("load; edit s/b.:0/b\\\":1/; inPlace"), .rest,
                .app("edit s/a.:1/a\\\":2/; inPlace"), .rest,
            ],
            end: #"{"a":2,"b":1}"#
        ),
        ProgramPair(
            name: "a widget that saves from its cache, after two saves of the app",
            turns: [
                .widget("load"), .app("load; edit s/a.:0/a\\\":1/; rename"), .rest,
                .app("edit s/a.:1/a\\\":2/; rename"), .rest, .widget("edit s/b.:0/b\\\":1/; rename"), .rest,
            ],
            end: #"{"a":2,"b":1}"#
        ),
        ProgramPair(
            name: "an app that deletes, and a widget that saves from memory",
            turns: [
                .widget("load"), .app("rm n.json"), .rest, .widget("edit s/b.:0/b\\\":1/; rename"), .rest,
            ],
            end: #"{"a":0,"b":1}"#
        ),
        ProgramPair(
            name: "an app that unlinks and writes again, and a widget that reads",
            turns: [
                .app("load; edit s/a.:0/a\\\":1/; rm n.json; inPlace"), .rest, .widget("load"),
                .app("edit s/a.:1/a\\\":2/; rm n.json; inPlace"), .rest,
                .widget("edit s/b.:0/b\\\":1/; rename"), .rest,
            ],
            end: #"{"a":2,"b":1}"#
        ),
        ProgramPair(
            name: "two programs that save fast",
            turns: [
                .app("load; for i in 1 2 3 4 5 6 7 8 9; do edit s/a.:[0-9]/a\\\":$i/; rename; done"), .rest,
                .widget("load; for i in 1 2 3 4 5 6 7 8 9; do edit s/b.:[0-9]/b\\\":$i/; rename; done"),
                .rest,
                .app("for i in 1 2 3 4 5 6 7; do edit s/a.:[0-9]/a\\\":$i/; rename; done"), .rest,
            ],
            end: #"{"a":7,"b":9}"#
        ),
        ProgramPair(
            name: "documents in directories that appear, and a widget that saves from memory",
            document: "notes/n.json",
            turns: [
                .widget("load"), .app("load; edit s/a.:0/a\\\":1/; rename; mkdir more; echo 1 > more/m.json"),
                .rest, .widget("edit s/b.:0/b\\\":1/; rename; rm -r more"), .rest,
            ],
            end: #"{"a":1,"b":1}"#
        ),
        ProgramPair(
            name: "an app of version 1 that is migrated, and a widget of version 2",
            document: "budget.json",
            start: LiveApp.budget.v1,
            profile: "budget",
            turns: [
                .widget("held='\(LiveApp.budget.v2(with: LiveApp.budget.byWidget))'; rename"), .rest,
                .app("held='\(LiveApp.budget.v2(with: LiveApp.budget.byApp))'; rename"), .rest,
            ],
            end: LiveApp.budget.v2(with: LiveApp.budget.byApp, LiveApp.budget.byWidget)
        ),
    ]

    private struct Ends {
        var documents: [String: String]
        /// `nil` where the lab did not watch.
        var reads: LabReads?
    }

    private func ends(_ pair: ProgramPair, isWatched: Bool) async throws -> Ends {
        try await RealBridge.with { bridge in
            let place = URL(filePath: "\(bridge.app)/\(pair.document)").deletingLastPathComponent()
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try write(pair.start, to: "\(bridge.app)/\(pair.document)")
            let agent = try await bridge.startAgent(pair.profile.map { ["--profile", $0] } ?? [])
            #expect(try await bridge.wait().status == 0)
            let work = try ProgramPairAtWork(pair, bridge)
            let reads = try await run(work, isWatched: isWatched)
            try await bridge.end(agent)
            return Ends(documents: try work.documents(), reads: reads)
        }
    }

    private func run(_ work: ProgramPairAtWork, isWatched: Bool) async throws -> LabReads? {
        guard isWatched else {
            try await onThread { Result { try work.pair.turns.forEach(work.take) } }.get()
            return nil
        }
        let seen = try await onThread { Result { try work.watched() } }.get()
        #expect(seen.changes > 0)
        return seen.reads
    }

    /// A lab that may read without raising events leaves the same ends. One that may not says of each of
    /// these pairs that it may have changed them.
    @Test(arguments: pairs) func `the ends are the same, or in doubt`(_ pair: ProgramPair) async throws {
        let plain = try await ends(pair, isWatched: false).documents
        if let end = pair.end {
            #expect(plain["app/\(pair.document)"] == end && plain["group/\(pair.document)"] == end)
        }
        let watched = try await ends(pair, isWatched: true)
        if Wrapper.hasSystemAdministration {
            #expect(watched.reads == .silent)
            #expect(watched.documents == plain)
        } else {
            #expect(watched.reads == .heard(by: ["widgetbridge-watch"]))
        }
    }

    /// What the agent's watching program tells of the app's document after the agent has put the widget's tap
    /// there.
    private func evidenceOfTap(isWatched: Bool) async throws -> [String] {
        try await RealBridge.with { bridge in
            var pair = Self.pairs[0]
            pair.turns.removeLast(2)
            try write(pair.start, to: "\(bridge.app)/\(pair.document)")
            let agent = try await bridge.startAgent()
            #expect(try await bridge.wait().status == 0)
            let helper = URL(filePath: Binary.path).deletingLastPathComponent()
                .appending(path: "widgetbridge-watch").path
            let listener = try Running(command: [helper, "--evidence", "--", bridge.app, bridge.group])
            while let line = await listener.line(), line != "ready" {}
            let work = try ProgramPairAtWork(pair, bridge)
            _ = try await run(work, isWatched: isWatched)
            listener.say("token 1")
            var lines: [String] = []
            while let line = await listener.line(), line != "token 1" { lines.append(line) }
            let place = try #require(lines.lastIndex(of: "publish 0 \(pair.document)"))
            try await bridge.end(agent)
            return lines[(place + 1)...].filter {
                $0.hasSuffix(" 0 \(pair.document)") && !$0.hasPrefix("look ")
            }
        }
    }

    @Test(.enabled(if: Wrapper.hasSystemAdministration, "only root may read without raising events"))
    func `the agent hears of no read of what it published`() async throws {
        #expect(try await evidenceOfTap(isWatched: false) == [])
        #expect(try await evidenceOfTap(isWatched: true) == [])
    }
}
