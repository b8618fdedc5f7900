import Foundation
import Glibc
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(2))) struct MigrateInterruptionTests {
    @Test func `An interrupted rollback counts the documents, and the same command goes on`() async throws {
        try await MigrationGround.with { ground in
            let names = (0..<2_000).map { "\($0).json" }
            for name in names { try ground.put(LiveApp.first.v1, name) }
            let files = names.map { "D/\($0)" }
            #expect(await ground.migrate(["apply"] + files).status == .done)
            let flags = ["--profile", "budget", "--state", ground.path(".state")]
            let running = try Running(["migrate", "rollback"] + names.map(ground.path) + flags)
            #expect(try await eventually { ground.read("0.json") == LiveApp.first.v1 })
            running.send(SIGINT)
            let ended = await running.ended()
            #expect(ended.status == CommandStatus.partlyDone.rawValue)
            let isBack = names.filter { ground.read($0) == LiveApp.first.v1 }.count
            #expect(isBack > 0 && isBack < names.count)
            let words = "widgetbridge: interrupted: \(isBack.grouped) of 2,000 documents are as they were; "
            #expect(ended.errors == words + "run the same command again to go on\n")
            #expect(ended.output.split(separator: "\n").count == isBack)
            #expect(await ground.migrate(["rollback"] + files).status == .done)
            #expect(names.allSatisfy { ground.read($0) == LiveApp.first.v1 })
        }
    }
}
