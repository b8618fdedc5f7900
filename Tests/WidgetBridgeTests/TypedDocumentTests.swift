import Foundation
import Testing
import WidgetBridge
import WidgetBridgeTesting

private struct Budget: Codable, Equatable {
    var spent: Decimal
    var limit: Decimal?
}

private struct Counter: Codable, Equatable {
    var n: Int
}

@Suite struct TypedDocumentTests {
    @Test(arguments: BridgePlace.allCases)
    func `A typed document is read, with exact numbers, and changed without losing what the type lacks`(
        _ place: BridgePlace
    ) async throws {
        try await place.withBridge { bridge in
            let text = #"{ "spent": 12345678901234567.89, "month": "Gennaio",  "rate": 1.50 }"#
            try await bridge.write(text.utf8, to: "budget.json")
            let budget = try await bridge.value(Budget.self, "budget.json")
            #expect(budget.spent == Decimal(string: "12345678901234567.89") && budget.limit == nil)
            let changed = try await bridge.update("budget.json") { (budget: inout Budget) in
                budget.spent += Decimal(string: "0.01") ?? 0
            }
            #expect(changed.spent == Decimal(string: "12345678901234567.9"))
            let stored = String(decoding: try await bridge.data(of: "budget.json"), as: UTF8.self)
            #expect(stored == text.replacing(".89", with: ".9"))
            // Nothing is changed, so nothing is written.
            let hash = try await bridge.read("budget.json").hash
            try await bridge.update("budget.json") { (_: inout Budget) in }
            #expect(try await bridge.read("budget.json").hash == hash)
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `What cannot be read or changed is an error`(_ place: BridgePlace) async throws {
        struct Refusal: Error {}
        try await place.withBridge { bridge in
            #expect(await reason { try await bridge.value(Counter.self, "a.json") } == .noDocument)
            await #expect(throws: BridgeFailure.self) {
                try await bridge.update("a.json") { (counter: inout Counter) in counter.n += 1 }
            }
            try await bridge.update("a.json", initial: Counter(n: 1)) { $0.n += 1 }
            #expect(try await bridge.value(Counter.self, "a.json") == Counter(n: 2))
            await #expect(throws: Refusal.self) {
                try await bridge.update("a.json", as: Counter.self) { _ in throw Refusal() }
            }
            try await bridge.write(#"{"n":"x"}"#.utf8, to: "a.json")
            #expect(await reason { try await bridge.value(Counter.self, "a.json") } == .refusedDocument)
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `Concurrent changes are all made`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            try await bridge.write(#"{"n":0}"#.utf8, to: "a.json")
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<8 {
                    tasks.addTask {
                        for _ in 0..<5 { try await bridge.update("a.json", as: Counter.self) { $0.n += 1 } }
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(try await bridge.value(Counter.self, "a.json") == Counter(n: 40))
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `States follow a document`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            var seen: [DocumentState<Counter>] = []
            for try await state in bridge.values(of: Counter.self, "a.json") {
                seen.append(state)
                switch seen.count {
                case 1: try await bridge.write(#"{"n":1}"#.utf8, to: "a.json")
                case 2: try await bridge.write(#"{"n":"x"}"#.utf8, to: "a.json")
                case 3: try await bridge.write(#"{"n":3}"#.utf8, to: "a.json")
                default: break
                }
                if seen.count == 4 { break }
            }
            #expect(
                seen[0] == .noData && seen[1] == .fresh(Counter(n: 1)) && seen[3] == .fresh(Counter(n: 3))
            )
            guard case .error(_, last: Counter(n: 1)) = seen[2] else {
                Issue.record("\(seen[2])")
                return
            }
        }
    }

    @Test func `A document becomes stale by time, as the profile says`() async throws {
        struct Shown: Codable, Equatable { var spent: Decimal }
        try await withContainers { app, group, state in
            let profile = """
                format: 1
                profile: quick
                documents:
                  a.json:
                    stale: {field: /at, after: 24 h}
                    errors:
                      failed: {text: Failed, when: {properties: {failed: {const: true}}, required: [failed]}}
                """
            let options = Options(
                state: state,
                profile: .yaml(profile, file: "quick.yaml"),
                logger: silent
            )
            try await withBridge(app: app, group: group, options: options) { bridge in
                // It becomes stale a second from now.
                let at = Date().addingTimeInterval(1 - 24 * 3600).formatted(.iso8601)
                try await bridge.write(#"{"spent":1.5,"at":"\#(at)"}"#.utf8, to: "a.json", in: .app)
                try await bridge.wait(timeout: .seconds(60))
                var seen: [DocumentState<Shown>] = []
                for try await state in bridge.values(of: Shown.self, "a.json") {
                    seen.append(state)
                    if state == .stale(Shown(spent: 1.5)) {
                        try await bridge.write(#"{"failed":true}"#.utf8, to: "a.json", in: .app)
                    }
                    if case .error = state { break }
                }
                #expect(
                    seen.suffix(2) == [.stale(Shown(spent: 1.5)), .error("Failed", last: Shown(spent: 1.5))]
                )
            }
        }
    }
}
