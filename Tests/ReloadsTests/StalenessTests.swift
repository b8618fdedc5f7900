import Documents
import Model
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

    @Test("is not told of a widget that shows an error, or no data")
    func hidden() {
        for (isError, isEmpty) in [(true, false), (false, true)] {
            var policy = ReloadPolicy.ofOneKind()
            let shown = Projection(
                content: Digest(of: [1]),
                staleAt: midnight + hour,
                isError: isError,
                isEmpty: isEmpty
            )
            #expect(policy.change(to: shown, at: midnight).count == 1)
            #expect(policy.run(until: midnight + 9 * hour).isEmpty)
        }
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

    @Test("begins earlier if the same content turns out to be older")
    func older() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + 2 * hour), at: midnight)
        #expect(policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight + minute) == [])
        let grants = policy.run(until: midnight + 3 * hour)
        #expect(grants.map(\.at) == [midnight + hour] && grants.map(\.cause) == [.time])
    }

    @Test("of a document that never caused a reload is prevented, too")
    func known() throws {
        var policy = ReloadPolicy.ofOneKind()
        #expect(policy.know("d.json", of: "K", as: .shows(1, staleAt: midnight + hour), at: midnight) == [])
        _ = policy.change(to: .shows(1, staleAt: midnight + 3 * hour), at: midnight + minute)
        let grants = policy.run(until: midnight + 2 * hour)
        #expect(grants.map(\.at) == [midnight + hour - 1000] && grants.map(\.cause) == [.change])
    }

    @Test("begins and ends with another rule, which is told and costs no slot")
    func judgedAnew() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        let now = midnight + 2 * hour
        #expect(policy.run(until: now).map(\.cause) == [.time])
        var told = policy.know("d.json", of: "K", as: .shows(1, staleAt: midnight + 3 * hour), at: now)
        #expect(told.map(\.cause) == [.time] && told.map(\.documents) == [["d.json"]])
        #expect(try policy.ledger(at: now).state == .fresh)
        told = policy.know("d.json", of: "K", as: .shows(1, staleAt: midnight), at: now)
        #expect(told.map(\.cause) == [.time])
        let ledger = try policy.ledger(at: now)
        #expect(ledger.state == .stale && ledger.used == 1 && policy.deadline == nil)
    }

    @Test("is in a report at its moment, although nothing told it")
    func untold() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        #expect(try policy.ledger(at: midnight + hour - 1).state == .fresh)
        #expect(try policy.ledger(at: midnight + hour).state == .stale)
        #expect(policy.tick(at: midnight + hour).map(\.cause) == [.time])
    }

    @Test("ends when a clock that was wrong is put back")
    func clockBack() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        #expect(policy.run(until: midnight + 2 * hour).map(\.cause) == [.time])
        #expect(policy.tick(at: midnight + minute).map(\.cause) == [.time])
        #expect(try policy.ledger(at: midnight + minute).state == .fresh)
        #expect(policy.run(until: midnight + 2 * hour).map(\.at) == [midnight + hour])
    }

    @Test("of a document that the kind no longer shows does not count")
    func forgotten() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(1, staleAt: midnight + hour), at: midnight)
        _ = policy.change("K", document: "e.json", to: .shows(2), at: midnight + minute)
        #expect(policy.run(until: midnight + 2 * hour).map(\.cause) == [.time])
        let told = policy.drop("d.json", from: "K", at: midnight + 2 * hour)
        #expect(told.map(\.cause) == [.time])
        #expect(try policy.ledger(at: midnight + 2 * hour).state == .fresh)
        _ = policy.drop("e.json", from: "K", at: midnight + 2 * hour)
        #expect(try policy.ledger(at: midnight + 2 * hour).state == .noData)
    }

    @Test("counts from the reload if the data has no time of its own")
    func withoutTime() throws {
        var policy = ReloadPolicy.ofOneKind { rules in
            rules.staleAfter = hour
            rules.every = 2 * hour
        }
        _ = policy.change(to: .shows(1), at: midnight)
        let grants = policy.run(until: midnight + 4 * hour)
        #expect(grants.map(\.cause) == [.change, .time, .schedule, .time])
    }
}
