import Documents
import Testing

@testable import Reloads

@Suite struct LiveActivityTests {
    private let rule: LiveActivityRule
    private var policy = ReloadPolicy([])

    init() throws {
        let yaml = """
            profile: p
            documents: {d.json: {activities: {A: {list: /rows, start: {before: /t, times: [1 d]}}}}}
            """
        rule = try #require(try Profile(yaml: yaml, file: "p.yaml").documents[0].activities.first)
    }

    /// The causes of its notices.
    private mutating func see(_ inputs: LiveActivityInput..., at now: Int64) -> [ReloadGrant.Cause] {
        policy.see(inputs, of: rule, in: "d.json", at: now).map(\.cause)
    }

    private func input(
        _ content: UInt8 = 1,
        level: Int? = nil,
        starts: [Int64] = [],
        endsBy: Int64 = .max,
        size: Int = 10,
        isOver: Bool = false
    ) -> LiveActivityInput {
        LiveActivityInput(
            id: "a",
            content: [content],
            size: size,
            level: level,
            starts: starts,
            endsBy: endsBy,
            isOver: isOver
        )
    }

    private var only: ReloadPolicy.ActivityReport? { policy.activities.first }

    @Test mutating func `It ends after 8 hours, and leaves the lock screen after 12`() {
        #expect(see(input(starts: [midnight + hour]), at: midnight) == [])
        #expect(policy.deadline == midnight + hour && only == nil)
        #expect(policy.tick(at: midnight + hour).map(\.documents) == [["d.json"]])
        #expect(only?.hasEnded == false && only?.endsAt == midnight + 9 * hour)
        #expect(policy.deadline == midnight + 9 * hour)
        #expect(policy.tick(at: midnight + 9 * hour).map(\.cause) == [.time])
        #expect(only?.hasEnded == true)
        #expect(policy.deadline == midnight + 13 * hour)
        #expect(policy.tick(at: midnight + 13 * hour) == [])
        #expect(only == nil && policy.deadline == nil)
    }

    @Test mutating func `It goes on while a document whose name only looks the same has none`() {
        let running = [input(starts: [midnight])]
        #expect(policy.see(running, of: rule, in: "caf\u{E9}.json", at: midnight).count == 1)
        #expect(policy.see([], of: rule, in: "cafe\u{301}.json", at: midnight + minute) == [])
        #expect(only?.hasEnded == false)
    }

    @Test mutating func `Each threshold starts it anew, and being below all of them ends it`() {
        #expect(see(input(level: 0), at: midnight) == [])
        #expect(see(input(level: 1), at: midnight + 1) == [.change])
        #expect(see(input(level: 1), at: midnight + 2) == [])
        #expect(see(input(2, level: 1), at: midnight + 3) == [.change])
        #expect(only?.startedAt == midnight + 1)
        #expect(see(input(2, level: 2), at: midnight + hour) == [.change])
        #expect(only?.startedAt == midnight + hour)
        #expect(see(input(2, level: 1), at: midnight + hour + 1) == [])
        #expect(see(input(2, level: 0), at: midnight + 2 * hour) == [.change])
        #expect(only?.hasEnded == true)
        #expect(see(input(2, level: 1), at: midnight + 3 * hour) == [.change])
        #expect(only?.startedAt == midnight + 3 * hour)
    }

    @Test mutating func `It ends when it is over, or its element is gone`() {
        #expect(see(input(level: 1), at: midnight) == [.change])
        #expect(see(input(level: 1, isOver: true), at: midnight + 1) == [.change])
        #expect(only?.endsAt == midnight + 1)
        #expect(see(input(level: 2, isOver: true), at: midnight + 2) == [])
        #expect(see(input(level: 1), at: midnight + 3) == [])
        #expect(see(input(level: 2), at: midnight + 4) == [.change])
        #expect(see(at: midnight + 5) == [.change])
        #expect(only?.hasEnded == true)
        _ = policy.tick(at: midnight + 5 * hour)
        #expect(policy.activities == [])
    }

    @Test mutating func `It is over some time after its own`() {
        let bill = input(starts: [midnight], endsBy: midnight + hour)
        #expect(see(bill, at: midnight) == [.change])
        #expect(policy.tick(at: midnight + hour).count == 1)
        #expect(only?.hasEnded == true && only?.endsAt == midnight + hour)
    }

    @Test mutating func `It ends now if its end is put back to the past`() {
        #expect(see(input(level: 1, endsBy: midnight + 9 * hour), at: midnight) == [.change])
        #expect(see(input(level: 1, endsBy: midnight - hour), at: midnight + hour) == [.change])
        #expect(only?.hasEnded == true && only?.endsAt == midnight + hour)
    }

    @Test mutating func `More than 4 kB do not start it, and do not get into it`() {
        #expect(see(input(level: 1, size: 4097), at: midnight) == [])
        #expect(only?.isTooLarge == true && only?.startedAt == nil)
        #expect(see(input(level: 2, size: 4096), at: midnight + 1) == [.change])
        #expect(only?.isTooLarge == false)
        #expect(see(input(2, level: 2, size: 5000), at: midnight + 2) == [])
        #expect(only?.isTooLarge == true && only?.hasEnded == false)
        #expect(see(input(3, level: 2), at: midnight + 3) == [.change])
    }

    @Test mutating func `One that was too large starts as soon as it fits, if it would still run`() {
        #expect(see(input(level: 1, size: 5000), at: midnight) == [])
        #expect(see(input(2, level: 1), at: midnight + hour) == [.change])
        #expect(only?.startedAt == midnight + hour && only?.isTooLarge == false)
        for (late, causes) in [(hour, [ReloadGrant.Cause.change]), (9 * hour, [])] {
            policy = ReloadPolicy([])
            #expect(see(input(starts: [midnight], size: 5000), at: midnight) == [])
            #expect(see(input(2, starts: [midnight]), at: midnight + late) == causes)
        }
    }

    @Test mutating func `One that should run when it is first seen starts, and none of long ago`() {
        #expect(see(input(starts: [midnight - 7 * hour]), at: midnight) == [.change])
        policy = ReloadPolicy([])
        #expect(see(input(starts: [midnight - 9 * hour]), at: midnight) == [])
    }

    @Test mutating func `Its state outlives a restart, and a clock that is put back`() throws {
        #expect(see(input(level: 1), at: midnight + day) == [.change])
        policy = ReloadPolicy([], state: policy.state)
        #expect(see(input(level: 1), at: midnight + day + 1) == [])
        policy.pass(to: midnight + 1)
        #expect(only?.startedAt == midnight && policy.deadline == midnight + 8 * hour)
    }
}
