import Documents
import Model
import Reloads
import Testing

/// Times of a Sunday in January, in milliseconds since 1970.
let midnight: Int64 = 1_768_694_400_000
let minute: Int64 = 60_000
let hour: Int64 = 3_600_000
let day: Int64 = 86_400_000

extension RelativePath: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let path = RelativePath(text) else { preconditionFailure("no path: \(text)") }
        self = path
    }
}

extension Projection {
    /// Some content, another one for each number.
    static func shows(_ number: UInt8, staleAt: Int64? = nil) -> Projection {
        Projection(content: Digest(of: [number]), staleAt: staleAt)
    }
}

extension ReloadPolicy {
    /// Of one kind `K` with a placed widget.
    static func ofOneKind(from start: Int64 = midnight, _ change: (inout KindRules) -> Void = { _ in })
        -> ReloadPolicy
    {
        var rules = KindRules(kind: "K")
        change(&rules)
        var policy = ReloadPolicy([rules])
        _ = policy.place("one", of: "K", at: start)
        return policy
    }

    mutating func change(to new: Projection, at now: Int64) -> [ReloadGrant] {
        change("K", document: "d.json", to: new, at: now)
    }

    /// Ticks at each deadline until a moment.
    mutating func run(until end: Int64) -> [ReloadGrant] {
        var grants: [ReloadGrant] = []
        var last: Int64?
        while let next = deadline, next <= end {
            // A policy that is not done when its deadline has passed would keep its caller busy.
            if let last, next <= last {
                Issue.record("the deadline \(next) is not after \(last)")
                return grants
            }
            last = next
            grants += tick(at: next)
        }
        return grants
    }

    mutating func ledger(at now: Int64) throws -> Ledger { try #require(ledgers(at: now).first) }
}
