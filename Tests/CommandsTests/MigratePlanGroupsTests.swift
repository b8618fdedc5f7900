import Documents
import Foundation
import Testing

@testable import Commands

/// A plan of many documents shows one of those that are migrated in the same way.
@Suite struct MigratePlanGroupsTests {
    private let v1 = LiveApp.first.v1

    /// A container with this many documents of version 1, by a profile of any name.
    private func with(_ count: Int, _ body: (MigrationGround) async throws -> Void) async throws {
        try await MigrationGround.with { ground in
            let text = try #require(Profile.builtInText("budget"))
            try ground.put(text.replacing("path: budget.json", with: "path: '*.json'"), "mine.yaml")
            try FileManager.default.createDirectory(
                atPath: ground.path("c"),
                withIntermediateDirectories: false
            )
            for number in 0..<count { try ground.put(v1, "c/\(100 + number).json") }
            try await body(ground)
        }
    }

    private func files(_ count: Int) -> [String] { (0..<count).map { "D/c/\(100 + $0).json" } }

    @Test func `Documents that are migrated alike are one example and a number`() async throws {
        try await with(50) { ground in
            let plan = await ground.migrate(["plan"] + files(50), profile: "D/mine.yaml")
            #expect(plan.status == .changesPending, "\(plan.errors)")
            #expect(plan.output.components(separatedBy: "LOSSLESS").count == 2, "\(plan.output)")
            #expect(plan.output.hasPrefix("D/c/100.json  1 → 2  LOSSLESS\n"))
            #expect(plan.output.contains("… 49 more documents are migrated in the same way; "))
            #expect(plan.output.contains("50 to migrate\n"))
            let all = await ground.migrate(["plan", "--all"] + files(50), profile: "D/mine.yaml")
            #expect(all.output.components(separatedBy: "LOSSLESS").count == 51)
            let json = await ground.migrate(["plan", "--json"] + files(50), profile: "D/mine.yaml")
            #expect(json.output.components(separatedBy: "\"class\":").count == 51)
        }
    }

    @Test func `Each document that cannot be migrated is named`() async throws {
        try await with(12) { ground in
            for number in 4..<9 { try ground.put("{\"version\":\"x\"}", "c/\(100 + number).json") }
            let plan = await ground.migrate(["plan"] + files(12), profile: "D/mine.yaml")
            #expect(plan.status == .failed)
            #expect(plan.output.components(separatedBy: "LOSSLESS").count == 2, "\(plan.output)")
            for number in 4..<9 {
                #expect(plan.output.contains("D/c/\(100 + number).json"), "\(plan.output)")
            }
            #expect(plan.output.components(separatedBy: "BLOCKED").count == 2, "\(plan.output)")
        }
    }
}
