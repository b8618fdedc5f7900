import Glibc
import TestWorld
import Testing

@Suite(.timeLimit(.minutes(2))) struct RealTimeSignalTests {
    @Test func `A real-time signal does not end a subscriber`() async throws {
        try await RealBridge.withAgent { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            let subscriber = try Running(["subscribe", "--state", bridge.state])
            _ = try #require(await subscriber.line())
            for number in 34...64 as ClosedRange<Int32> { subscriber.send(number) }
            try bridge.save("[2]", as: "a.json", in: bridge.app)
            #expect(await subscriber.line() != nil)
            subscriber.send(SIGTERM)
            _ = await subscriber.ended()
        }
    }
}
