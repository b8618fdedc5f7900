import Foundation
import TestBridge
import TestWorld
import Testing

/// `get --shown`, without and with an agent.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ShownCommandTests {
    private static let profile = """
        profile: p
        locale: en_US
        timeZone: {name: UTC, rule: UTC0}
        documents:
          d.json:
            kinds:
              K:
                families: {small: 1, large: all}
                values: {count: length(rows)}
                rows: "rows[].{name: name, days: days_until(due)}"
                texts: {title: {en: "{count, plural, one {# row} other {# rows}}", it: "{count} righe"}}
                rowTexts: {line: "{name} {days, days}"}
        """
    private static let rows = #"{"rows":[{"name":"a","due":"2026-01-19"},{"name":"b","due":"2026-01-20"}]}"#

    private func shown(_ bridge: RealBridge, _ arguments: String...) async throws -> Binary.Ended {
        try await Binary.run(["get"] + arguments + ["--profile", "\(bridge.root)/p.yaml"] + bridge.flags)
    }

    @Test(arguments: [false, true])
    func `What a widget shows is printed for its size, moment and language`(withAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            try write(Self.profile, to: "\(bridge.root)/p.yaml")
            try bridge.save(Self.rows, as: "d.json", in: bridge.group)
            let agent = withAgent ? try await bridge.startAgent(["--profile", "\(bridge.root)/p.yaml"]) : nil
            let at = ["--at", "2026-01-18T12:00:00Z"]
            let small = try await shown(bridge, "--shown", "K", "--family", "small", at[0], at[1])
            let end = """
                "family":"small","values":{"count":2},"rows":[{"name":"a","days":1}],"more":1,\
                "texts":{"title":"2 rows"},"rowTexts":[{"line":"a tomorrow"}]}

                """
            #expect(small.status == 0 && small.output.hasSuffix(end), "\(small)")
            #expect(small.output.hasPrefix(#"{"kind":"K","document":"d.json","state":"fresh","text":null,"#))
            #expect(small.output.contains(#""changesAt":"2026-01-19T00:00:00.000Z""#), "\(small)")
            let italian = try await shown(bridge, "--shown", "K", "--locale", "it", at[0], at[1])
            #expect(italian.output.contains(#""title":"2 righe""#), "\(italian)")
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `A kind without a document has no data`() async throws {
        try await RealBridge.with { bridge in
            try write(Self.profile, to: "\(bridge.root)/p.yaml")
            let none = try await shown(bridge, "--shown", "K")
            #expect(
                none.status == 0 && none.output.contains(#""state":"nodata","text":"no data""#),
                "\(none)"
            )
        }
    }

    @Test(arguments: [
        (["--shown", "Q"], "unknown widget kind, `Q`"),
        (["--shown", "K", "--family", "big"], "small, large"),
        (["--shown", "K", "--pointer", "/rows"], "--pointer"), (["d.json", "--family", "small"], "--shown"),
        ([], "<document>"), (["--shown", "K", "--at", "soon"], "--at"),
        (["e.json", "--shown", "K"], "leave one out"),
        (["--shown", "K", "--side", "app"], "--side"),
    ])
    func `What is asked wrongly is refused with its reason`(_ arguments: [String], _ words: String)
        async throws
    {
        try await RealBridge.with { bridge in
            try write(Self.profile, to: "\(bridge.root)/p.yaml")
            let flags = ["--profile", "\(bridge.root)/p.yaml"] + bridge.flags
            let refused = try await Binary.run(["get"] + arguments + flags)
            #expect(refused.status == 64 && refused.errors.contains(words), "\(refused)")
            #expect(refused.output.isEmpty)
        }
    }
}
