import Documents

/// Random lists of every lens, and random documents with values of every kind that a lens works on. There
/// are only a few names, so that the lenses of a list affect each other's fields.
struct DrawnLenses {
    var random: Seeded
    private let names = ["a", "b", "c", "d", "e"]

    init(seed: UInt64) { random = Seeded(seed) }

    // MARK: Documents

    /// The members of an object.
    mutating func members(depth: Int = 0) -> [String] {
        let picked = names.filter { _ in random.chance(depth == 0 ? 70 : 50) }
        return picked.map { "\"\($0)\":\(value(depth: depth + 1))" }
    }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth > 2 ? 10 : 14) {
        case 0: return random.pick(["0", "1", "true", "false"])
        case 1: return random.pick([#""12.50""#, #""7""#, #""""#])
        case 2: return random.pick(["3", "2.5", "1e2", "-7"])
        case 3: return random.pick(["1768746600000", "790439400"])
        case 4: return random.pick([#""2026-01-18T14:30:00Z""#, #""2026-01-18T15:30:00+01:00""#])
        case 5: return random.pick([#""x y""#, #""x y z""#, #""x""#, #""Home""#])
        case 6:
            return random.pick([
                #""p,q""#, #"["p","q"]"#, "[]", "[1]", #"[[1],["p"]]"#, #""{\"a\":1}""#, #""[1,2]""#,
            ])
        case 7: return "null"
        case 8: return random.pick([#"[{"id":"r","a":1},{"id":"s"}]"#, #"[{"id":7,"b":"Home"}]"#])
        case 9:
            return random.pick([
                #"{"r":{"id":"r","a":2,"b":"Home"},"s":{"a":1,"b":"Art"}}"#, #"{"r":{"c":1,"d":0}}"#,
            ])
        default: return "{\(members(depth: depth).joined(separator: ","))}"
        }
    }

    // MARK: Lenses

    mutating func list() -> [String] { (0..<(1 + random.below(3))).map { _ in lens() } }

    mutating func lens(depth: Int = 0) -> String {
        switch random.below(depth > 1 ? 3 : 4) {
        case 0: return fieldLens()
        case 1: return valueLens()
        case 2: return shapeLens()
        default:
            let scope = random.pick(["in", "each", "eachRow"])
            let filter = scope != "in" && random.chance(40) ? "where: {required: [\(name())]}, " : ""
            return "{\(scope): {field: /\(name()), \(filter)lenses: [\(lens(depth: depth + 1))]}}"
        }
    }

    private mutating func name() -> String { random.pick(names) }

    private mutating func constant() -> String {
        random.pick(["0", "1", "x", "null", "[]", "{a: 1}", "false"])
    }

    private mutating func fieldLens() -> String {
        let (one, other) = (name(), name())
        switch random.below(10) {
        case 0: return "{add: {field: \(one), value: \(constant())}}"
        case 1: return "{add: {field: \(one), join: [\(other), \(name())], by: \" \"}}"
        case 2: return "{add: {field: \(one), count: /\(other)/*}}"
        case 3: return "{default: {field: \(one), value: \(constant())}}"
        case 4: return "{omit: {field: \(one), value: \(constant())}}"
        case 5: return "{remove: {field: \(one), default: \(constant())}}"
        case 6: return "{remove: \(one)}"
        case 7: return "{copy: {from: \(one), to: \(other)}}"
        default: return "{rename: {from: \(one), to: \(other)}}"
        }
    }

    private mutating func valueLens() -> String {
        let field = name()
        func convert(_ from: String, _ to: String) -> String {
            "{convert: {field: \(field), from: \(from), to: \(to)}}"
        }
        switch random.below(15) {
        case 12: return random.chance(50) ? convert("json", "value") : convert("value", "json")
        case 13: return random.chance(50) ? convert("lists", "list") : convert("list", "lists")
        case 14: return "{prefix: {field: \(field), from: \(random.pick(["x", "\"\""])), to: \"p,\"}}"
        case 0: return convert(random.pick(["0/1", "[0/1, boolean]", "[boolean, 0/1]"]), "boolean")
        case 1: return random.chance(50) ? convert("text", "number") : convert("number", "text")
        case 2: return random.chance(50) ? convert("text", "integer") : convert("integer", "text")
        case 3: return convert("[milliseconds, iso8601]", random.pick(["iso8601", "seconds2001"]))
        case 4: return convert("[iso8601, seconds2001]", random.pick(["iso8601", "milliseconds"]))
        case 5: return random.chance(50) ? convert("value", "list") : convert("list", "value")
        case 6:
            let ways = random.chance(50) ? ("text", "list") : ("list", "text")
            return "{convert: {field: \(field), from: \(ways.0), to: \(ways.1), by: \",\"}}"
        case 7:
            let ways = random.chance(50) ? ("list", "table") : ("table", "list")
            let order = random.chance(50) ? ", order: place" : ""
            return "{convert: {field: \(field), from: \(ways.0), to: \(ways.1), id: id\(order)}}"
        case 8: return "{map: {field: \(field), values: [{old: [0, 1], new: low}, {old: 3, new: high}]}}"
        case 9:
            return "{map: {field: \(field), values: [{old: 1, new: yes}], default: {old: 0, new: other}}}"
        case 10: return "{scale: {field: \(field), by: 0.01, digits: {old: 0, new: 2}, round: true}}"
        default: return "{scale: {field: \(field), by: \(random.pick(["1/3", "100"]))}}"
        }
    }

    private mutating func shapeLens() -> String {
        let (one, other, third) = (name(), name(), name())
        switch random.below(12) {
        case 9: return "{renamePrefix: {from: \(one), to: \(random.pick(["x", "\"\""]))}}"
        case 10: return "{nest: \(random.pick(["1", "x", "."]))}"
        case 11: return "{unnest: \(random.pick(["1", "."]))}"
        case 0: return "{move: {from: /\(one), to: /\(other)/\(third)}}"
        case 1: return "{move: {from: /\(one)/\(other), to: /\(third)/x/\(name())}}"
        case 2: return "{hoist: {field: \(one), from: \(other)}}"
        case 3: return "{plunge: {field: \(one), into: \(other)}}"
        case 4: return random.chance(50) ? "{wrap: \(one)}" : "{unwrap: \(one)}"
        case 5: return "{split: {field: \(one), into: [\(one)1, \(other)2], by: \" \"}}"
        case 6: return "{join: {fields: [\(one), \(other)], into: \(one)\(other), by: \" \"}}"
        case 7:
            return "{extract: {rows: /\(one), field: b, into: /\(other), as: ref, title: title, id: id}}"
        default: return "{orderBy: {rows: /\(one), field: place, by: a}}"
        }
    }
}
