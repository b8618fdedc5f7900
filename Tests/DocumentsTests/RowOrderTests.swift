import Documents
import Foundation
import Testing

/// A list on one side and a table with numbered rows on the other are in one order, whoever edits.
@Suite struct RowOrderTests {
    private static let table = "{convert: {field: a, from: list, to: table, id: id, order: at}}"

    /// Table as it was agreed, order of the rows in the edited list, the table that this makes.
    @Test(arguments: [
        (
            #"{"x":{"id":"x","at":0},"y":{"id":"y","at":2},"z":{"id":"z","at":3}}"#, "xzy",
            #"{"x":{"id":"x","at":0},"y":{"id":"y","at":2},"z":{"id":"z","at":1}}"#
        ),
        (
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7},"z":{"id":"z","at":9}}"#, "xyz",
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7},"z":{"id":"z","at":9}}"#
        ),
        (
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7}}"#, "xyz",
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7},"z":{"id":"z","at":8}}"#
        ),
        (
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7}}"#, "xzy",
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":7},"z":{"id":"z","at":5}}"#
        ),
        (
            #"{"x":{"id":"x","at":4},"y":{"id":"y","at":5}}"#, "xzy",
            #"{"x":{"id":"x","at":0},"y":{"id":"y","at":2},"z":{"id":"z","at":1}}"#
        ),
        (
            #"{"x":{"id":"x","at":1.5},"y":{"id":"y"}}"#, "yx",
            #"{"x":{"id":"x","at":1},"y":{"id":"y","at":0}}"#
        ),
        (
            #"{"x":{"id":"x","at":5},"y":{"id":"y","at":5},"z":{"id":"z","at":7}}"#, "xzy",
            #"{"x":{"id":"x","at":0},"y":{"id":"y","at":2},"z":{"id":"z","at":1}}"#
        ),
    ])
    func `A list that is reordered is so in the table`(table: String, order: String, new: String) throws {
        let rule = try LensGenerator.rule([[Self.table]])
        let agreed = try JSON("{\"version\":2,\"a\":\(table)}")
        let list = try rule.translate(agreed, from: 2, to: 1, agreed: nil)
        let rows = order.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let edited = try JSON("{\"a\":[\(rows)]}")
        let made = try rule.translate(edited, from: 1, to: 2, agreed: (list, agreed))
        #expect(made.isEqual(to: try JSON("{\"version\":2,\"a\":\(new)}")), "\(made.string)")
    }

    @Test func `A row whose name is not its id stays the same row`() throws {
        let rule = try LensGenerator.rule([[Self.table]])
        let table = try JSON(#"{"version":2,"a":{"r1":{"id":"x","at":0,"n":1},"r2":{"id":7,"at":3}}}"#)
        let list = try rule.translate(table, from: 2, to: 1, agreed: nil)
        #expect(list.string == #"{"a":[{"id":"x","n":1},{"id":7}]}"#)
        let edited = try JSON(#"{"a":[{"id":7,"n":5},{"id":"x","n":2},{"id":"new"}]}"#)
        let made = try rule.translate(edited, from: 1, to: 2, agreed: (list, table))
        let new =
            #"{"version":2,"a":{"r1":{"id":"x","at":1,"n":2},"r2":{"id":7,"at":0,"n":5},"#
            + #""new":{"id":"new","at":2}}}"#
        #expect(made.isEqual(to: try JSON(new)), "\(made.string)")
    }

    @Test(arguments: [
        (
            #"{"x":{"id":"x"},"y":{"id":"x"}}"#,
            #"expected an id that no other element has at `/a/y/id`, found `"x"`"#
        ),
        (#"{"x":{},"y":{"id":"x"}}"#, #"expected an id that no other element has at `/a/y/id`, found `"x"`"#),
        (
            #"{"1":{"id":1},"y":{"id":"1"}}"#,
            #"expected an id that no other element has at `/a/y/id`, found `"1"`"#
        ),
        (
            #"{"x":{"id":true}}"#,
            "expected a string or number as the id of a row at `/a/x/id`, found `true`"
        ),
    ])
    func `Rows that the list could not tell apart are refused`(table: String, words: String) throws {
        let rule = try LensGenerator.rule([[Self.table]])
        #expect {
            try rule.translate(JSON("{\"version\":2,\"a\":\(table)}"), from: 2, to: 1, agreed: nil)
        } throws: {
            let reason = ($0 as? DocumentError)?.reason ?? "\($0)"
            if !reason.hasSuffix(words) { Issue.record("\(reason)") }
            return true
        }
    }

    /// The table may be given other names by what comes after it.
    @Test(arguments: [
        ([table], "at"), ([table, "{wrap: w}"], "at"),
        ([table, "{eachRow: {field: /a, lenses: [{rename: {from: at, to: nr}}]}}"], "nr"),
        (["{wrap: w}", "{in: {field: /w, lenses: [\(table)]}}", "{unwrap: w}", "{wrap: v}"], "at"),
    ])
    func `Both sides' edits, one after the other, keep one order`(
        lenses: [String],
        column: String
    ) throws {
        let rule = try LensGenerator.rule([lenses])
        for seed in 0..<100 as Range<UInt64> {
            var random = Seeded(seed)
            var list = try JSON(#"{"a":[{"id":"w"},{"id":"x"},{"id":"y"},{"id":"z"}]}"#)
            var table = try rule.translate(list, from: 1, to: 2, agreed: nil)
            var next = 0
            for step in 0..<12 {
                if random.chance(50) {
                    let edited = try Self.editedList(list, &random, &next)
                    table = try rule.translate(edited, from: 1, to: 2, agreed: (list, table))
                    list = edited
                } else {
                    let edited = try Self.editedTable(table, column, &random, &next)
                    list = try rule.translate(edited, from: 2, to: 1, agreed: (table, list))
                    table = edited
                }
                #expect(
                    Self.names(inList: list) == Self.names(inTable: table),
                    "seed \(seed), step \(step): \(list.string) \(table.string)"
                )
            }
        }
    }

    private static func object(_ json: JSON) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(json.bytes))) as? [String: Any] ?? [:]
    }

    private static func names(inList json: JSON) -> [String] {
        let list = object(json)["a"] as? [[String: Any]] ?? []
        return list.compactMap { $0["id"] as? String }
    }

    private static func editedList(_ json: JSON, _ random: inout Seeded, _ next: inout Int) throws -> JSON {
        var names = names(inList: json)
        switch random.below(4) {
        case 0 where !names.isEmpty: names.remove(at: random.below(names.count))
        case 1:
            next += 1
            names.insert("n\(next)", at: random.below(names.count + 1))
        case 2: names.shuffle(using: &random)
        default: if let last = names.popLast() { names.insert(last, at: 0) }
        }
        return try JSON("{\"a\":[" + names.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",") + "]}")
    }

    // MARK: The table, as text, since the order of its rows counts

    private struct Row {
        var name: String
        var number: String?
        var place: Double? { number.flatMap { Double($0) } }
    }

    /// What stands before the table, its rows, and what stands behind it.
    private static func parts(_ json: JSON) -> (head: String, rows: [Row], tail: String) {
        let text = json.string
        guard let start = text.range(of: "\"a\":{")?.upperBound else { return (text, [], "") }
        var rows: [Row] = []
        var rest = text[start...]
        while let name = rest.prefixMatch(of: /,?"(\w+)":\{([^}]*)\}/) {
            let number = name.2.firstMatch(of: /"(?:nr|at)":([0-9.-]+)/)
            rows.append(Row(name: String(name.1), number: (number?.1).map { String($0) }))
            rest = rest[name.range.upperBound...]
        }
        return (String(text[..<start]), rows, String(rest))
    }

    private static func names(inTable json: JSON) -> [String] {
        parts(json).rows.enumerated().sorted { a, b in
            let (mine, its) = (a.element.place ?? .infinity, b.element.place ?? .infinity)
            return mine == its ? a.offset < b.offset : mine < its
        }.map(\.element.name)
    }

    private static func editedTable(
        _ json: JSON,
        _ column: String,
        _ random: inout Seeded,
        _ next: inout Int
    ) throws -> JSON {
        var (head, rows, tail) = parts(json)
        let numbers = ["0", "2", "7", "1.5", "-3", nil]
        switch random.below(3) {
        case 0 where !rows.isEmpty: rows.remove(at: random.below(rows.count))
        case 1 where !rows.isEmpty: rows[random.below(rows.count)].number = random.pick(numbers)
        default:
            next += 1
            rows.append(Row(name: "n\(next)", number: random.pick(numbers)))
        }
        let texts = rows.map { row in
            "\"\(row.name)\":{\"id\":\"\(row.name)\"" + (row.number.map { ",\"\(column)\":\($0)" } ?? "")
                + "}"
        }
        head += texts.joined(separator: ",")
        return try JSON(head + tail)
    }
}
