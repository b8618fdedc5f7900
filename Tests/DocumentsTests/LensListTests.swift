import Documents
import TestDocuments
import Testing

/// Random lists of lenses over random documents.
@Suite("Lists of lenses")
struct LensListTests {
    @Test("migrating across many versions equals migrating step by step")
    func stepwise() throws {
        var compared = 0
        for seed in 0..<1500 as Range<UInt64> {
            var generator = LensGenerator(seed: seed)
            // Not every random list is valid.
            guard let rule = try? generator.rule(versions: 4) else { continue }
            let start = try JSON(generator.document())
            for numbers in [[1, 2, 3, 4], [4, 3, 2, 1]] {
                let first = numbers[0]
                let last = numbers[3]
                let direct = Self.result { try rule.translate(start, from: first, to: last, agreed: nil) }
                let stepwise = Self.result {
                    try zip(numbers, numbers.dropFirst()).reduce(start) { document, step in
                        try rule.translate(document, from: step.0, to: step.1, agreed: nil)
                    }
                }
                #expect(
                    direct?.string == stepwise?.string,
                    "seed \(seed), \(first) to \(last): \(start.string) \(rule.versionNumbers.map(rule.lensTexts))"
                )
                if direct != nil { compared += 1 }
            }
        }
        #expect(compared > 700)
    }

    /// A lens may refuse a document, but then the result must be the same in one step and in several.
    private static func result(_ body: () throws -> JSON) -> JSON? {
        do {
            return try body()
        } catch {
            return nil
        }
    }

    /// Without the original, several forms of a time become one.
    @Test("with the original at hand, lenses that only rename or convert lose nothing")
    func losesNothing() throws {
        var changed = 0
        for seed in 0..<1000 as Range<UInt64> {
            var generator = LensGenerator(seed: seed)
            let rule = try generator.reversibleRule()
            let document = try JSON(generator.reversibleDocument())
            let newer = try rule.translate(document, from: 1, to: 2, agreed: nil)
            let back = try rule.translate(newer, from: 2, to: 1, agreed: nil, example: document)
            #expect(
                back.isEqual(to: document),
                "seed \(seed): \(document.string) \(newer.string) \(rule.lensTexts(to: 2))"
            )
            if newer.bytes != document.bytes { changed += 1 }
        }
        #expect(changed > 900)
    }

    /// Found in a bridge: version 1 has no `settings`, and the older program sets a field that belongs in
    /// it.
    @Test("a field moved into an added object arrives, in a migration and as an edit")
    func goesIntoAddedObject() throws {
        let rule = try LensGenerator.rule([
            [#"{add: {field: settings, value: {size: 1}}}"#, #"{plunge: {field: theme, into: settings}}"#]
        ])
        let v1 = try JSON(#"{"theme":"dark"}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == #"{"version":2,"settings":{"size":1,"theme":"dark"}}"#)
        #expect(try rule.translate(v2, from: 2, to: 1, agreed: nil).string == v1.string)
        #expect(try rule.migration(of: v1, from: 1, to: 2).losses == [])
        let edited = try JSON(#"{"theme":"light"}"#)
        let agreed = try JSON(#"{"version":2,"settings":{"size":7,"theme":"dark"}}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (v1, agreed)).string
                == #"{"version":2,"settings":{"size":7,"theme":"light"}}"#
        )
    }

    @Test("a move creates its target object, and removes it on the way back")
    func makesParents() throws {
        let rule = try LensGenerator.rule([[#"{move: {from: /a, to: /o/p/b}}"#]])
        let v1 = try JSON(#"{"a":1,"x":0}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        #expect(v2.string == #"{"version":2,"x":0,"o":{"p":{"b":1}}}"#)
        #expect(try rule.migration(of: v1, from: 1, to: 2).losses == [])
        #expect(try Self.restores(rule, JSON(#"{"a":1,"o":{}}"#)))
        let edited = try JSON(#"{"a":2,"x":0}"#)
        #expect(
            try rule.translate(edited, from: 1, to: 2, agreed: (v1, v2)).string
                == #"{"version":2,"x":0,"o":{"p":{"b":2}}}"#
        )
        #expect {
            try rule.translate(JSON(#"{"a":1,"o":7}"#), from: 1, to: 2, agreed: nil)
        } throws: {
            ($0 as? DocumentError)?.reason.contains("expected an object at `/o/p` to move to") == true
        }
    }

    @Test(
        "an object that a move empties is removed, and restored on the way back",
        arguments: [
            ("{hoist: {field: a, from: o}}", #"{"o":{"a":1}}"#, #"{"version":2,"a":1}"#),
            ("{hoist: {field: a, from: o}}", #"{"o":{"a":1,"b":2}}"#, #"{"version":2,"o":{"b":2},"a":1}"#),
            // The lens moves no field out of it.
            ("{hoist: {field: a, from: o}}", #"{"o":{}}"#, #"{"version":2,"o":{}}"#),
            ("{move: {from: /o/p/a, to: /a}}", #"{"o":{"p":{"a":1}},"x":0}"#, #"{"version":2,"x":0,"a":1}"#),
            ("{move: {from: /o/p/a, to: /o/a}}", #"{"o":{"p":{"a":1}}}"#, #"{"version":2,"o":{"a":1}}"#),
        ]
    )
    func leavesNothingEmpty(lens: String, v1: String, v2: String) throws {
        let rule = try LensGenerator.rule([[lens]])
        #expect(try rule.translate(JSON(v1), from: 1, to: 2, agreed: nil).string == v2)
        #expect(try rule.migration(of: JSON(v1), from: 1, to: 2).losses == [])
        #expect(try rule.migration(of: JSON(v2), from: 2, to: 1).losses == [])
        #expect(try rule.translate(JSON(v2), from: 2, to: 1, agreed: nil).isEqual(to: JSON(v1)))
    }

    @Test("an object that a move always empties may be missing from the newer schema, but not required")
    func emptiedShapes() throws {
        func read(_ newer: String) throws {
            let older = "{properties: {o: {type: object, properties: {a: {type: integer}}}}, required: [o]}"
            _ = try Profile(
                yaml: "profile: p\ndocuments: {d.json: {version: {field: v, missing: 1}, versions: {"
                    + "1: {schema: \(older)}, 2: {schema: \(newer), lenses: [hoist: {field: a, from: o}]}}}}\n",
                file: "p"
            )
        }
        try read("{properties: {a: {type: integer}}}")
        try read("{properties: {a: {type: integer}, o: {type: object}}}")
        #expect {
            try read("{properties: {a: {type: integer}, o: {type: object}}, required: [o]}")
        } throws: {
            ($0 as? ProfileError)?.reason.text.hasSuffix("no lens adds `/o`, which is required") == true
        }
    }

    @Test(
        "the loss of a document's only field names the field",
        arguments: [
            (#"{"a":1}"#, ["/a cannot be represented in the other version"]),
            (#"{"a":1,"x":0}"#, ["/a cannot be represented in the other version"]),
            (
                #"{"version":1,"a":1}"#,
                [
                    "/version cannot be represented in the other version",
                    "/a cannot be represented in the other version",
                ]
            ),
        ]
    )
    func namesOnlyField(text: String, losses: [String]) throws {
        let rule = try LensGenerator.rule([["{remove: a}"]])
        let found = try rule.migration(of: JSON(text), from: 1, to: 2).losses
        #expect(found.map { "\($0.pointer) \($0.reason.text)" } == losses)
        let inner = try LensGenerator.rule([["{in: {field: /o, lenses: [remove: a]}}"]])
        #expect(
            try inner.migration(of: JSON(#"{"o":{"a":1}}"#), from: 1, to: 2).losses.map(\.pointer) == ["/o/a"]
        )
    }

    @Test(
        "the older version's own representation is restored",
        arguments: [
            (
                "{rename: {from: a, to: b}}|{convert: {field: b, from: [iso8601, milliseconds], to: iso8601}}",
                "a"
            ),
            (
                "{wrap: d}|{in: {field: /d, lenses: [convert: {field: a, from: [iso8601, milliseconds], to: iso8601}]}}",
                "a"
            ),
            (
                "{convert: {field: a, from: [iso8601, milliseconds], to: iso8601}}|{wrap: d}|{rename: {from: d, to: e}}",
                "a"
            ),
        ]
    )
    func keepsForms(lenses: String, key: String) throws {
        let rule = try LensGenerator.rule([lenses.split(separator: "|").map(String.init)])
        for time in ["1768746600123", #""2026-01-18T14:30:00Z""#, #""2026-01-18T15:30:00.500+01:00""#] {
            let v1 = try JSON("{\"\(key)\":\(time)}")
            #expect(try Self.restores(rule, v1))
        }
    }

    @Test("an optional version field is restored")
    func keepsVersion() throws {
        let rule = try #require(Profile.builtIn("budget")).rule(for: "budget.json")
        let v1 = try JSON(Budget.v1.replacing("{\"", with: "{\"version\":1,\"", maxReplacements: 1))
        #expect(rule.version(of: v1) == .known(1))
        #expect(try Self.restores(rule, v1))
    }

    /// Whether migrating there and back, with the original at hand, gives an equal value.
    private static func restores(_ rule: DocumentRule, _ v1: JSON) throws -> Bool {
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        return try rule.translate(v2, from: 2, to: 1, agreed: nil, example: v1).isEqual(to: v1)
    }
}

/// Random profiles and documents with only a few names, so that lenses affect each other's fields.
struct LensGenerator {
    var random: Seeded
    private let names = ["a", "b", "c", "d"]

    init(seed: UInt64) { random = Seeded(seed) }

    /// Each list leads to the next version. `lenses` are YAML in one line.
    static func rule(
        _ lists: [[String]],
        version: String = "{field: version, missing: 1}"
    ) throws -> DocumentRule {
        var yaml = "profile: p\ndocuments:\n  d.json:\n    version: \(version)\n    versions:\n      1: {}\n"
        for (index, list) in lists.enumerated() {
            yaml += "      \(index + 2): {when: {}, lenses: [\(list.joined(separator: ", "))]}\n"
        }
        return try Profile(yaml: yaml, file: "p").rule(for: "d.json")
    }

    mutating func rule(versions: Int) throws -> DocumentRule {
        try Self.rule(
            (1..<versions).map { _ in
                let count = 1 + random.below(3)
                return (0..<count).map { _ in lens(depth: 0) }
            },
            // A version field would need an object in every version.
            version: "shapes"
        )
    }

    private mutating func lens(depth: Int) -> String {
        let name = random.pick(names)
        let other = random.pick(names)
        switch random.below(depth > 1 ? 11 : 14) {
        case 0: return "{rename: {from: \(name), to: \(other)}}"
        case 1, 2: return "{add: {field: \(name), value: \(value(depth: 1))}}"
        case 3: return "{default: {field: \(name), value: \(value(depth: 1))}}"
        case 4: return "{remove: {field: \(name), default: \(value(depth: 1))}}"
        case 5: return "{copy: {from: \(name), to: \(other)}}"
        case 6: return "{plunge: {field: \(name), into: \(other)}}"
        case 7: return "{hoist: {field: \(name), from: \(other)}}"
        case 8: return "{move: {from: /\(name), to: /\(other)/\(random.pick(names))/x}}"
        case 9: return "{map: {field: \(name), values: [{old: 1, new: \(value(depth: 1))}]}}"
        case 10: return random.chance(50) ? "{wrap: \(name)}" : "{remove: \(name)}"
        case 11: return "{in: {field: /\(name), lenses: [\(lens(depth: depth + 1))]}}"
        case 12: return "{each: {field: /\(name), lenses: [\(lens(depth: depth + 1))]}}"
        default: return "{eachRow: {field: /\(name), lenses: [\(lens(depth: depth + 1))]}}"
        }
    }

    mutating func document() -> String { object(depth: 0) }

    private mutating func object(depth: Int) -> String {
        let keys = names.filter { _ in random.chance(depth == 0 ? 60 : 40) }
        return "{" + keys.map { "\"\($0)\":\(value(depth: depth + 1))" }.joined(separator: ",") + "}"
    }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth > 3 ? 3 : 7) {
        case 0: return random.pick(["1", "0", "2.50"])
        case 1: return random.pick(["true", "null"])
        case 2: return random.pick([#""x""#, #""é""#])
        case 3:
            return "[" + (0..<random.below(3)).map { _ in object(depth: depth + 1) }.joined(separator: ",")
                + "]"
        default: return object(depth: depth + 1)
        }
    }

    // MARK: Reversible lenses

    /// Lenses that rename, move and convert the fields of `reversibleDocument`.
    mutating func reversibleRule() throws -> DocumentRule {
        var fields = ["a", "b", "c"]
        var lenses: [String] = []
        for _ in 0..<1 + random.below(5) {
            let index = random.below(fields.count)
            let field = fields[index]
            let new = "n\(lenses.count)"
            switch random.below(6) {
            case 0, 1:
                lenses.append("{rename: {from: \(field), to: \(new)}}")
                fields[index] = new
            case 2, 3:
                lenses.append(
                    "{convert: {field: \(field), from: [iso8601, local, milliseconds], to: iso8601}}"
                )
            case 4:
                let inner = (0..<1 + random.below(2)).map { _ in
                    "{convert: {field: \(field), from: [milliseconds, iso8601, local], to: iso8601}}"
                }
                lenses += [
                    "{wrap: \(new)}", "{in: {field: /\(new), lenses: [\(inner.joined(separator: ", "))]}}",
                ]
                fields = [new]
                return try zoned(lenses)
            default:
                lenses.append("{plunge: {field: \(field), into: \(new)}}")
                fields.remove(at: index)
                if fields.isEmpty { return try zoned(lenses) }
            }
        }
        return try zoned(lenses)
    }

    private func zoned(_ lenses: [String]) throws -> DocumentRule {
        let yaml = """
            profile: p
            timeZone: {name: Europe/Rome, rule: "CET-1CEST,M3.5.0,M10.5.0/3"}
            documents:
              d.json:
                version: {field: version, missing: 1}
                versions: {1: {}, 2: {lenses: [\(lenses.joined(separator: ", "))]}}
            """
        return try Profile(yaml: yaml, file: "p").rule(for: "d.json")
    }

    mutating func reversibleDocument() -> String {
        let times = [
            "1768746600123", "1.768746600123e12", #""2026-01-18T14:30:00Z""#, #""2026-01-18t14:30:00.000z""#,
            #""2026-01-18T15:30:00.50+01:00""#, #""2026-01-18T15:30:00.123456""#,
        ]
        let version = random.chance(30) ? #""version":1,"# : ""
        return "{\(version)"
            + ["a", "b", "c"].map { "\"\($0)\":\(random.pick(times))" }.joined(separator: ",") + "}"
    }
}
