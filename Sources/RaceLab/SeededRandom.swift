/// A repeatable random generator: equal seeds and streams give equal numbers on every machine.
///
/// Each purpose has its own stream, so that a change in one does not affect the others.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    package enum Stream: UInt64, Sendable {
        case faultProfile = 1
        case workload, schedule, hints, faults, power, journal
        case hindrances, holders, clocks, helper
        case barriers = 40
        case profiles = 20
        case rules, stateDisk
        case renames = 60
        case bounds, restarts
        case attributes = 70
    }

    private var state: UInt64

    package init(seed: UInt64, _ stream: Stream) {
        state = seed &* 0x9e37_79b9_7f4a_7c15 ^ stream.rawValue << 56
        state = next()
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// True once in this many times on average; never for zero.
    package mutating func isOne(in times: Int) -> Bool { times > 0 && below(times) == 0 }

    package mutating func coin() -> Bool { isOne(in: 2) }

    /// `values` must not be empty.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    package mutating func duration(upTo longest: Duration) -> Duration {
        let microseconds =
            longest.components.seconds * 1_000_000 + longest.components.attoseconds / 1_000_000_000_000
        return .microseconds(Int64(next() % UInt64(max(1, microseconds))))
    }
}
