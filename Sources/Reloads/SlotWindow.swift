/// When the slots of one budget were used within the last 24 hours.
struct SlotWindow: Sendable, Hashable, Codable {
    static let length: Int64 = 86_400_000
    private static let mostExpired = 64

    /// Never decreasing.
    private var times: [Int64] = []
    /// How many of the first ones have expired.
    private var expired = 0

    var used: Int { times.count - expired }

    mutating func use(at now: Int64) { times.append(now) }

    mutating func expire(at now: Int64) {
        while expired < times.count, times[expired] + Self.length <= now { expired += 1 }
        if expired > Self.mostExpired, expired * 2 > times.count {
            times.removeFirst(expired)
            expired = 0
        }
    }

    /// When one of so many slots is free: `Int64.min` now, `nil` never.
    func free(of limit: Int) -> Int64? {
        if used < limit { return .min }
        return limit > 0 ? times[times.count - limit] + Self.length : nil
    }

    mutating func shift(by time: Int64) {
        for index in times.indices { times[index] += time }
    }
}
