import Documents
import Foundation
import Model
import Reloads
import Testing

@Suite("Whatever happens")
struct LawTests {
    @Test(
        "no budget is exceeded, no change is lost, and nothing is reloaded in vain",
        arguments: UInt64(0)..<150
    )
    func laws(seed: UInt64) throws {
        var world = World(seed: seed)
        for _ in 0..<300 { try world.step() }
        try world.settle()
    }
}

/// A policy under random inputs, with what is expected of it.
private struct World {
    private var random: Numbers
    private let rules: KindRules
    private let budget: Int
    private var policy: ReloadPolicy
    private var now = midnight
    /// Time without that by which the clock was put back.
    private var elapsed: Int64 = 0
    private var isExempt = false
    private var current: [RelativePath: Projection] = [:]
    private var shown: [RelativePath: Projection] = [:]
    private var reloads: [Int64] = []
    /// When slots were used.
    private var used: [Int64] = []

    init(seed: UInt64) {
        random = Numbers(state: seed)
        var rules = KindRules(kind: "K")
        budget = random.pick([1, 3, 40])
        rules.budget = .limited(budget)
        rules.coalesce = random.pick([0, 250, 5000])
        rules.every = random.pick([nil, 15 * minute, hour])
        rules.daily = random.pick([[], [8 * 3600]])
        self.rules = rules
        policy = ReloadPolicy([rules])
        note(policy.place("one", of: "K", at: now))
    }

    mutating func step() throws {
        advance(by: random.pick([0, 1, 100, 1000, minute, 10 * minute, 45 * minute]))
        switch random.below(20) {
        case 0:
            now -= random.pick([1, hour, 2 * day])
            note(policy.tick(at: now))
        case 1:
            isExempt.toggle()
            note(policy.enter(isExempt ? .foreground : .background, for: 100 * day, at: now))
        case 2:
            let data = try JSONEncoder().encode(policy.state)
            policy = ReloadPolicy(
                [rules],
                state: try JSONDecoder().decode(ReloadPolicy.State.self, from: data)
            )
        case 3: note(policy.place("two", of: "K", at: now))
        default:
            let document = random.pick(["a.json", "b.json"] as [RelativePath])
            let content = random.below(4)
            let new = content == 0 ? Projection.missing : .shows(UInt8(content))
            current[document] = new
            note(policy.change("K", document: document, to: new, at: now))
        }
    }

    /// Then nothing happens any more, and everything is shown at last.
    mutating func settle() throws {
        advance(by: 3 * day)
        for (document, content) in current {
            #expect(shown[document, default: .missing] == content, "\(document)")
        }
    }

    private mutating func advance(by time: Int64) {
        now += time
        elapsed += time
        note(policy.run(until: now))
        note(policy.tick(at: now))
    }

    private mutating func note(_ grants: [ReloadGrant]) {
        for grant in grants {
            let moment = elapsed - (now - grant.at)
            let changed = current.filter { shown[$0.key, default: .missing] != $0.value }.keys.sorted()
            #expect(grant.documents == changed)
            #expect(grant.cause == .schedule || !grant.documents.isEmpty)
            for document in grant.documents { shown[document] = current[document] }
            if let last = reloads.last { #expect(moment - last >= rules.coalesce ?? 0) }
            reloads.append(moment)
            guard !isExempt else { continue }
            used = used.filter { $0 > moment - day } + [moment]
            #expect(used.count <= budget)
        }
    }
}

/// Splitmix64: the same numbers for the same seed.
private struct Numbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(limit))
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
