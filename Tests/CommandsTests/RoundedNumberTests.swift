import Foundation
import TestWorld
import Testing

/// The widget's program reads every number as a 64-bit binary one, as JavaScript does.
@Suite(.timeLimit(.minutes(2))) struct RoundedNumberTests {
    private let name = "task.json"
    private let exact = #"{"id":12345678901234567890,"cents":20000001,"done":false}"#

    private func withBridge(_ body: (RealBridge) async throws -> Void) async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save(exact, as: name, in: bridge.app)
            #expect(try await bridge.wait().status == 0)
            #expect(bridge.read(name, in: bridge.group) == exact)
            try await body(bridge)
        }
    }

    @Test func `An identifier that the widget's program rounded stays exact beside its edit`() async throws {
        try await withBridge { bridge in
            let saved = #"{"id":12345678901234567000,"cents":20000001,"done":true}"#
            try bridge.save(saved, as: name, in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            let edited = #"{"id":12345678901234567890,"cents":20000001,"done":true}"#
            #expect(bridge.read(name, in: bridge.app) == edited)
            #expect(bridge.read(name, in: bridge.group) == saved)
            let why = try await bridge.run("why", name)
            #expect(why.output.contains("group's program rounded /id: the exact number stays"), "\(why)")
        }
    }

    @Test func `Neighbouring amounts of cents are different`() async throws {
        try await withBridge { bridge in
            let saved = #"{"id":12345678901234567000,"cents":20000000,"done":false}"#
            try bridge.save(saved, as: name, in: bridge.group)
            #expect(try await bridge.wait().status == 0)
            let edited = #"{"id":12345678901234567890,"cents":20000000,"done":false}"#
            #expect(bridge.read(name, in: bridge.app) == edited)
        }
    }
}
