import Documents
import Testing

@Suite struct ScaleLensTests {
    private func rule(_ lens: String) throws -> DocumentRule {
        try LensGenerator.rule([["{scale: {field: a, \(lens)}}"]])
    }

    private func up(_ lens: String, _ value: String) throws -> String {
        let v2 = try rule(lens).translate(JSON(#"{"a":\#(value)}"#), from: 1, to: 2, agreed: nil).string
        return String(v2.dropFirst(#"{"version":2,"a":"#.count).dropLast())
    }

    @Test(arguments: [
        ("by: 0.01", "1234", "12.34"), ("by: 0.01", "1200", "12"), ("by: 0.01", "-5", "-0.05"),
        ("by: 0.01", "12345678901234567890123456789", "123456789012345678901234567.89"),
        ("by: 0.01", "0", "0"), ("by: 100", "19.99", "1999"), ("by: 100", "0.005", "0.5"),
        ("by: 100", "1e2", "10000"), ("by: 1/4", "1", "0.25"), ("by: 3", "0.1", "0.3"),
        ("by: 1/3", "0.3", "0.1"), ("by: 60", "1.5", "90"), ("by: 1e3", "7", "7000"),
        ("by: 1/100, digits: {old: 0, new: 2}", "1999", "19.99"),
    ])
    func `A number in another unit keeps every digit, in both directions`(
        lens: String,
        old: String,
        new: String
    ) throws {
        #expect(try up(lens, old) == new)
        let document = try JSON(#"{"a":\#(old)}"#)
        let migration = try rule(lens).migration(of: document, from: 1, to: 2)
        #expect(migration.losses == [])
        let back = try rule(lens).translate(migration.document, from: 2, to: 1, agreed: nil)
        #expect(back.isEqual(to: document))
    }

    @Test(arguments: [
        (
            "by: 1/3", "1",
            "expected a number whose product with 1/3 can be written out in decimal at `/a`, found `1`"
        ),
        (
            "by: 100, digits: {new: 0}", "1.005",
            "expected a number with at most 0 decimal places after multiplication by 100 at `/a`, found `1.005`"
        ),
        ("by: 100", "true", "expected a number at `/a`, found `true`"),
        (
            "by: 100", "1e9999",
            "expected a number whose product with 100 can be written out in decimal at `/a`"
        ),
    ])
    func `A number with too many decimal places is refused`(lens: String, value: String, words: String) throws
    {
        #expect {
            try up(lens, value)
        } throws: {
            let reason = ($0 as? DocumentError)?.reason ?? "\($0)"
            if !reason.contains(words) { Issue.record("\(reason)") }
            return true
        }
    }

    @Test(arguments: [
        ("by: 100, digits: {new: 0}, round: true", "1.004", "100", 0),
        ("by: 100, digits: {new: 0}, round: true", "1.005", "100", 0),
        ("by: 100, digits: {new: 0}, round: true", "1.015", "102", 0),
        ("by: 100, digits: {new: 0}, round: true", "1.0050001", "101", 0),
        ("by: 100, digits: {new: 0}, round: true", "-0.996", "-100", 0),
        ("by: 1/3, digits: {new: 2}, round: true", "1", "0.33", 2),
        ("by: 1/3, digits: {new: 2}, round: true", "2", "0.67", 2),
        ("by: 1/3, digits: {new: 2}, round: true", "1e3", "333.33", 2),
        ("by: 1/3, digits: {new: 2}, round: true", "1e-50", "0", 2),
    ])
    func `Rounding, if the profile allows it, is a loss with its decimal places`(
        lens: String,
        old: String,
        new: String,
        digits: Int
    ) throws {
        let both = lens.replacing("new: \(digits)", with: "old: 5, new: \(digits)")
        #expect(try up(both, old) == new)
        let migration = try rule(both).migration(of: JSON(#"{"a":\#(old)}"#), from: 1, to: 2)
        #expect(migration.losses.first == Loss(pointer: "/a", reason: .rounded(digits: digits)))
    }

    @Test func `An edit in the other version keeps the digits that were rounded`() throws {
        let rule = try rule("by: 100, digits: {new: 0}, round: true")
        let v1 = try JSON(#"{"a":1.005,"x":1}"#)
        let v2 = try rule.translate(v1, from: 1, to: 2, agreed: nil)
        let edited = try JSON(#"{"version":2,"a":100,"x":2}"#)
        #expect(
            try rule.translate(edited, from: 2, to: 1, agreed: (v2, v1)).string == #"{"a":1.005,"x":2}"#
        )
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `Up, down and up again gives the same, for random numbers and factors`(seed: UInt64) throws {
        var random = Seeded(seed)
        let factor = random.pick(["0.01", "100", "1/8", "0.0254", "1000", "2.5", "1/1024"])
        let digits = (0..<1 + random.below(30)).map { _ in "\(random.below(10))" }.joined()
        let sign = random.chance(30) ? "-" : ""
        let value = "\(sign)1\(digits).\(digits.reversed().map(String.init).joined())"
        let rule = try rule("by: \(factor)")
        let document = try JSON(#"{"a":\#(value)}"#)
        // Not every factor has an inverse with finitely many digits.
        guard let migration = try? rule.migration(of: document, from: 1, to: 2) else { return }
        #expect(migration.losses == [], "\(value) \(factor)")
        let back = try rule.translate(migration.document, from: 2, to: 1, agreed: nil)
        #expect(back.isEqual(to: document))
        let again = try rule.translate(back, from: 1, to: 2, agreed: nil)
        #expect(again.bytes == migration.document.bytes)
    }

    @Test(arguments: [
        ("by: 0", "expected a factor above 0, such as `0.01`, `100` or `1/3`, found `0`"),
        ("by: -1", "expected a factor above 0, such as `0.01`, `100` or `1/3`, found `-1`"),
        ("by: 1/0", "expected a factor above 0, such as `0.01`, `100` or `1/3`, found `1/0`"),
        ("by: many", "expected a factor above 0, such as `0.01`, `100` or `1/3`, found `many`"),
        ("by: 2, round: true", "`digits`, how it is rounded, is missing"),
        ("by: 2, digits: {new: 31}", "expected a whole number up to 30, found `31`"),
        ("digits: {new: 1}", "`field` and `by` are required"),
    ])
    func `An invalid scale is refused`(lens: String, words: String) {
        #expect { try rule(lens) } throws: { ($0 as? ProfileError)?.reason.text == words }
    }
}
