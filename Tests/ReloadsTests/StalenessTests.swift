import Documents
import Reloads
import Testing

@Suite("Staleness")
struct StalenessTests {
    @Test("begins at its moment, not at the next save, and costs no slot")
    func moment() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        #expect(policy.deadline == midnight + hour)
        let grants = policy.run(until: midnight + 9 * hour)
        #expect(grants.map(\.at) == [midnight + hour] && grants.map(\.cause) == [.time])
        let ledger = try policy.ledger(at: midnight + 9 * hour)
        #expect(ledger.isStale && ledger.used == 1 && ledger.counts.granted == 1)
    }

    @Test("is prevented by one reload if a newer document shows the same")
    func freshened() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        for number in Int64(1)...50 {
            let at = midnight + number * minute
            #expect(policy.change(to: .shows(1, staleAt: at + hour), at: at) == [])
        }
        let grants = policy.run(until: midnight + hour + minute)
        #expect(grants.map(\.at) == [midnight + hour - 1000] && grants.map(\.cause) == [.change])
        #expect(policy.deadline == midnight + hour + 50 * minute)
    }

    @Test("ends with a newer document")
    func ended() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        _ = policy.run(until: midnight + 2 * hour)
        #expect(
            policy.change(to: .shows(1, staleAt: midnight + 3 * hour), at: midnight + 2 * hour).count == 1
        )
        #expect(try !policy.ledger(at: midnight + 2 * hour).isStale)
    }

    @Test("is told at its moment even if the reload that would prevent it waits for a slot")
    func waiting() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        _ = policy.change(to: .shows(1, staleAt: midnight + 3 * day), at: midnight + minute)
        let grants = policy.run(until: midnight + 2 * day)
        #expect(grants.map(\.cause) == [.time, .change])
        #expect(grants.map(\.at) == [midnight + hour, midnight + day])
        #expect(try !policy.ledger(at: midnight + 2 * day).isStale)
    }

    @Test("counts from the reload if the data has no time of its own")
    func withoutTime() throws {
        var policy = ReloadPolicy.ofOneKind { rules in
            rules.staleAfter = hour
            rules.every = 2 * hour
        }
        #expect(policy.run(until: midnight + 3 * hour).map(\.cause) == [.time, .schedule, .time])
    }
}
