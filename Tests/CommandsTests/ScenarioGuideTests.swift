import Foundation
import RaceLab
import Testing

@testable import Commands

/// The tables of scenarios in the guide, compared with the manual, which is compared with the reader.
@Suite struct ScenarioGuideTests {
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/WidgetBridge/WidgetBridge.docc/TestingForRaces.md").standardized

    /// The words of the first column of the table with this head, without what follows them.
    private func words(_ head: String) throws -> [String] {
        let text = try String(contentsOf: Self.guide, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(head) |") }, "no table `\(head)`")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.flatMap { line in
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            return cell.matches(of: /`([a-z-]+)[^`]*`/).map { String($0.1) }
        }
    }

    @Test(arguments: [
        ("key", ScenarioManual.scenarioKeys), ("key of a document", ScenarioManual.documentKeys),
        ("key of a widget", ScenarioManual.widgetKeys),
        ("key of an actor", ScenarioManual.actorKeys), ("key of `machine`", ScenarioManual.machineKeys),
        ("key of `settings`", ScenarioManual.settingKeys),
        ("key of an operation", ScenarioManual.operationKeys),
    ])
    func `The guide has exactly the keys of the manual`(_ head: String, _ table: ManualTable) throws {
        #expect(try words(head).sorted() == table.keys.map(\.name).sorted())
    }

    @Test func `The guide has exactly the operations, the engines and the kinds of anomalies`() throws {
        #expect(try words("operation").sorted() == Operation.Verb.allCases.map(\.rawValue).sorted())
        #expect(try words("engine").sorted() == EngineKind.allCases.map(\.rawValue).sorted())
        #expect(try words("kind").sorted() == AnomalyKind.allCases.map(\.rawValue).sorted())
    }

    @Test func `The guide names each kind of actor`() throws {
        let text = try String(contentsOf: Self.guide, encoding: .utf8)
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `kind` |") })
        for kind in ScenarioActor.Kind.allCases { #expect(row.contains("`\(kind.rawValue)`")) }
    }
}
