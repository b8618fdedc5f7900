import Documents
import Testing

@Suite struct ExactNumberTests {
    @Test(arguments: [
        ("`0.1` + `0.2`", "0.3"), ("`9007199254740993` + `1`", "9007199254740994"),
        ("`999999999999999999` + `1`", "1000000000000000000"),
        (
            "`123456789012345678901234567890` * `98765432109876543210`",
            "12193263113702179522496570642237463801111263526900"
        ),
        ("`1` / `3`", "0.33333333333333333333"), ("`2` / `3`", "0.66666666666666666667"),
        ("`1` / `8`", "0.125"), ("`6` / `2`", "3"), ("`-1` / `3`", "-0.33333333333333333333"),
        ("`100000000000000000005` / `10`", "10000000000000000000"),
        ("`100000000000000000015` / `10`", "10000000000000000002"),
        ("`1e30` / `3e30`", "0.33333333333333333333"), ("`0` / `7`", "0"), ("`-0` + `0`", "0"),
        ("`7.5` // `2`", "3"), ("`-7.5` // `2`", "-4"), ("`-7.5` % `2`", "0.5"), ("`7.5` % `-2`", "-0.5"),
        ("`1e20` % `7`", "2"), ("`1e25` * `1`", "1e25"), ("`1e-50` * `3`", "3e-50"),
        ("sum([`0.1`, `0.2`, `0.3`])", "0.6"), ("avg([`1`, `2`, `2`])", "1.6666666666666666667"),
        ("sum(`[]`)", "0"), ("avg(`[]`)", "null"), ("abs(`-1.5`)", "1.5"),
        ("abs(`1e999999999999`)", "1e999999999999"),
    ])
    func `Arithmetic is exact, and a quotient has 20 digits`(expression: String, expected: String) throws {
        #expect(try value(expression) == expected)
    }

    @Test(arguments: [
        ("round(`2.5`)", "2"), ("round(`3.5`)", "4"), ("round(`-2.5`)", "-2"), ("round(`2.51`)", "3"),
        ("round(`1.005`, `2`)", "1"), ("round(`1.015`, `2`)", "1.02"), ("round(`1250`, `-2`)", "1200"),
        ("round(`0.4`)", "0"), ("round(`0.6`)", "1"), ("round(`0.5`)", "0"), ("round(`-0.04`, `1`)", "0"),
        ("round(`1e-999999999999`)", "0"), ("floor(`1e-999999999999`)", "0"),
        ("ceil(`1e-999999999999`)", "1"),
        ("floor(`-1e-999999999999`)", "-1"), ("ceil(`-0.5`)", "0"), ("floor(`-0.5`)", "-1"),
        ("ceil(`0`)", "0"),
        ("ceil(`0.00`)", "0"), ("floor(`1e30`)", "1e30"), ("clamp(`5`, `0`, `3`)", "3"),
        ("clamp(`-5`, `0`, `3`)", "0"), ("percent(`1`, `8`)", "12.5"),
        ("percent(`2`, `3`)", "66.666666666666666667"),
    ])
    func `Rounding is half to even`(expression: String, expected: String) throws {
        #expect(try value(expression) == expected)
    }

    @Test(arguments: [
        "`1e999999999` + `1`", "`1e999999999999999999999` * `2`", "`1e600` * `1e600`", "`1` / `1e2000`",
    ])
    func `A number with too many digits is an error`(expression: String) throws {
        let error = try #require(fault(expression))
        #expect(error.reason == .tooManyDigits(limit: 1000))
        #expect(error.kind == .notANumber)
    }

    @Test(arguments: ["`1` / `0`", "`1` // `0.0`", "`1` % `0`"])
    func `A division by zero is an error at its sign`(expression: String) throws {
        let error = try #require(fault(expression))
        #expect(error == ExpressionError(column: 5, reason: .divisionByZero))
        #expect(error.kind == .notANumber)
    }

    /// Against 128-bit integers: sums, products, quotients and orders of numbers with two decimal places.
    @Test func `Drawn calculations have the results of integers`() throws {
        var random = Seeded(7)
        for _ in 0..<2000 {
            let (a, b) = (random.below(2_000_000_000) - 1_000_000_000, random.below(2_000_000) - 1_000_000)
            func text(_ value: Int) -> String { "`\(value)e-2`" }
            let sum = try value("\(text(a)) + \(text(b)) == \(text(a + b))")
            let product = try value("\(text(a)) * \(text(b)) == `\(a * b)e-4`")
            let order = try value("\(text(a)) < \(text(b))")
            #expect(sum == "true" && product == "true" && order == "\(a < b)", "\(a) \(b)")
            guard b != 0 else { continue }
            let quotient = Int((Double(a) / Double(b)).rounded(.down))
            #expect(try value("\(text(a)) // \(text(b))") == "\(quotient)")
            #expect(try value("\(text(a)) % \(text(b)) == `\(a - quotient * b)e-2`") == "true")
        }
    }
}
