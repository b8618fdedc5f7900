import Documents
import Reloads
import Testing

@Suite("A scheduled reload")
struct ScheduleTests {
    @Test("comes a while after each reload, and counts")
    func after() throws {
        var policy = ReloadPolicy.ofOneKind { $0.every = 30 * minute }
        #expect(policy.change(to: .shows(1), at: midnight + 10 * minute).count == 1)
        let grants = policy.run(until: midnight + 2 * hour)
        #expect(grants.map { ($0.at - midnight) / minute } == [40, 70, 100])
        #expect(grants.allSatisfy { $0.cause == .schedule && $0.documents == [] })
        #expect(try policy.ledger(at: midnight + 2 * hour).used == 5)
    }

    @Test("is asked for again and again while it waits, and granted once")
    func waiting() throws {
        var policy = ReloadPolicy.ofOneKind { rules in
            rules.every = 15 * minute
            rules.budget = .limited(2)
        }
        let grants = policy.run(until: midnight + day + hour)
        #expect(grants.map { ($0.at - midnight) / minute } == [15, 1440, 1455])
        #expect(grants.map(\.isDelayed) == [false, true, false])
        let counts = try policy.ledger(at: midnight + day + hour).counts
        #expect(counts.asks == 101 && counts.granted == 4 && counts.delayed == 2)
    }

    @Test("comes once after a long sleep")
    func slept() throws {
        var policy = ReloadPolicy.ofOneKind { rules in
            rules.every = 15 * minute
            rules.daily = [8 * 3600]
        }
        #expect(policy.tick(at: midnight + 5 * day + 9 * hour).count == 1)
        #expect(policy.deadline == midnight + 5 * day + 9 * hour + 15 * minute)
    }

    @Test("shows the newest documents")
    func newest() throws {
        var policy = ReloadPolicy.ofOneKind { $0.every = hour }
        _ = policy.change(to: .shows(1), at: midnight)
        _ = policy.change(to: .shows(2), at: midnight + 100)
        _ = policy.run(until: midnight + 3 * hour)
        #expect(policy.change(to: .shows(2), at: midnight + 3 * hour) == [])
    }

    @Test("comes daily at local times, whatever the clocks do")
    func daily() throws {
        let rome = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        func moments(of time: Int, from start: String, days: Int64) throws -> [String] {
            let start = try #require(UTCTime.milliseconds(rfc3339: start))
            var policy = ReloadPolicy.ofOneKind(from: start) { rules in
                rules.daily = [time]
                rules.zone = rome
            }
            return policy.run(until: start + days * day).map { UTCTime.text($0.at) }
        }
        #expect(
            try moments(of: 8 * 3600, from: "2026-03-27T12:00:00Z", days: 3) == [
                "2026-03-28T07:00:00.000Z", "2026-03-29T06:00:00.000Z", "2026-03-30T06:00:00.000Z",
            ]
        )
        // 02:30 does not exist on March 29: it comes an hour later, once.
        #expect(
            try moments(of: 9000, from: "2026-03-27T12:00:00Z", days: 3) == [
                "2026-03-28T01:30:00.000Z", "2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z",
            ]
        )
        // It comes twice on October 25, and counts once.
        #expect(
            try moments(of: 9000, from: "2026-10-23T12:00:00Z", days: 3) == [
                "2026-10-24T00:30:00.000Z", "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z",
            ]
        )
        #expect(
            try moments(of: 0, from: "2026-03-28T12:00:00Z", days: 2) == [
                "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z",
            ]
        )
    }

    @Test("of a profile that no longer has it does not come")
    func removed() {
        let policy = ReloadPolicy.ofOneKind { rules in
            rules.daily = [8 * 3600]
            rules.every = hour
        }
        var other = ReloadPolicy([KindRules(kind: "K")], state: policy.state)
        #expect(other.deadline == nil)
        #expect(other.run(until: midnight + day) == [])
    }

    @Test("comes again at the same time of day if the clock is put back before it")
    func clockBack() throws {
        var policy = ReloadPolicy.ofOneKind { $0.daily = [8 * 3600] }
        #expect(policy.run(until: midnight + 9 * hour).count == 1)
        _ = policy.tick(at: midnight - day + 9 * hour)
        #expect(policy.deadline == midnight + 8 * hour)
        _ = policy.tick(at: midnight - day + 7 * hour)
        #expect(policy.deadline == midnight - day + 8 * hour)
    }

    @Test("comes once if the clock is corrected by less than an hour")
    func clockCorrected() throws {
        var policy = ReloadPolicy.ofOneKind { $0.daily = [8 * 3600] }
        #expect(policy.run(until: midnight + 8 * hour).count == 1)
        _ = policy.tick(at: midnight + 8 * hour - minute)
        #expect(policy.deadline == midnight + day + 8 * hour)
    }
}
