import Documents
import Testing

@testable import Reloads

/// What is told again to those that must acknowledge it.
@Suite struct AcknowledgementTests {
    private func policy(
        isPresent: Bool = false,
        _ change: (inout KindRules) -> Void = { _ in }
    ) -> ReloadPolicy {
        var policy = ReloadPolicy.ofOneKind {
            $0.retry = RetryRule(times: 3, after: 5000)
            change(&$0)
        }
        policy.expect("bar", of: "K", fromCurrent: false, at: midnight)
        if !isPresent { policy.leave("bar", of: "K", at: midnight) }
        return policy
    }

    private func failed(_ policy: ReloadPolicy, at now: Int64) throws -> [String] {
        var policy = policy
        return try policy.ledger(at: now).failed
    }

    @Test func `a reload is told three times more, each after five seconds, and then has failed`() throws {
        var policy = policy()
        #expect(policy.change(to: .shows(1), at: midnight).map(\.isRepeated) == [false])
        #expect(policy.deadline == midnight + 5000)
        let again = policy.run(until: midnight + hour)
        #expect(again.map(\.at) == [5000, 10_000, 15_000].map { midnight + $0 })
        #expect(again.allSatisfy { $0.isRepeated && $0.documents == ["d.json"] })
        #expect(try failed(policy, at: midnight + hour) == ["bar"])
        // However often it is told, it costs one slot.
        #expect(try policy.ledger(at: midnight + hour).used == 1)
        #expect(try policy.ledger(at: midnight + hour).counts.granted == 1)
    }

    @Test func `an acknowledgement ends it`() throws {
        var policy = policy()
        _ = policy.change(to: .shows(1), at: midnight)
        policy.note(notice: 7, of: "K", at: midnight)
        policy.acknowledge("bar", of: "K", upTo: 6, at: midnight + 1)
        #expect(policy.run(until: midnight + 5000).count == 1)
        policy.acknowledge("bar", of: "K", upTo: 7, at: midnight + 6000)
        #expect(policy.run(until: midnight + hour).isEmpty)
        #expect(try failed(policy, at: midnight + hour).isEmpty)
    }

    @Test func `each listener is waited for`() throws {
        var policy = policy()
        policy.expect("hook", of: "K", fromCurrent: false, at: midnight)
        _ = policy.change(to: .shows(1), at: midnight)
        policy.acknowledge("hook", of: "K", upTo: 1, at: midnight)
        #expect(policy.run(until: midnight + hour).count == 3)
        #expect(try failed(policy, at: midnight + hour) == ["bar"])
        // It is not waited for until it is there again.
        _ = policy.change(to: .shows(2), at: midnight + hour)
        policy.acknowledge("hook", of: "K", upTo: 2, at: midnight + hour)
        #expect(policy.run(until: midnight + 2 * hour).isEmpty)
        policy.acknowledge("bar", of: "K", upTo: 2, at: midnight + 2 * hour)
        #expect(try failed(policy, at: midnight + 2 * hour).isEmpty)
    }

    @Test func `one that is there is waited for again after it has failed, until it leaves`() throws {
        var policy = policy()
        policy.expect("hook", of: "K", fromCurrent: true, at: midnight)
        for hours in Int64(0)..<3 {
            let now = midnight + hours * hour
            _ = policy.change(to: .shows(UInt8(hours + 1)), at: now)
            #expect(policy.run(until: now + hour - 1).count == 3)
        }
        #expect(try failed(policy, at: midnight + 3 * hour) == ["hook"])
        var left = policy
        left.leave("hook", of: "K", at: midnight + 3 * hour)
        // It may come back.
        _ = left.change(to: .shows(4), at: midnight + 4 * hour)
        #expect(left.run(until: midnight + 5 * hour).count == 3)
        _ = left.change(to: .shows(5), at: midnight + 6 * hour)
        #expect(left.run(until: midnight + 7 * hour).isEmpty)
        left.expect("hook", of: "K", fromCurrent: false, at: midnight + 7 * hour)
        _ = left.change(to: .shows(6), at: midnight + 8 * hour)
        #expect(left.run(until: midnight + 9 * hour).count == 3)
        policy.forget("hook", of: "K", at: midnight + 3 * hour)
        _ = policy.change(to: .shows(4), at: midnight + 4 * hour)
        #expect(policy.run(until: midnight + 5 * hour).isEmpty)
    }

