import Documents

/// Splitmix64: the same numbers for the same seed, on every machine.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}

extension JSON {
    init(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// The bytes as a string, for comparison with a literal.
    var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// Valid JSON texts with everything the grammar allows, including unusual white space and numbers.
struct TextGenerator {
    var random: Seeded
    /// Whether all keys and strings may be edited.
    var isTame = false

    init(seed: UInt64, isTame: Bool = false) {
        random = Seeded(seed)
        self.isTame = isTame
    }

    mutating func document() -> String { space() + value(depth: 0) + space() }

    mutating func value(depth: Int) -> String {
        switch random.below(depth > 4 ? 5 : 9) {
        case 0: return random.pick(["true", "false", "null"])
        case 1, 2: return number()
        case 3, 4: return string()
        case 5, 6: return array(depth: depth)
        default: return object(depth: depth)
        }
    }

    mutating func array(depth: Int) -> String {
        let count = random.below(5)
        let elements = (0..<count).map { _ in space() + value(depth: depth + 1) + space() }
        return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }

    mutating func object(depth: Int) -> String {
        let count = random.below(random.chance(5) ? 30 : 5)
        var seen: [String] = []
        var members: [String] = []
        for _ in 0..<count {
            let key = string()
            if isTame, seen.contains(key) { continue }
            seen.append(key)
            members.append(space() + key + space() + ":" + space() + value(depth: depth + 1) + space())
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    mutating func number() -> String {
        var text = random.chance(30) ? "-" : ""
        text += random.pick(["0", "1", "42", "450", "12345678901234567890", "9"])
        if random.chance(40) { text += random.pick([".0", ".5", ".50", ".123456789012345678901234567890"]) }
        if random.chance(30) {
            text += random.pick(["e0", "E2", "e+10", "E-400", "e400", "e999999999999999999999"])
        }
        return text
    }

    mutating func string() -> String {
        let tame = ["a", "b", "c", "id", "name", "é", "e\u{301}", "🌸", "~", "/", " ", "0", "-", "€"]
        let wild = [#"\n"#, #"\u00e9"#, #"\ud83c\udf38"#, #"\""#, #"\\"#, #"\/"#, #"\ud800"#, #"\udc00x"#]
        let count = 1 + random.below(3)
        return "\"" + (0..<count).map { _ in random.pick(isTame ? tame : tame + wild) }.joined() + "\""
    }

    mutating func space() -> String { random.pick(["", "", "", " ", "\n", "\n  ", "\t", "\r\n"]) }
}
