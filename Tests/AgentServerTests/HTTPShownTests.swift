import BridgeRuntime
import Documents
import Foundation
import Model
import TestBridge
import Testing

@Suite(.timeLimit(.minutes(2))) struct HTTPShownTests {
    private let bridge = FakeBridge()
    /// In milliseconds since 1970.
    private let updated = Int64(Date().timeIntervalSince1970 * 1_000)

    private func budget(spent: Int) -> [UInt8] {
        let numbers = "\"spent\":\(spent).50,\"limit\":800.00,\"isDarkMode\":false"
        let time = "\"lastUpdated\":\"\(UTCTime.text(updated))\""
        let texts = #""month":"Gennaio 2026","currency":"EUR""#
        let group = #""groupId":"123e4567-e89b-12d3-a456-426614174000""#
        return Array("{\(numbers),\n\(texts),\n\(time),\(group)}".utf8)
    }

    private func save(_ bytes: [UInt8]) async throws -> Digest {
        let name = try path("budget.json")
        return try await bridge.put(bytes, as: name, side: .group, expecting: .anything).hash
    }

    @Test func `What a kind shows is sent at once, and whenever it changes`() async throws {
        let text = try await withServer(of: bridge) { socketPath in
            let connection = try RawConnection(socketPath: socketPath)
            try await connection.send("GET /v1/shown?document=budget.json HTTP/1.1\r\nHost: x\r\n\r\n")
            let none = await connection.receive(until: "}\n\n\r\n")
            #expect(none.contains("Content-Type: text/event-stream\r\n"), "\(none)")
            #expect(none.contains(#"data: {"kind":"BudgetWidget","document":"budget.json","state":"nodata""#))
            #expect(none.contains(#""text":"Budget non configurato","hash":null,"#), "\(none)")
            #expect(none.contains(#""changesAt":null,"value":null}"#), "\(none)")

            let hash = try await save(budget(spent: 1))
            let first = await connection.receive(until: "}\n\n\r\n")
            #expect(first.contains(#""state":"fresh","text":null,"hash":"\#(hash)""#), "\(first)")
            // The text of its age changes within a minute.
            #expect(first.contains(#""changesAt":"20"#), "\(first)")
            #expect(first.contains(#""texts":{"updated":"Aggiornato ora"}"#), "\(first)")
            // The widgets' data are those of the newest version.
            #expect(first.contains(#""version":2"#) && first.contains(#""spent":1"#), "\(first)")

            // It is saved anew as it was: nothing to tell.
            _ = try await save(budget(spent: 1))
            _ = try await save(budget(spent: 2))
            return await connection.receive(until: "}\n\n\r\n")
        }
        #expect(text.contains(#""spent":2"#), "\(text)")
    }

    @Test(arguments: [
        ("kind=Nope", #""known":["BudgetWidget"]"#), ("kind=BudgetWidget&document=a.json", "leave one out"),
        ("kind=BudgetWidget&family=small", #""known":["systemSmall","systemMedium","systemLarge"]"#),
        ("kinds=x", "Did you mean `kind`?"), ("document=.", "400"),
        ("document=notes", "urn:widgetbridge:problem:not-a-document"),
    ])
    func `What names nothing that is shown is refused`(_ query: String, _ expected: String) async throws {
        let answer = try await answer(of: bridge, to: "GET /v1/shown?\(query)")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(expected), "\(answer)")
    }
}
