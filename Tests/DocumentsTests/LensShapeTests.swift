import Testing

@testable import Documents

/// A profile is checked by what its lenses do to schemas, and a document is migrated by what they do to
/// values: both halves of a lens must agree.
@Suite struct LensShapeTests {
    private func rule(_ lens: String, v1: String? = nil, v2: String? = nil) throws -> DocumentRule {
        let (older, newer) = (v1.map { "schema: \($0)" } ?? "", v2.map { "schema: \($0), " } ?? "")
        return try Profile(
            yaml: """
                profile: p
                documents:
                  d.json:
                    version: {field: version, missing: 1}
                    versions:
                      1: {\(older)}
                      2: {\(newer)lenses: [\(lens)]}
                """,
            file: "p"
        ).rule(for: "d.json")
    }

    /// The reason why a profile is refused.
    private func refusal(_ lens: String, v1: String, v2: String? = nil) -> String? {
        do {
            _ = try rule(lens, v1: v1, v2: v2)
            return nil
        } catch {
            return (error as? ProfileError)?.reason.text ?? "\(error)"
        }
    }

    @Test func `Each lens does to a schema what it does to a document of it`() throws {
        var compared = 0
        for seed in 0..<3000 as Range<UInt64> {
            var drawn = DrawnLenses(seed: seed)
            let lens = drawn.lens()
            guard let plain = try? rule(lens) else { continue }
            let document = try JSON("{\(drawn.members().joined(separator: ","))}")
            let older = document.schema()
            let refusal = refusal(lens, v1: older)
            guard let made = try? plain.translate(document, from: 1, to: 2, agreed: nil) else { continue }
            let newer = try JSON(made.string.replacing(/"version":2,?/, with: "", maxReplacements: 1))
            compared += 1
            let words = "seed \(seed): \(lens) \(document.string) \(newer.string)"
            if let refusal {
                // A name that no document has is a mistake, though these work with what they find.
                let works = ["join: ", "split: ", "extract: ", "orderBy: "].contains { lens.contains($0) }
                #expect(works || newer.isEqual(to: document), "\(words) \(refusal)")
            } else {
                // A text may have fewer parts than fields, a list may be empty, a field of a table may be
                // missing, and a number may be whole by chance.
                let varies = ["split: ", "from: list, to: value"].contains { lens.contains($0) }
                let schema = newer.schema().replacing("type: integer", with: "type: number")
                let found = self.refusal(lens, v1: older, v2: schema)
                #expect(found == nil || varies || newer.isEqual(to: document), "\(words) \(found ?? "")")
            }
        }
        #expect(compared > 1000)
    }

    /// Lenses, and a schema of version 2.
    @Test(arguments: [
        (
            "{move: {from: /done, to: /state/done}}",
            "{properties: {title: {}, state: {properties: {done: {}}, required: [done]}}, required: [state]}"
        ),
        (
            "{move: {from: /done, to: /a/b/done}}",
            "{properties: {title: {}, a: {properties: {b: {required: [done]}}, required: [b]}}, required: [a]}"
        ),
        (
            "{plunge: {field: done, into: state}}",
            "{properties: {title: {}, state: {type: object}}, required: [state]}"
        ),
        (
            "{wrap: data}, {move: {from: /data/done, to: /meta/done}}",
            "{properties: {data: {properties: {title: {}}}, meta: {required: [done]}}, required: [data, meta]}"
        ),
    ])
    func `A move creates the objects that it needs, in the schema as well`(
        lenses: String,
        newer: String
    ) throws {
        let older = "{properties: {title: {type: string}, done: {type: boolean}}, required: [done]}"
        #expect(refusal(lenses, v1: older, v2: newer) == nil)
        let made = try rule(lenses, v1: older).migration(of: JSON(#"{"title":"t","done":true}"#))
        #expect(made.verdict == .lossless, "\(made.verdict)")
    }

    @Test(arguments: [
        "rename: {from: a, to: a}", "move: {from: /a, to: /a}", "move: {from: /a, to: /a/b}",
        "plunge: {field: a, into: a}",
    ])
    func `A field cannot be moved into itself`(lens: String) {
        let words = "a field can be moved neither into itself nor to its own place"
        #expect(refusal("{\(lens)}", v1: "{}") == words)
    }
}

extension JSON {
    /// A schema that says of a document which fields it has, and their types.
    fileprivate func schema(of node: Int? = nil) -> String {
        let node = node ?? JSON.root
        switch kind(node) {
        case .object:
            let members = members(of: node).map { (string($0.key), $0.value) }
            if isTable(members.map(\.0)) {
                return "{type: object, additionalProperties: \(merged(members.map(\.1)))}"
            }
            let fields = members.map {
                "\"\(String(decoding: $0.0, as: UTF8.self))\": \(schema(of: $0.1))"
            }
            return "{type: object, properties: {\(fields.joined(separator: ", "))}}"
        case .array: return "{type: array, items: \(merged(Array(elements(of: node))))}"
        case .string: return "{type: string}"
        case .number: return isInteger(node) ? "{type: integer}" : "{type: number}"
        case .true, .false: return "{type: boolean}"
        case .null: return "{type: \"null\"}"
        }
    }

    /// Whether these are the keys of the rows that a drawn table has.
    private func isTable(_ keys: [[UInt8]]) -> Bool {
        !keys.isEmpty && keys.allSatisfy { ["r", "s", "7"].contains(String(decoding: $0, as: UTF8.self)) }
    }

    private func isInteger(_ node: Int) -> Bool {
        !slice(node).contains { [UInt8(ascii: "."), UInt8(ascii: "e")].contains($0) }
    }

    /// What several values have in common.
    private func merged(_ nodes: [Int]) -> String {
        guard let first = nodes.first, nodes.allSatisfy({ kind($0) == .object }) else {
            let all = Set(nodes.map { schema(of: $0) })
            return all.count == 1 ? all.first ?? "{}" : "{}"
        }
        var fields: [(key: [UInt8], values: [Int])] = []
        for (key, value) in nodes.flatMap({ members(of: $0) }) {
            if let index = fields.firstIndex(where: { $0.key == string(key) }) {
                fields[index].values.append(value)
            } else {
                fields.append((string(key), [value]))
            }
        }
        if fields.isEmpty { return schema(of: first) }
        let properties = fields.map {
            "\"\(String(decoding: $0.key, as: UTF8.self))\": \(merged($0.values))"
        }
        return "{type: object, properties: {\(properties.joined(separator: ", "))}}"
    }
}