    @Test func `one that begins with what there is is told again what was granted before`() throws {
        var rules = KindRules(kind: "K")
        rules.retry = RetryRule(times: 3, after: 5000)
        var policy = ReloadPolicy([rules])
        #expect(policy.change(to: .shows(1), at: midnight).map(\.isRepeated) == [false])
        policy.expect("hook", of: "K", fromCurrent: true, at: midnight + 100)
        policy.expect("bar", of: "K", fromCurrent: false, at: midnight + 100)
        var acknowledged = policy
        let again = policy.run(until: midnight + hour)
        #expect(again.map(\.at) == [5100, 10_100, 15_100].map { midnight + $0 })
        #expect(again.allSatisfy { $0.isRepeated && $0.documents == ["d.json"] })
        #expect(try failed(policy, at: midnight + hour) == ["hook"])
        acknowledged.acknowledge("hook", of: "K", upTo: 1, at: midnight + 200)
        #expect(acknowledged.run(until: midnight + hour).isEmpty)
        // Nothing is there that it could be told.
        var empty = ReloadPolicy([rules])
        empty.expect("hook", of: "K", fromCurrent: true, at: midnight)
        #expect(empty.run(until: midnight + hour).isEmpty)
    }

    @Test func `one that is gone has failed only until the next reload`() throws {
        var policy = policy()
        _ = policy.change(to: .shows(1), at: midnight)
        _ = policy.run(until: midnight + hour)
        #expect(try failed(policy, at: midnight + hour) == ["bar"])
        _ = policy.change(to: .shows(2), at: midnight + 2 * hour)
        #expect(try failed(policy, at: midnight + 2 * hour) == [])
        #expect(policy.run(until: midnight + 3 * hour).isEmpty)
    }

    @Test func `one that failed and acknowledges later is waited for again`() throws {
        var policy = policy()
        _ = policy.change(to: .shows(1), at: midnight)
        policy.note(notice: 1, of: "K", at: midnight)
        _ = policy.run(until: midnight + hour)
        _ = policy.change(to: .shows(2), at: midnight + hour)
        policy.acknowledge("bar", of: "K", upTo: 2, at: midnight + hour)
        _ = policy.change(to: .shows(3), at: midnight + 2 * hour)
        policy.note(notice: 3, of: "K", at: midnight + 2 * hour)
        #expect(policy.run(until: midnight + 3 * hour).count == 3)
        #expect(try failed(policy, at: midnight + 3 * hour) == ["bar"])
        policy.forget("bar", of: "K", at: midnight + 3 * hour)
        policy.acknowledge("bar", of: "K", upTo: 3, at: midnight + 3 * hour)
        _ = policy.change(to: .shows(4), at: midnight + 4 * hour)
        #expect(policy.run(until: midnight + 5 * hour).isEmpty)
    }

    @Test func `a newer reload takes its place, with the documents of both`() {
        var policy = policy { $0.coalesce = 0 }
        _ = policy.change("K", document: "b.json", to: .shows(1), at: midnight)
        _ = policy.change("K", document: "a.json", to: .shows(1), at: midnight + 4000)
        let again = policy.run(until: midnight + 9000)
        #expect(again.map(\.at) == [midnight + 9000] && again.map(\.documents) == [["a.json", "b.json"]])
    }

    @Test func `a clock that is put back does not shorten the wait`() {
        var policy = policy()
        _ = policy.change(to: .shows(1), at: midnight)
        policy.pass(to: midnight - day)
        #expect(policy.deadline == midnight - day + 5000)
    }

    @Test func `without a rule, or a listener, a reload is told once`() {
        var plain = policy { $0.retry = nil }
        _ = plain.change(to: .shows(1), at: midnight)
        #expect(plain.run(until: midnight + hour).isEmpty)
        var alone = policy()
        alone.forget("bar", of: "K", at: midnight)
        _ = alone.change(to: .shows(1), at: midnight)
        #expect(alone.run(until: midnight + hour).isEmpty)
    }

    @Test func `what is remembered is the same after a restart`() throws {
        var policy = policy()
        _ = policy.change(to: .shows(1), at: midnight)
        var rules = KindRules(kind: "K")
        rules.retry = RetryRule(times: 3, after: 5000)
        var other = ReloadPolicy([rules], state: policy.state)
        #expect(other.run(until: midnight + hour) == policy.run(until: midnight + hour))
        #expect(other.state == policy.state)
    }
}
