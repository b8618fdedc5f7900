import Foundation
import Testing
import WidgetBridge

@Suite struct BridgeEventTests {
    @Test(arguments: BridgePlace.allCases)
    func `The app gets each event in order, and again unless it has acknowledged it`(
        _ place: BridgePlace
    ) async throws {
        try await place.withBridge { bridge in
            try await bridge.push("HabitWidget", named: "toggle", data: #"{"n":1.50}"#.utf8, id: "a")
            try await bridge.push("HabitWidget", named: "toggle", data: #"{"n":1.5}"#.utf8, id: "a")
            let pushing = Task { try await bridge.push("HabitWidget", named: "open", id: "b") }
            var got: [WidgetEvent] = []
            for try await event in bridge.events() {
                got.append(event)
                if got.count == 2 { break }
            }
            #expect(got.map(\.id) == ["a", "b"] && got.map(\.sequence) == [1, 2])
            #expect(got[0].data == Data(#"{"n":1.50}"#.utf8) && got[1].data == nil)
            #expect(try await pushing.value == got[1])
            try await bridge.acknowledge("a")
            for try await event in bridge.events() {
                #expect(event == got[1])
                break
            }
            let other = await reason { try await bridge.push("HabitWidget", named: "close", id: "a") }
            #expect(other == .otherEvent)
            #expect(await reason { try await bridge.acknowledge("c") } == .unknownID)
        }
    }
}
