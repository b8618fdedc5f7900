import Documents
import Foundation
import Reloads
import Testing

@Suite("The budget")
struct BudgetTests {
    @Test("is 40 within 24 hours; the next reload waits for the slot that frees first")
    func standard() throws {
        var policy = ReloadPolicy.ofOneKind()
        for number in UInt8(0)..<40 {
            let at = midnight + Int64(number) * minute
            #expect(policy.change(to: .shows(number), at: at).map(\.isDelayed) == [false])
        }
        for number in UInt8(100)..<110 {
            #expect(policy.change(to: .shows(number), at: midnight + hour) == [])
        }
        let ledger = try policy.ledger(at: midnight + hour)
        #expect(ledger.used == 40 && ledger.limit == 40 && ledger.isWaiting)
        #expect(ledger.nextSlot == midnight + day && policy.deadline == midnight + day)
        #expect(ledger.counts.delayed == 1)
        let late = policy.run(until: midnight + 2 * day)
        #expect(late.map(\.at) == [midnight + day] && late.map(\.isDelayed) == [true])
        #expect(policy.change(to: .shows(109), at: midnight + 2 * day) == [])
    }

    @Test("does not hold for a kind without placed widgets, unless the profile has one")
    func unplaced() throws {
        for (budget, granted) in [(nil, 100), (.limited(3), 3), (.unlimited, 100)] as [(ReloadBudget?, Int)] {
            var rules = KindRules(kind: "K")
            rules.budget = budget
            var policy = ReloadPolicy([rules])
            for number in UInt8(0)..<100 {
                _ = policy.change(to: .shows(number), at: midnight + Int64(number) * minute)
            }
            #expect(try policy.ledger(at: midnight + 2 * hour).counts.granted == granted)
        }
    }

    @Test("needs a slot in each placed widget, and a new widget has all of its own")
    func widgets() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(2) }
        _ = policy.change(to: .shows(1), at: midnight)
        _ = policy.place("two", of: "K", at: midnight + hour)
        #expect(policy.change(to: .shows(2), at: midnight + hour).count == 1)
        #expect(policy.change(to: .shows(3), at: midnight + 2 * hour) == [])
        #expect(policy.deadline == midnight + day)
        let grants = policy.remove("one", of: "K", at: midnight + 3 * hour)
        #expect(grants.map(\.isDelayed) == [true])
        #expect(try policy.ledger(at: midnight + 3 * hour).used == 2)
    }

    @Test("names the widgets for whose slots a reload waits")
    func blocking() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(2) }
        _ = policy.change(to: .shows(1), at: midnight)
        _ = policy.change(to: .shows(2), at: midnight + hour)
        _ = policy.place("two", of: "K", at: midnight + hour)
        #expect(try policy.ledger(at: midnight + hour).blocking == [])
        #expect(policy.change(to: .shows(3), at: midnight + 2 * hour) == [])
        #expect(try policy.ledger(at: midnight + 2 * hour).blocking == ["one"])
        _ = policy.run(until: midnight + day)
        #expect(try policy.ledger(at: midnight + day).blocking == [])
    }

    @Test("of a kind is not used up by a widget that is gone")
    func removed() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        #expect(policy.change(to: .shows(1), at: midnight).count == 1)
        #expect(policy.remove("one", of: "K", at: midnight + hour) == [])
        #expect(try policy.ledger(at: midnight + hour).used == 0)
    }

    @Test("of 0 grants nothing, but for an app in the foreground")
    func zero() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(0) }
        #expect(policy.change(to: .shows(1), at: midnight) == [])
        #expect(policy.deadline == nil)
        #expect(try policy.ledger(at: midnight).nextSlot == nil)
        #expect(policy.enter(.foreground, at: midnight + hour).count == 1)
    }

    @Test("of a million is not a burden")
    func million() throws {
        var policy = ReloadPolicy.ofOneKind { rules in
            rules.budget = .limited(1_000_000)
            rules.coalesce = 0
        }
        for number in 0..<10_000 {
            let at = midnight + Int64(number) * 100_000
            #expect(policy.change(to: .shows(UInt8(number % 256)), at: at).count == 1)
        }
        #expect(try policy.ledger(at: midnight + 10_000 * 100_000).used == 863)
    }

    @Test(
        "costs nothing while the app is in the foreground, until that lapses",
        arguments: [
            AppActivity.foreground, .audio, .navigation,
        ]
    )
    func exempt(_ activity: AppActivity) throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(0), at: midnight)
        #expect(policy.change(to: .shows(1), at: midnight + 1000) == [])
        #expect(policy.enter(activity, at: midnight + 2000).map(\.isDelayed) == [true])
        #expect(policy.change(to: .shows(2), at: midnight + 9 * minute).count == 1)
        #expect(try policy.ledger(at: midnight + 9 * minute).used == 1)
        #expect(policy.change(to: .shows(3), at: midnight + 2000 + 10 * minute) == [])
        #expect(policy.enter(.background, at: midnight + 11 * minute) == [])
    }

    @Test("survives being stored")
    func stored() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(0), at: midnight)
        _ = policy.change(to: .shows(1), at: midnight + hour)
        let data = try JSONEncoder().encode(policy.state)
        var rules = KindRules(kind: "K")
        rules.budget = .limited(1)
        var restored = ReloadPolicy(
            [rules],
            state: try JSONDecoder().decode(ReloadPolicy.State.self, from: data)
        )
        #expect(restored.state == policy.state && restored.deadline == policy.deadline)
        let grants = restored.run(until: midnight + 2 * day)
        #expect(grants == policy.run(until: midnight + 2 * day) && grants.count == 1)
        // The state of a kind that the profile no longer has is kept.
        let without = ReloadPolicy([], state: policy.state)
        #expect(without.state == policy.state)
    }

    @Test("and all else moves with a clock that is put back, so that nothing freezes or is lost")
    func clockBack() throws {
        var policy = ReloadPolicy.ofOneKind { $0.budget = .limited(1) }
        _ = policy.change(to: .shows(0), at: midnight + 30 * day)
        _ = policy.change(to: .shows(1), at: midnight + 30 * day + hour)
        #expect(policy.tick(at: midnight + hour) == [])
        #expect(policy.deadline == midnight + day)
        #expect(policy.change(to: .shows(2), at: midnight + 2 * hour) == [])
        #expect(policy.run(until: midnight + 2 * day).map(\.at) == [midnight + day])
    }

    @Test("is not lengthened by a clock that is put back during coalescing")
    func clockBackWhileCoalescing() throws {
        var policy = ReloadPolicy.ofOneKind()
        _ = policy.change(to: .shows(0), at: midnight + day)
        _ = policy.change(to: .shows(1), at: midnight + day + 100)
        #expect(policy.tick(at: midnight) == [])
        #expect(policy.run(until: midnight + minute).map(\.at) == [midnight + 150])
    }
}
